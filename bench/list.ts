// Reading the integrations of a workspace by API key, beside a bare server that runs the same statements.

import { signUpAgency } from '../furnishing/front-door.ts'
import { requestBytes } from './load.ts'
import { type Measure, rounded } from './measure.ts'
import { type Bench, createBench, type PreparedService } from './setup.ts'
import { compare } from './sides.ts'

const INTEGRATIONS = 10
const CONNECTIONS = 16
const POOL = 10

export async function* list(): AsyncIterable<Measure> {
  const bench = await createBench()
  try {
    const { path, key, statements } = await bench.prepare((service) => seed(bench, service))
    const env = { DATABASE_POOL: String(POOL) }
    const input = { connection: bench.database.connection, max: POOL, identify: statements[0], list: statements[1] }
    const servers = {
      adjoin: await bench.adjoin(env),
      bare: await bench.beside('bare-list.ts', input),
      logging: await bench.adjoin({ ...env, LOG_LEVEL: 'info' }),
    }
    const bodies = await Promise.all(
      Object.values(servers).map(async ({ url }) => (await fetch(url + path, { headers: { 'x-api-key': key } })).text()),
    )
    yield {
      what: `bytes of the answer, the same from all of them`,
      numbers: { bytes: bodies[0]!.length, integrations: JSON.parse(bodies[0]!).integrations.length },
      good: bodies.every((body) => body === bodies[0]),
    }

    const requests = Array.from({ length: CONNECTIONS }, () => [requestBytes('GET', path, { 'x-api-key': key })])
    const sides = Object.entries(servers).map(([name, server]) => ({ name, requests, ...server }))
    const { of, ratio } = await compare(sides, { rounds: 24, seconds: 0.5 })
    for (const { name } of sides) {
      const { perSecond, cpuMicros, p50, p99 } = of(name)
      yield {
        what: name,
        numbers: { perSecond: rounded(perSecond), cpuMicros: rounded(cpuMicros), p50: rounded(p50), p99: rounded(p99) },
      }
    }
    yield {
      what: 'beside the bare server',
      numbers: { throughput: rounded(ratio('perSecond', 'adjoin', 'bare')), cpu: rounded(ratio('cpuMicros', 'adjoin', 'bare')) },
      bars: { throughput: { least: 0.85, aim: 0.95 }, cpu: { most: 1.35, aim: 1.15 } },
    }
    yield {
      what: 'with a log line for every request',
      numbers: { throughput: rounded(ratio('perSecond', 'logging', 'bare')), cpu: rounded(ratio('cpuMicros', 'logging', 'bare')) },
      bars: { throughput: { least: 0.85, aim: 0.92 }, cpu: { most: 1.35, aim: 1.2 } },
    }
  } finally {
    await bench.remove()
  }
}

/** Connected integrations, as they are for most of their lives: a sealed credential and no link. */
export async function seed(
  bench: Bench,
  { url, statements }: PreparedService,
): Promise<{ path: string; key: string; statements: string[] }> {
  const { client, slug: orgSlug } = await signUpAgency(url, 'bench')
  await client.createWorkspace({ orgSlug }, { name: 'Client', slug: 'client' })
  const at = { orgSlug, workspaceSlug: 'client' }
  for (let i = 1; i <= INTEGRATIONS; i++)
    await client.createIntegration(at, {
      provider: 'google_ads',
      name: `Search campaigns ${i}`,
      settings: { customerId: String(1234567890 + i) },
    })
  await bench.database.operator('delete from connect_links')
  await bench.database.operator(`update integrations set status = 'active', status_checked_at = now(), connected_at = now(),
    connected_account = 'ads@agency.example', credential = 'v1.bench.' || repeat('A', 500)`)
  const { key } = await client.createApiKey({ orgSlug }, { name: 'bench', level: 'organization', role: 'member' })
  const path = `/v1/organizations/${orgSlug}/workspaces/client/integrations`
  return { path, key, statements: await statements(() => fetch(url + path, { headers: { 'x-api-key': key } })) }
}
