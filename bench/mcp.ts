// A tool call of an agent, beside the same operation over HTTP on the same service: a search, and a call to an ad system.
import { requestBytes } from './load.ts'
import { type Measure, rounded } from './measure.ts'
import { seedCalls } from './proxy.ts'
import { createBench, type RunningServer } from './setup.ts'
import { compare } from './sides.ts'

const CONNECTIONS = 16
const POOL = 10
const REVISION = '2026-07-28'
const LEAST = 0.8
/** As for the gateway: the tool runs through more code, which is compiled to the end only after many calls. */
const WARM = 15_000

export async function* mcp(): AsyncIterable<Measure> {
  const bench = await createBench()
  try {
    const vendor = (await bench.beside('vendor.ts', {})).url
    const { paths, key, path } = await seedCalls(bench, vendor)
    const server = await bench.beside('proxy-service.ts', { env: { ...bench.env, DATABASE_POOL: String(POOL) }, vendor })
    const [, orgSlug, workspaceSlug, id] = /organizations\/([^/]+)\/workspaces\/([^/]+)\/integrations\/([^/]+)/.exec(paths[0]!)!
    const integration = `${orgSlug}/${workspaceSlug}/${id}`
    yield* beside(server, key, 'a search', `/v1/organizations/${orgSlug}/integrations?limit=25`, 'find_integrations', {
      organization: orgSlug,
    })
    yield* beside(server, key, 'a call to an ad system', paths[0]!, 'read_ad_system', { integration, path })
  } finally {
    await bench.remove()
  }
}

async function* beside(
  server: RunningServer,
  key: string,
  what: string,
  path: string,
  tool: string,
  given: object,
): AsyncIterable<Measure> {
  const asked = { operation: requestBytes('GET', path, { 'x-api-key': key }), tool: toolCall(key, tool, given) }
  const sides = Object.entries(asked).map(([name, bytes]) => ({
    name,
    ...server,
    requests: Array.from({ length: CONNECTIONS }, () => [bytes]),
  }))
  const { of, ratio } = await compare(sides, { rounds: 12, seconds: 0.5, warmUpRequests: WARM, warmUpSeconds: 60 })
  for (const { name } of sides) {
    const { perSecond, cpuMicros, p50, p99 } = of(name)
    yield {
      what: `${what}, ${name}`,
      numbers: { perSecond: rounded(perSecond), cpuMicros: rounded(cpuMicros), p50: rounded(p50), p99: rounded(p99) },
    }
  }
  yield {
    what: `${what} by a tool, beside the operation`,
    numbers: { throughput: rounded(ratio('perSecond', 'tool', 'operation')), cpu: rounded(ratio('cpuMicros', 'tool', 'operation')) },
    bars: { throughput: { least: LEAST } },
  }
}

/** As a client of the newer revision sends it: everything in one request, and in its headers what a balancer would look for. */
const toolCall = (key: string, name: string, given: object): string =>
  requestBytes(
    'POST',
    '/mcp',
    {
      'x-api-key': key,
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name,
        arguments: given,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': REVISION,
          'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
  )
