// Calls to an ad system through the gateway, beside a bare proxy with the same statements and a pipe.
import { readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '../api/src/app.ts'
import { readConfig } from '../api/src/config.ts'
import { sealCredential } from '../api/src/features/integrations/credential.ts'
import { credentialOf } from '../api/src/providers/provider.ts'
import { signUpAgency } from '../furnishing/front-door.ts'
import { requestBytes } from './load.ts'
import { type Measure, rounded } from './measure.ts'
import { type Bench, createBench, type RunningServer } from './setup.ts'
import { compare, median } from './sides.ts'

/** Six calls of one key run at once through an integration. */
const INTEGRATIONS = 4
const CONNECTIONS = 16
const POOL = 10
const PATH = 'v25/customers:listAccessibleCustomers'
/** A call runs through much more code than the bare side: it is compiled to the end only after some ten thousand calls. */
const WARM = 25_000
const GIBIBYTE = 2 ** 30
const ROUNDS = 5

export async function* proxy(): AsyncIterable<Measure> {
  const bench = await createBench()
  try {
    const vendor = (await bench.beside('vendor.ts', {})).url
    const { paths, key, texts, organization } = await seedCalls(bench, vendor)
    const env = { ...bench.env, DATABASE_POOL: String(POOL) }
    const buckets = [`integration-${organization}`, `organization-${organization}`]
    const servers = {
      adjoin: await bench.beside('proxy-service.ts', { env, vendor }),
      bare: await bench.beside('bare-proxy.ts', { connection: bench.database.connection, max: POOL, texts, buckets, vendor }),
    }
    const headers = { 'x-api-key': key }
    const bodies = await Promise.all(Object.values(servers).map(async ({ url }) => (await fetch(url + paths[0], { headers })).text()))
    yield {
      what: 'bytes of the answer, the same from both',
      numbers: { bytes: bodies[0]!.length, statements: texts.length },
      good: bodies[0] === bodies[1] && bodies[0]!.length > 9000,
    }

    const requests = Array.from({ length: CONNECTIONS }, (_, n) => [requestBytes('GET', paths[n % paths.length]!, headers)])
    const sides = Object.entries(servers).map(([name, server]) => ({ name, requests, ...server }))
    const { of, ratio } = await compare(sides, { rounds: 16, seconds: 0.5, warmUpRequests: WARM, warmUpSeconds: 90 })
    for (const { name } of sides) {
      const { perSecond, cpuMicros, p50, p99 } = of(name)
      yield {
        what: name,
        numbers: { perSecond: rounded(perSecond), cpuMicros: rounded(cpuMicros), p50: rounded(p50), p99: rounded(p99) },
      }
    }
    yield {
      what: 'beside a bare proxy',
      numbers: { throughput: rounded(ratio('perSecond', 'adjoin', 'bare')), cpu: rounded(ratio('cpuMicros', 'adjoin', 'bare')) },
      bars: { throughput: { least: 0.85, aim: 0.95 }, cpu: { most: 1.35, aim: 1.15 } },
    }
    yield* large(servers, paths[0]!, headers)
  } finally {
    await bench.remove()
  }
}

/** By turns; the memory of a side is what its process held at most beyond what it held before the first of them. */
async function* large(
  servers: Record<'adjoin' | 'bare', RunningServer>,
  path: string,
  headers: Record<string, string>,
): AsyncIterable<Measure> {
  const idle = new Map(Object.values(servers).map((server) => [server, memoryOf(server.pids[0]!, 'VmRSS')]))
  const passed = async (server: RunningServer, bytes: number) => {
    const { pids } = server
    await sleep(500)
    writeFileSync(`/proc/${pids[0]}/clear_refs`, '5') // the peak is counted from here
    const began = performance.now()
    const read = await drained(`${server.url}${path}?bytes=${bytes}`, headers)
    if (read !== bytes) throw new Error(`${read} of ${bytes} bytes came`)
    return { perSecond: bytes / 1e6 / ((performance.now() - began) / 1000), megabytes: memoryOf(pids[0]!, 'VmHWM') - idle.get(server)! }
  }
  const taken = { adjoin: [], bare: [], quarter: [] } as Record<string, Awaited<ReturnType<typeof passed>>[]>
  for (const server of Object.values(servers)) await passed(server, GIBIBYTE / 4) // code is compiled
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of round % 2 ? (['bare', 'adjoin'] as const) : (['adjoin', 'bare'] as const))
      taken[name]!.push(await passed(servers[name], GIBIBYTE))
    taken.quarter!.push(await passed(servers.adjoin, GIBIBYTE / 4))
  }
  const middle = (name: string, figure: 'perSecond' | 'megabytes') => median(taken[name]!.map((one) => one[figure]))
  for (const name of ['adjoin', 'bare'])
    yield {
      what: `1 GiB through ${name}`,
      numbers: { megabytesPerSecond: rounded(middle(name, 'perSecond')), peakMegabytes: rounded(middle(name, 'megabytes')) },
    }
  const speeds = taken.adjoin!.map(({ perSecond }, round) => perSecond / taken.bare![round]!.perSecond)
  yield {
    what: '1 GiB through, scrubbed, beside a bare pipe',
    numbers: {
      speed: rounded(median(speeds)),
      moreMegabytes: rounded(middle('adjoin', 'megabytes') - middle('bare', 'megabytes')),
      moreThanAQuarter: rounded(middle('adjoin', 'megabytes') - middle('quarter', 'megabytes')),
    },
    bars: { speed: { least: 0.8 }, moreMegabytes: { most: 20 }, moreThanAQuarter: { most: 20 } },
  }
}

