// The ordinary call of a tool, answered without the SDK, which would take as long for its envelope as the operation takes for its work.
// What is not exactly as clients send it every day is the SDK's: it knows what to refuse, and how.

export interface ToolAnswer {
  readonly text: string
  /** What `text` is written from, where it is not a sentence. */
  readonly structured: Record<string, unknown> | undefined
  readonly isError: boolean
}

export interface DirectCall {
  readonly id: string | number
  readonly name: string
  readonly given: unknown
  readonly modern: boolean
}

export type ProtocolHeaders = Readonly<Record<string, string | string[] | undefined>>

const MODERN = '2026-07-28'
const LEGACY = ['2025-11-25', '2025-06-18']
const META = 'io.modelcontextprotocol/'

/** Undefined: the SDK looks at it. */
export function directCall(headers: ProtocolHeaders, body: object): DirectCall | undefined {
  const { jsonrpc, id, method, params, ...others } = body as Record<string, unknown>
  if (jsonrpc !== '2.0' || method !== 'tools/call' || Object.keys(others).length || !isObject(params)) return undefined
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return undefined
  const { name, arguments: given, _meta: meta = {}, ...more } = params
  if (typeof name !== 'string' || Object.keys(more).length || !isObject(meta) || (given !== undefined && !isObject(given))) return undefined
  if (!/application\/json/.test(String(headers.accept)) || !/text\/event-stream/.test(String(headers.accept))) return undefined
  const call = { id: id as string | number, name, given }
  if (isModern(headers, name, meta)) return { ...call, modern: true }
  const claims = Object.keys(meta).some((key) => key.startsWith(META)) || headers['mcp-method'] !== undefined
  return !claims && LEGACY.includes(String(headers['mcp-protocol-version'])) ? { ...call, modern: false } : undefined
}

/** The envelope is whole, names nothing else, and says what the headers say. */
const isModern = (headers: ProtocolHeaders, name: string, meta: Record<string, unknown>): boolean =>
  headers['mcp-protocol-version'] === MODERN &&
  headers['mcp-method'] === 'tools/call' &&
  headers['mcp-name'] === name &&
  meta[`${META}protocolVersion`] === MODERN &&
  isObject(meta[`${META}clientCapabilities`]) &&
  isClient(meta[`${META}clientInfo`]) &&
  Object.keys(meta).every((key) => ['protocolVersion', 'clientCapabilities', 'clientInfo'].some((known) => key === META + known))

const isClient = (info: unknown): boolean =>
  info === undefined || (isObject(info) && typeof info.name === 'string' && typeof info.version === 'string')

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** As the SDK writes it; what is structured is written once. */
export function directAnswer({ id, modern }: DirectCall, { text, structured, isError }: ToolAnswer, server: string): string {
  const parts = [
    `"content":[{"type":"text","text":${JSON.stringify(text)}}]`,
    ...(structured ? [`"structuredContent":${text}`] : []),
    ...(isError ? ['"isError":true'] : []),
    ...(modern ? [`"resultType":"complete","_meta":{"${META}serverInfo":${server}}`] : []),
  ]
  return `{"result":{${parts.join(',')}},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`
}
