// MCP over standard input and output, passed on to the service message by message: the tools are the service's, and so are their rules.

import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { userAgent } from './context.ts'
import { joined, safe } from './terminal.ts'

export interface BridgeOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly input: Readable
  /** One message; on the wire a line. */
  readonly write: (message: object) => void
  readonly fetch?: typeof fetch
}

interface Message {
  readonly id?: string | number
  readonly method?: string
  readonly params?: {
    readonly name?: unknown
    readonly uri?: unknown
    readonly requestId?: unknown
    readonly _meta?: Readonly<Record<string, unknown>>
  }
}

const VERSION = 'io.modelcontextprotocol/protocolVersion'
const INTERNAL_ERROR = -32_603
const PARSE_ERROR = -32_700

/** Returns when the client has closed its end and everything that it asked is answered. */
export async function bridge({ url, headers, input, write, fetch: send = fetch }: BridgeOptions): Promise<void> {
  /** As agreed on at the handshake, by clients that have one. */
  let agreed: string | undefined
  const running = new Map<unknown, AbortController>()
  const under = new Set<Promise<void>>()

  const answer = async (message: Message): Promise<void> => {
    const controller = new AbortController()
    if (message.id !== undefined) running.set(message.id, controller)
    try {
      const response = await send(`${url}/mcp`, {
        method: 'POST',
        headers: {
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          'user-agent': userAgent,
          ...headers,
          ...standardHeaders(message, agreed),
        },
        body: JSON.stringify(message),
        signal: controller.signal,
        redirect: 'manual',
      })
      const text = await response.text()
      if (message.id === undefined) return
      const reply = replyOf(text) ?? { jsonrpc: '2.0', error: { code: INTERNAL_ERROR, message: problemIn(text, response.status) } }
      if (message.method === 'initialize') agreed = versionIn(reply)
      write({ ...reply, id: message.id })
    } catch (error) {
      if (controller.signal.aborted || message.id === undefined) return
      const cause = (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).message
      const unreachable = `Can’t reach Adjoin at ${url} (${cause}). Is the service running there?`
      write({ jsonrpc: '2.0', id: message.id, error: { code: INTERNAL_ERROR, message: unreachable } })
    } finally {
      running.delete(message.id)
    }
  }

  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (!line.trim()) continue
    const message = parsed(line)
    if (!message) write({ jsonrpc: '2.0', id: null, error: { code: PARSE_ERROR, message: 'This is not a JSON-RPC message.' } })
    else if (message.method === 'notifications/cancelled') running.get(message.params?.requestId)?.abort()
    else {
      const done = answer(message).finally(() => under.delete(done))
      under.add(done)
      // The version that all that follows is sent with.
      if (message.method === 'initialize') await done
    }
  }
  await Promise.all(under)
}

/** What the protocol wants to have in headers as well, so that nobody has to read a body to route it. */
function standardHeaders({ method, params }: Message, agreed: string | undefined): Record<string, string> {
  const claimed = params?._meta?.[VERSION]
  if (typeof claimed !== 'string') return agreed && method !== 'initialize' ? { 'mcp-protocol-version': agreed } : {}
  const name = params?.name ?? params?.uri
  return {
    'mcp-protocol-version': inHeader(claimed),
    'mcp-method': inHeader(method ?? ''),
    ...(typeof name === 'string' && { 'mcp-name': inHeader(name) }),
  }
}

const inHeader = (text: string): string =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`

function parsed(line: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(line)
    return typeof message === 'object' && message !== null && !Array.isArray(message) ? (message as Message) : undefined
  } catch {
    return undefined
  }
}

function replyOf(text: string): Record<string, unknown> | undefined {
  const reply = parsed(text) as Record<string, unknown> | undefined
  return reply && 'jsonrpc' in reply ? reply : undefined
}

const versionIn = ({ result }: Record<string, unknown>): string | undefined =>
  (result as { protocolVersion?: string } | undefined)?.protocolVersion

/** A refusal before the protocol: the credential, a limit, an overload. */
function problemIn(text: string, status: number): string {
  const { detail } = (parsed(text) ?? {}) as { detail?: string }
  const login = status === 401 ? [safe`Run \`adjoin login\`, or set ADJOIN_API_KEY.`] : []
  return joined([safe`${detail ?? `This does not look like an Adjoin server (it answered ${status}). Check the address.`}`, ...login], ' ')
    .safe
}
