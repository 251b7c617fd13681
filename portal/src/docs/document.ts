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
  example?: unknown
  examples?: unknown[]
  additionalProperties?: OpenApiSchema | boolean
}
export type Examples = { example?: unknown; examples?: Record<string, { value?: unknown }> }
export type Parameter = Examples & {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: OpenApiSchema
}
export type Content = Record<string, Examples & { schema?: OpenApiSchema }>
export type DocumentedResponse = {
  $ref?: string
  description?: string
  headers?: Record<string, { description?: string }>
  content?: Content
}
export type DocumentedAccess = Record<'in' | 'session' | 'userKey' | 'organizationKey' | 'workspaceKey', string> & { grants?: boolean }
export type DocumentedLimit = { by: string; limit: number; seconds: number }
export type DocumentedOperation = {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, DocumentedResponse>
  'x-access'?: DocumentedAccess
  'x-records'?: string[]
  'x-limits'?: DocumentedLimit[]
}
export type OpenApiDocument = {
  info: { title: string; version: string; summary?: string; description?: string }
  servers?: { url: string; description?: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, DocumentedOperation>>
  components: { schemas: Record<string, OpenApiSchema>; responses: Record<string, DocumentedResponse> }
}
export type ListedOperation = DocumentedOperation & { method: string; path: string }

export const entriesOf = ({ paths }: OpenApiDocument): ListedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )

/** The schema itself, with the name it goes by. */
export function resolved(document: OpenApiDocument, schema: OpenApiSchema): OpenApiSchema & { named?: string } {
  if (!schema.$ref) return schema
  const named = schema.$ref.split('/').at(-1)!
  return { ...resolved(document, document.components.schemas[named] ?? {}), named }
}

export const alternatives = ({ anyOf, oneOf }: OpenApiSchema) => anyOf ?? oneOf ?? []

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

/** The credentials it takes; none for what anyone may call. */
export const waysIn = ({ security = [{ bearer: [] }, { apiKey: [] }] }: Pick<ListedOperation, 'security'>): string[] =>
  security.flatMap(Object.keys)

/** A browser is sent there and sent on: nothing that a program calls. */
export const isBrowserFlow = ({ responses }: ListedOperation): boolean => '302' in responses

/** The rest of the path is the ad system's own, and so is the body. */
export const isPassedOn = ({ path }: Pick<ListedOperation, 'path'>): boolean => path.endsWith('/{path}')

export const bodySchemaOf = ({ requestBody }: ListedOperation): OpenApiSchema | undefined =>
  requestBody?.content['application/json']?.schema

/** What it answers with when all is well: status, and the schema if there is a body. */
export function successOf({ responses }: ListedOperation): [status: string, DocumentedResponse][] {
  return Object.entries(responses).filter(([status]) => /^[23]/.test(status))
}

export const groupTitle = (name: string): string =>
  name === 'api-keys' ? 'API keys' : name === 'infra' ? 'Service' : name.charAt(0).toUpperCase() + name.slice(1)
