// The service's own description of itself, as it serves it:
// where requests are made from, and what answers are held against.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

export interface DescribedSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly DescribedSchema[]
  readonly oneOf?: readonly DescribedSchema[]
  readonly properties?: Readonly<Record<string, DescribedSchema>>
  readonly required?: readonly string[]
  readonly items?: DescribedSchema
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
}
interface DescribedResponse {
  readonly $ref?: string
  readonly description: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<Record<string, { schema: DescribedSchema }>>
}
export interface DescribedOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly { name: string; in: string; schema: DescribedSchema }[]
  readonly body: DescribedSchema | undefined
  readonly responses: Readonly<Record<string, DescribedResponse>>
}
export interface ApiDescription {
  readonly operations: readonly DescribedOperation[]
  /** What a reference stands for. */
  resolve(schema: DescribedSchema): DescribedSchema
  /** Which operation a request line means, if any. */
  find(method: string, path: string): DescribedOperation | undefined
  /**
   * What the document says of an answer: which media types, and which refusals.
   * Undefined: it does not mention the status.
   */
  described(operation: DescribedOperation, status: number): { types: string[]; codes: string[] } | undefined
  /** What is wrong with a body, if anything. */
  faults(operation: DescribedOperation, status: number, type: string, body: unknown): string | undefined
  problemFaults(body: unknown): string | undefined
  entryFaults(body: unknown): string | undefined
}

type Raw = {
  paths: Record<
    string,
    Record<string, Omit<DescribedOperation, 'id' | 'method' | 'path' | 'body'> & { operationId: string; requestBody?: RawBody }>
  >
  components: { schemas: Record<string, DescribedSchema>; responses: Record<string, DescribedResponse> }
}
type RawBody = { content: { 'application/json'?: { schema: DescribedSchema } } }

const FORMATS = {
  date: /^\d{4}-\d\d-\d\d$/,
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  email: /^[^\s@]+@[^\s@]+$/,
}
const pointer = (...parts: string[]) =>
  `#/${parts.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('+', '%2B')).join('/')}`

export async function readDocument(url: string): Promise<ApiDescription> {
  const raw = (await (await fetch(`${url}/openapi.json`)).json()) as Raw
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true, formats: FORMATS })
  ajv.addVocabulary(['openapi', 'info', 'servers', 'security', 'tags', 'paths', 'webhooks', 'components'])
  ajv.addSchema(raw, 'adjoin', false, false)
  const compiled = new Map<string, ValidateFunction>()
  const against = (at: string, body: unknown): string | undefined => {
    const check = compiled.get(at) ?? ajv.getSchema(`adjoin${at}`)!
    compiled.set(at, check)
    return check(body) ? undefined : ajv.errorsText(check.errors)
  }
  const operations = Object.entries(raw.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, parameters, requestBody, responses }]): DescribedOperation => {
      const body = requestBody?.content['application/json']?.schema
      return { id: operationId, method: method.toUpperCase(), path, parameters, body, responses }
    }),
  )
  // A router takes an empty word for a parameter too, and leaves it to the schema to refuse it.
  const patterns = operations
    .map((operation) => ({
      operation,
      pattern: new RegExp(
        `^${operation.path
          .replaceAll('.', '\\.')
          .replace(/\{path\}$/, '.*')
          .replace(/\{\w+\}/g, '[^/]*')}$`,
      ),
    }))
    // A fixed word wins over a parameter.
    .sort((a, b) => a.operation.path.split('{').length - b.operation.path.split('{').length)
  const responseOf = ({ responses }: DescribedOperation, status: number): DescribedResponse | undefined => {
    const response = responses[status]
    return response?.$ref ? raw.components.responses[response.$ref.split('/').at(-1)!] : response
  }
  return {
    operations,
    resolve: (schema) => (schema.$ref ? raw.components.schemas[schema.$ref.split('/').at(-1)!]! : schema),
    find: (method, path) => patterns.find(({ operation, pattern }) => operation.method === method && pattern.test(path))?.operation,
    described(operation, status) {
      const response = responseOf(operation, status)
      if (!response) return undefined
      const codes = status < 400 ? [] : [...response.description.matchAll(/`(\w+)`/g)].map(([, code]) => code!)
      return { types: Object.keys(response.content ?? {}), codes }
    },
    faults({ path, method, responses }, status, type, body) {
      const at = responses[status]?.$ref ?? pointer('paths', path, method.toLowerCase(), 'responses', String(status))
      return against(`${at}${pointer('content', type, 'schema').slice(1)}`, body)
    },
    problemFaults: (body) => against('#/components/schemas/Problem', body),
    entryFaults: (body) => against('#/components/schemas/AuditEntry', body),
  }
}
