// Where a hostile value can stand in a well-formed one.

export const HERE = '@@here@@'

export interface Schema {
  readonly properties?: Record<string, Schema>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly additionalProperties?: Schema | boolean
}

/** The value with a mark in place of all of it, of each of its fields in turn, and so on below. */
export function placesIn(schema: Schema, value: unknown, depth = 0): unknown[] {
  if (depth > 4) return []
  const given = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  const below = (inner: Schema, at: unknown, put: (value: unknown) => unknown) => placesIn(inner, at, depth + 1).map(put)
  const { properties = {}, items, additionalProperties } = schema
  return [
    HERE,
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].flatMap((branch) => placesIn(branch, value, depth + 1)),
    ...Object.entries(properties).flatMap(([name, inner]) => below(inner, given[name], (put) => ({ ...given, [name]: put }))),
    ...(items ? below(items, (value as unknown[] | undefined)?.[0], (put) => [put]) : []),
    ...(typeof additionalProperties === 'object' ? below(additionalProperties, undefined, (put) => ({ any: put })) : []),
  ]
}