const memoryOf = (pid: number, what: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`^${what}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024

const drained = (url: string, headers: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url, { headers, agent: false }, (answer) => {
      let bytes = 0
      answer.on('data', (chunk: Buffer) => (bytes += chunk.length))
      answer.on('end', () => resolve(bytes)).on('error', reject)
    }).on('error', reject)
  })

/** Connected integrations, and the statements of one call through them. */
export async function seedCalls(bench: Bench, vendor: string) {
  const sent: string[] = []
  const app = await startApp(readConfig({ ...bench.env, PORT: '0' }), {
    onStatement: (text) => sent.push(text),
    sandbox: { url: vendor, close: async () => {} },
  })
  try {
    const { client, slug: orgSlug } = await signUpAgency(app.url, 'bench')
    await client.createWorkspace({ orgSlug }, { name: 'Client', slug: 'client' })
    const { id: organization } = await client.getOrganization({ orgSlug })
    const paths: string[] = []
    for (let i = 0; i < INTEGRATIONS; i++) {
      const made = await client.createIntegration(
        { orgSlug, workspaceSlug: 'client' },
        { provider: 'google_ads', name: `Search ${i}`, settings: { customerId: '1234567890' } },
      )
      const owner = { organization_id: organization, workspace_id: made.workspaceId, id: made.id }
      const credential = credentialOf(
        {},
        {
          accessToken: `ya29.${'aB3-'.repeat(40)}${i}`,
          accessExpiresAt: '2100-01-01T00:00:00.000Z',
          refreshToken: `1//${'xY7_'.repeat(20)}${i}`,
        },
      )
      await bench.database.operator(`update integrations set status = 'active', connected_at = now(), credential_version = 1,
        credential = '${sealCredential(app.parts, owner, credential)}' where id = '${made.id}'`)
      paths.push(`/v1/organizations/${orgSlug}/workspaces/client/integrations/${made.id}/proxy/${PATH}`)
    }
    await bench.database.operator('delete from connect_links')
    const { key } = await client.createApiKey({ orgSlug }, { name: 'bench', level: 'organization', role: 'member' })
    const call = async () => (await fetch(app.url + paths[0], { headers: { 'x-api-key': key } })).text()
    let texts: string[] = []
    // Jobs and last uses write beside the request: its own are those that two runs in a row agree on.
    for (let before = ''; !texts.length || texts.join() !== before; ) {
      before = texts.join()
      sent.length = 0
      await call()
      texts = [...sent]
    }
    return { paths, key, texts, organization, path: PATH }
  } finally {
    await app.stop()
  }
}
