// How tests call the tools for agents: with the protocol's own client, or with one request as it is on the wire.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import { request } from './world.ts'

export interface ToolResult {
  readonly content: { type: string; text: string }[]
  readonly structuredContent?: Record<string, unknown>
  readonly isError?: boolean
}

export const REVISIONS = { modern: '2026-07-28', legacy: '2025-11-25' } as const

/** A client of one revision, as an agent would have it. */
export async function agent(url: string, headers: Record<string, string>, revision: keyof typeof REVISIONS = 'modern'): Promise<Client> {
  const mode = revision === 'legacy' ? ('legacy' as const) : { pin: REVISIONS.modern }
  const client = new Client({ name: 'test-agent', version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
  onTestFinished(() => client.close())
  return client
}

/** One message, and whatever comes back. */
export const post = (url: string, headers: Record<string, string>, message: unknown, more: Record<string, string> = {}) =>
  request(`${url}/mcp`, {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers, ...more },
    body: JSON.stringify(message),
  })

export async function callTool(url: string, headers: Record<string, string>, name: string, given: object) {
  const answer = await post(url, headers, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } })
  const { result } = answer.json<{ result?: ToolResult }>()
  return {
    status: answer.status,
    result,
    code: refusalCode(result) ?? (answer.status === 200 ? undefined : answer.json<{ code?: string }>().code),
  }
}

/** The code that a refused tool names. */
export const refusalCode = (result: ToolResult | undefined): string | undefined =>
  result?.isError ? /^Refused \((\w+)\)/.exec(result.content[0]!.text)?.[1] : undefined
