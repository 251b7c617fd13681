// The real binary as an agent starts it, by the protocol's own client; and what the bridge does where something is missing.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { connectIntegration } from '../../../api/test/connected-integration.ts'
import { createWorld, type TestKey, type World } from '../../../api/test/world.ts'
import { bridge } from '../../src/mcp-bridge.ts'

const BIN = fileURLToPath(new URL('../../bin/adjoin.mjs', import.meta.url))
let world: World
let key: TestKey
const home = mkdtempSync(join(tmpdir(), 'adjoin-mcp-'))
beforeAll(async () => {
  world = await createWorld()
  const organization = await world.organization()
  const workspace = await world.workspace(organization)
  await connectIntegration({ world, organization, workspace }, 'google_ads')
  key = await world.key(organization, { level: 'organization', role: 'viewer' })
})
afterAll(() => world.stop())

const environment = (more: Record<string, string> = {}) => ({ PATH: process.env.PATH!, HOME: home, ADJOIN_URL: world.url, ...more })

/** What the command prints, and how it ends. */
async function run(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [BIN, ...args], { env: environment(env) })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  child.stdin.end()
  const [code] = await once(child, 'close')
  return { code, out, err }
}

describe('adjoin mcp', () => {
  it.each([['legacy' as const], [{ pin: '2026-07-28' }]])('serves an agent for the key in the environment (%j)', async (mode) => {
    const client = new Client({ name: 'test-agent', version: '1.0.0' }, { versionNegotiation: { mode } })
    onTestFinished(() => client.close())
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [BIN, 'mcp'], env: environment({ ADJOIN_API_KEY: key.key }) }),
    )
    expect((await client.listTools()).tools.length).toBeGreaterThan(5)
    const found = await client.callTool({ name: 'find_integrations', arguments: {} })
    expect(found.structuredContent).toMatchObject({ integrations: [{ provider: 'google_ads', status: 'active' }] })
    const refused = await client.callTool({ name: 'search_audit_trail', arguments: {} })
    expect(refused.isError).toBe(true)
  })

  it('says what to do without a login', async () => {
    const { code, out, err } = await run(['mcp'])
    expect([code, out]).toEqual([3, ''])
    expect(err).toContain('adjoin login')
  })

  it('prints settings for clients, without the credential', async () => {
    const { code, out } = await run(['mcp', '--print-config', '--json'], { ADJOIN_API_KEY: key.key })
    expect(code).toBe(0)
    expect(out).not.toContain(key.key)
    const configs = JSON.parse(out) as { config: Record<string, { adjoin: object }> }[]
    expect(configs.map(({ config }) => Object.values(config)[0]!.adjoin)).toEqual([
      { command: 'adjoin', args: ['mcp', '--url', world.url] },
      { type: 'stdio', command: 'adjoin', args: ['mcp', '--url', world.url] },
      { type: 'http', url: `${world.url}/mcp`, headers: { 'x-api-key': 'YOUR_KEY' } },
    ])
    expect((await run(['mcp', '--print-config'])).out).toContain('"mcpServers"')
  })
})

describe('the bridge', () => {
  const exchange = async (lines: string[], headers: Record<string, string>, send?: typeof fetch, url = world.url) => {
    const input = new PassThrough()
    const written: Record<string, unknown>[] = []
    const done = bridge({ url, headers, input, write: (message) => written.push(message as never), ...(send && { fetch: send }) })
    input.end(lines.map((line) => `${line}\n`).join(''))
    await done
    return written
  }
  const ping = (id: number) => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })

  it('answers every request, and tells what is no message', async () => {
    const written = await exchange([ping(1), 'nonsense', '', '[1]', ping(2)], key.headers)
    expect(written.map(({ id }) => id).sort()).toEqual([1, 2, null, null].sort())
    expect(written.find(({ id }) => id === 2)).toMatchObject({ result: {} })
  })

  it('tells of a credential that is not accepted, and of a service that is not there', async () => {
    const [refused] = await exchange([ping(1)], { 'x-api-key': 'adj_wrong' })
    expect(refused).toMatchObject({ id: 1, error: { message: expect.stringContaining('malformed') } })
    const [nobody] = await exchange([ping(1)], {}, undefined, 'http://127.0.0.1:9')
    expect(nobody).toMatchObject({ id: 1, error: { message: expect.stringContaining('Can’t reach Adjoin') } })
  })

  it('gives up what the agent has canceled', async () => {
    const held = ((_: string, { signal }: { signal: AbortSignal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))) as unknown as typeof fetch
    const canceled = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } })
    expect(await exchange([ping(7), canceled], {}, held)).toEqual([])
  })
})
