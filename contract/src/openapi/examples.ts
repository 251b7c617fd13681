// Examples, put together from the samples along the schemas.
import type { OperationId } from '../paths.ts'
import { type Place, sampleOf } from './fields.ts'
import { outcomes, sentFields } from './outcomes.ts'
import type { Json } from './schemas.ts'

export type Schemas = Readonly<Record<string, Json>>
const BY_TYPE: Record<string, unknown> = { boolean: false, null: null }

export function exampleOf(schema: Json, place: Place, schemas: Schemas): unknown {
  if ('const' in schema) return schema.const
  const sample = place.length > 1 ? sampleOf(place) : undefined
  const name = nameOf(schema)
  // `provider` is a word in most places, and all that is known of an ad system in some.
  if (sample && !(typeof sample.value === 'string' && schemas[name]?.properties)) return sample.value
  if (name) return exampleOf(schemas[name]!, [name], schemas)
  const { enum: values, items, properties, default: fallback } = schema as { enum?: unknown[]; items?: Json; properties?: Schemas } & Json
  if (properties) {
    const fields = Object.entries(properties).map(([field, property]) => [field, exampleOf(property, [...place, field], schemas)])
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
  }
  if (fallback !== undefined && fallback !== null) return fallback
  if (values) return values[0]
  const [option] = optionsOf(schema)
  if (option) return exampleOf(option, place, schemas)
  if (items) return [exampleOf(items, place, schemas)]
  if (schema.type === 'object') return {}
  if (String(schema.type) in BY_TYPE) return BY_TYPE[String(schema.type)]
  throw new Error(`contract/src/openapi/samples.ts lacks a value for ${place.join('.')}`)
}

const nameOf = ({ $ref = '' }: Json) => String($ref).split('/').at(-1)!
const optionsOf = ({ oneOf, anyOf }: Json) => ((oneOf ?? anyOf ?? []) as Json[]).filter(({ type }) => type !== 'null')

/** One example; of a choice between several shapes, one for each. The first shape of an answer shows what the operation did. */
export function mediaExamples(schema: Json, id: OperationId, io: 'input' | 'output', schemas: Schemas): Json {
  const name = nameOf(schema)
  const options = optionsOf(name ? schemas[name]! : schema)
  const place: Place = [name || id]
  const own = io === 'output' ? outcomes[id] : sentFields[id]
  const shown = (one: Json, i = 0) => ({ ...(exampleOf(one, place, schemas) as Json), ...(i === 0 && own) })
  if (options.length < 2) return { example: shown(schema) }
  return { examples: Object.fromEntries(options.map((option, i) => [titleOf(option), { value: shown(option, i) }])) }
}

/** What tells one shape from the others: its name, the word that it is chosen by, or its first field. */
function titleOf({ properties = {}, ...schema }: Json): string {
  if (schema.$ref) return nameOf(schema)
  const fixed = Object.values(properties as Schemas).find((property) => 'const' in property)
  return fixed ? String(fixed.const) : Object.keys(properties as Schemas)[0]!
}
