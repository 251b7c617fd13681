// JSON Schema for the document, from the schemas of the contract.
import * as z from 'zod'
import { ABSENT, schemas } from '../fields.ts'
import { declaration, operationIds } from '../operations.ts'
import { descriptionOf, type Place } from './fields.ts'

export type Json = Record<string, unknown>

export const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })
const uri = (id: string) => `#/components/schemas/${id}`
const nameOf = (schema: z.ZodType | undefined) => (schema ? schemas.get(schema)?.id : undefined)

/** The named schemas, as they are sent out; request bodies as they come in. */
export function components(): Record<string, Json> {
  const bodies = new Set(operationIds.map((id) => nameOf(declaration(id).body)))
  const out = z.toJSONSchema(schemas, { io: 'output', uri, unrepresentable: 'any' }).schemas
  const sent = z.toJSONSchema(schemas, { io: 'input', uri, unrepresentable: 'any' }).schemas
  const once = shownOnce()
  return Object.fromEntries(
    Object.keys(out)
      .sort()
      .map((id) => [id, fieldsDescribed(bodies.has(id) ? clean(sent[id]) : withoutOnce(answer(clean(out[id])), once[id]), [id])]),
  )
}

/** What a repetition of the request does not get again, by the name of the answer. */
function shownOnce(): Record<string, readonly string[] | undefined> {
  const declared = operationIds.map((id) => declaration(id)).filter((one) => one.shownOnce)
  return Object.fromEntries(declared.map(({ ok, created, shownOnce: fields }) => [nameOf(ok ?? created), fields]))
}

function withoutOnce(schema: Json, fields: readonly string[] = []): Json {
  const properties = schema.properties as Record<string, Json>
  for (const name of fields) {
    const { description } = properties[name]!
    properties[name]!.description = `${description}. Left out when the answer is replayed for a repeated \`Idempotency-Key\``
  }
  const required = (schema.required as string[] | undefined)?.filter((name) => !fields.includes(name))
  return { ...schema, ...(required && { required }) }
}

const LENGTHS: Record<string, number> = { uuid: 36, date: 10 }

/** A named format says it all: the pages of pattern that zod adds for dates and uuids help nobody. */
function clean(schema: unknown): Json {
  const { $schema, $id, ...rest } = schema as Json
  return JSON.parse(JSON.stringify(rest), (_, value) => {
    if (value?.format && value.pattern) delete value.pattern
    if (value?.type === 'string' && value.format in LENGTHS) value.maxLength = LENGTHS[value.format]
    // A field that must be left out is not there at all, as far as a reader is concerned.
    for (const [name, field] of Object.entries(value?.properties ?? {})) if ((field as Json)?.[ABSENT]) delete value.properties[name]
    if (value?.$ref) value.$ref = value.$ref.replace('#/$defs/', '#/components/schemas/')
    return value
  })
}

/** Answers may grow: no schema forbids further properties, or a new field would break strict clients. */
function answer(schema: unknown): Json {
  return JSON.parse(JSON.stringify(schema), (key, value) => (key === 'additionalProperties' && value === false ? undefined : value))
}

/** Says what each field is, where its schema does not. */
function fieldsDescribed(schema: Json, place: Place): Json {
  for (const [name, property] of Object.entries((schema.properties ?? {}) as Record<string, Json>)) {
    const description = property.description ?? descriptionOf([...place, name])
    if (description) property.description = description
    fieldsDescribed(property, [...place, name])
  }
  for (const key of ['items', 'additionalProperties']) if (typeof schema[key] === 'object') fieldsDescribed(schema[key] as Json, place)
  for (const key of ['anyOf', 'oneOf', 'allOf']) for (const option of (schema[key] ?? []) as Json[]) fieldsDescribed(option, place)
  return schema
}

/** Descriptions from where zod keeps them, names from our own registry. */
const metadata = { get: (schema: z.ZodType) => ({ ...z.globalRegistry.get(schema), ...schemas.get(schema) }) } as typeof z.globalRegistry

export function jsonSchema(schema: z.ZodType, io: 'input' | 'output', place: Place): Json {
  const name = nameOf(schema)
  if (name) return ref('schemas', name)
  // Named schemas come out as references into `$defs`; in the document they live among its components.
  const { $defs: _, ...inline } = clean(z.toJSONSchema(schema, { io, metadata, unrepresentable: 'any' }))
  return fieldsDescribed(io === 'output' ? answer(inline) : inline, place)
}
