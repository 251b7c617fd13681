// A good request, made from the document alone: what every bad one starts from.
import type { ApiDescription, DescribedOperation, DescribedSchema } from './document.ts'
import { type CallerCredential, credentialClasses, type InputTenant } from './input-tenant.ts'
import type { Random } from './random.ts'
import type { WireRequest } from './wire.ts'

/** What can still be spoilt. */
export interface Draft {
  operation: DescribedOperation
  credential: CallerCredential
  method: string
  /** Path parameters, percent-encoded. */
  params: Record<string, string>
  /** Instead of the path made from the parameters. */
  path?: string
  query: string[]
  value: Record<string, unknown> | undefined
  /** Instead of the body made from `value`. */
  body?: string | Buffer
  lines: [string, string][]
  raw: boolean
  unfinished: boolean
}

const ABSENT = '7b0c6f5e-8f43-4f0c-9d7e-0a4b8a1f6c11'
/** These end the session that asks. */
const ENDING = new Set(['signOut', 'signOutEverywhere'])
/** Most requests come from somebody who may do a lot: the others end early. */
const CLASSES: readonly CallerCredential[] = [...credentialClasses, 'bearer', 'bearer', 'bearer', 'bearer', 'cookie', 'organization key']

export function draft(document: ApiDescription, operation: DescribedOperation, place: InputTenant, random: Random): Draft {
  const credential = random.pick(CLASSES)
  const own = place.credentials[credential]
  const lines = ENDING.has(operation.id) && (credential === 'bearer' || credential === 'cookie') ? place.spare : own
  const of = (name: string) => operation.parameters.filter((parameter) => parameter.in === name)
  const params = Object.fromEntries(of('path').map(({ name }) => [name, encodeURIComponent(paramOf(operation, name, place, random))]))
  const query = of('query').flatMap(({ name, schema }) =>
    random.chance(0.3) ? [`${name}=${encodeURIComponent(String(sample(document, schema, name, place, random)))}`] : [],
  )
  const value = operation.body && (sample(document, operation.body, '', place, random) as Record<string, unknown>)
  return {
    operation,
    credential,
    method: operation.method,
    params,
    query,
    value,
    lines: [['Host', '127.0.0.1'], ...lines.map(([name, text]): [string, string] => [name, text])],
    raw: random.chance(0.25),
    unfinished: false,
  }
}

/** Something that is there, most of the time. */
function paramOf({ path }: DescribedOperation, name: string, { things }: InputTenant, random: Random): string {
  const known = things[path.slice(0, path.indexOf(`{${name}}`) + name.length + 2)]
  if (!known) throw new Error(`nothing is known for {${name}} of ${path}`)
  return random.chance(0.1) ? (/^(id|userId)$/.test(name) ? ABSENT : 'absent') : random.pick(known)
}

export function sample(document: ApiDescription, given: DescribedSchema, name: string, place: InputTenant, random: Random): unknown {
  const schema = document.resolve(given)
  const known = place.known[name]?.filter((value) => !schema.enum || schema.enum.includes(value))
  if (/slug$/i.test(name) && name !== 'workspaceSlug') return `s-${fresh(random)}`
  if (name === 'email' && random.chance(0.5)) return `${fresh(random)}@${fresh(random)}.example`
  if (known?.length) return random.pick(known)
  if (schema.enum) return random.pick(schema.enum)
  if (schema.const !== undefined) return schema.const
  const shapes = schema.anyOf ?? schema.oneOf
  if (shapes) return sample(document, random.pick(shapes), name, place, random)
  if (schema.type === 'object') {
    const fields = Object.entries(schema.properties ?? {}).filter(([field]) => schema.required?.includes(field) || random.chance(0.4))
    if (!schema.properties) return name === 'settings' ? {} : random.pick(FORMS)
    return Object.fromEntries(fields.map(([field, of]) => [field, sample(document, of, field, place, random)]))
  }
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(schema.minimum ?? 1, 1)
  if (schema.type === 'boolean') return random.chance(0.5)
  if (schema.type === 'array') return []
  if (schema.format === 'date-time') return '2026-01-31T12:00:00Z'
  return 'Ada'
}

const fresh = (random: Random) => random.below(2 ** 32).toString(36)

/** What people type into the forms of ad systems, and the words by which a twin plays along. */
const FORMS = [
  ...Array(4).fill({}),
  ...Array(5).fill({ apiKey: 'a-good-key' }),
  { apiKey: 'refuse' },
  { apiKey: 'garble' },
  { apiKey: 'throttle' },
  { username: 'ada', password: 'a-good-one' },
  { username: 'ada', password: 'refuse' },
]

export function sentOf(request: Draft): WireRequest {
  const path = request.path ?? request.operation.path.replace(/\{(\w+)\}/g, (_, name: string) => request.params[name]!)
  const body = request.body ?? (request.value === undefined ? undefined : JSON.stringify(request.value))
  const typed = body === undefined || request.lines.some(([name]) => /^content-type$/i.test(name))
  return {
    method: request.method,
    target: request.query.length ? `${path}?${request.query.join('&')}` : path,
    lines: [
      ...request.lines,
      ...(typed ? [] : [['Content-Type', 'application/json'] as const]),
      // By raw bytes every request has a connection of its own.
      ...(request.raw && !request.lines.some(([name]) => /^connection$/i.test(name)) ? [['Connection', 'close'] as const] : []),
    ],
    body,
    raw: request.raw,
    unfinished: request.unfinished,
  }
}
