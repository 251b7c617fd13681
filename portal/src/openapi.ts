/** What the reference page reads of the service's own description. */
export type OpenApiSchema = {
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  description?: string
  properties?: Record<string, OpenApiSchema>
  required?: string[]
  items?: OpenApiSchema
  anyOf?: OpenApiSchema[]
  oneOf?: OpenApiSchema[]
  allOf?: OpenApiSchema[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
}
export type Parameter = { name: string; in: 'path' | 'query' | 'header'; required?: boolean; description?: string; schema: OpenApiSchema }
type DocumentedResponse = { $ref?: string; description?: string; content?: Record<string, { schema?: OpenApiSchema }> }
export type DocumentedOperation = {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema: OpenApiSchema }> }
  responses: Record<string, DocumentedResponse>
  'x-access'?: unknown
  'x-records'?: string[]
}
export type OpenApiDocument = {
  info: { title: string; version: string; summary?: string; description?: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, DocumentedOperation>>
  components: { schemas: Record<string, OpenApiSchema>; responses: Record<string, DocumentedResponse> }
}
export type ListedOperation = DocumentedOperation & { method: string; path: string }

export const entriesOf = ({ paths }: OpenApiDocument): ListedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )

/** Every word that was typed is somewhere in what names the operation. */
export const found = ({ operationId, method, path, summary, tags }: ListedOperation, typed: string): boolean => {
  const text = `${operationId} ${method} ${path} ${summary} ${tags.join(' ')}`.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** The schema itself, with the name it goes by. */
export function resolved(document: OpenApiDocument, schema: OpenApiSchema): OpenApiSchema & { named?: string } {
  if (!schema.$ref) return schema
  const named = schema.$ref.split('/').at(-1)!
  return { ...resolved(document, document.components.schemas[named] ?? {}), named }
}

const alternatives = ({ anyOf, oneOf }: OpenApiSchema) => anyOf ?? oneOf ?? []

/** `string or null`, `array of Integration`, `one of pending, active`. */
export function typeOf(schema: OpenApiSchema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1)!
  if (schema.enum) return `one of ${schema.enum.join(', ')}`
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const several = alternatives(schema)
  if (several.length) return several.map(typeOf).join(' or ')
  if (schema.type === 'array') return `array of ${schema.items ? typeOf(schema.items) : 'anything'}`
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'anything')
  return schema.format ? `${type} (${schema.format})` : type
}

/** Its bounds, as one reads them. */
export function boundsOf({ minimum, maximum, minLength, maxLength, maxItems, default: usual }: OpenApiSchema): string {
  const range = (low: number | undefined, high: number | undefined, unit: string) =>
    high === undefined || high >= Number.MAX_SAFE_INTEGER ? [] : [`${low === undefined ? 'at most' : `${low} to`} ${high}${unit}`]
  return [
    ...range(minimum, maximum, ''),
    ...range(minLength, maxLength, ' characters'),
    ...range(undefined, maxItems, ' items'),
    ...(usual === undefined || typeof usual === 'object' ? [] : [`default ${JSON.stringify(usual)}`]),
  ].join(', ')
}

const formats: Record<string, string> = {
  uuid: '0d9f3f0a-8f1c-4f0e-9d3b-5a1f0c2b7e64',
  'date-time': '2026-01-31T12:00:00.000Z',
  email: 'ada@agency.example',
  uri: 'https://agency.example',
}

/** A value that such a schema takes: of an object what it requires, or all where it requires nothing. */
export function exampleOf(document: OpenApiDocument, schema: OpenApiSchema, name = ''): unknown {
  const { type, format, enum: values, const: only, default: usual, properties, required, items, ...rest } = resolved(document, schema)
  if (only !== undefined) return only
  if (values) return values[0]
  if (properties) {
    const shown = Object.entries(properties).filter(([key]) => !required?.length || required.includes(key))
    return Object.fromEntries(shown.map(([key, value]) => [key, exampleOf(document, value, key)]))
  }
  if (usual !== undefined) return usual
  const [first] = alternatives(rest)
  if (first) return exampleOf(document, first, name)
  if (type === 'array') return items ? [exampleOf(document, items, name)] : []
  if (type === 'integer' || type === 'number') return rest.minimum ?? 1
  if (type === 'boolean') return true
  if (type === 'object') return {}
  if (format && formats[format]) return formats[format]
  return /email/i.test(name) ? formats.email : /slug/i.test(name) ? 'my-workspace' : /url$/i.test(name) ? formats.uri : `my ${name}`.trim()
}

const places: Record<string, string> = { orgSlug: 'my-organization', workspaceSlug: 'my-workspace' }

/** A call to copy: with an API key where one is taken, else with a session's token. */
export function curlOf(document: OpenApiDocument, entry: ListedOperation, origin: string): string {
  const path = entry.path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => places[name] ?? name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase(),
  )
  const body = entry.requestBody?.content['application/json']?.schema
  const takes = waysIn(entry)
  return [
    `curl ${entry.method === 'GET' ? '' : `-X ${entry.method} `}'${origin}${path}'`,
    ...(takes.includes('apiKey')
      ? [`-H "x-api-key: $ADJOIN_API_KEY"`]
      : takes.includes('bearer')
        ? [`-H "Authorization: Bearer $ADJOIN_TOKEN"`]
        : []),
    ...(body ? [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(exampleOf(document, body)).replaceAll("'", "'\\''")}'`] : []),
  ].join(' \\\n  ')
}

/** The credentials it takes; none for what anyone may call. */
export const waysIn = ({ security = [{ bearer: [] }, { apiKey: [] }] }: Pick<ListedOperation, 'security'>): string[] =>
  security.flatMap(Object.keys)
