// The list over all workspaces among 500 integrations and among 20,000 with seven million checks, side by side in one service.
import pg from 'pg'
import { requestBytes } from './load.ts'
import { type Measure, rounded } from './measure.ts'
import { type Bench, createBench } from './setup.ts'
import { compare } from './sides.ts'
import { type BenchTenant, BULK, fillDatabase } from './tenants.ts'

const SIZES = { few: { workspaces: 13, integrations: 500 }, many: { workspaces: 500, integrations: 20_000 } }
const CHECKS = 350 // of each integration: 90 days of one every six hours
const DAYS = 90
const CONNECTIONS = 2

const PAGES: Record<string, string> = {
  'by need': '/integrations?limit=50',
  'by name': '/integrations?limit=50&sort=name',
  'by workspace': '/integrations?limit=50&sort=workspace',
  'by status': '/integrations?limit=50&sort=status',
  'by the end of access': '/integrations?limit=50&sort=grantEndsAt',
}

export async function* overview(): AsyncIterable<Measure> {
  const bench = await createBench(BULK)
  try {
    const began = performance.now()
    const [few, many] = (await fillDatabase(bench, { organizations: 2, entries: 1 })) as [BenchTenant, BenchTenant]
    await fill(bench, few, SIZES.few)
    await fill(bench, many, SIZES.many)
    yield {
      what: 'seeded',
      numbers: { integrations: 20_500, checks: 20_500 * CHECKS, seconds: Math.round((performance.now() - began) / 1000) },
    }
    const server = await bench.adjoin()
    const asking = ({ slug, key }: BenchTenant, path: string) =>
      requestBytes('GET', `/v1/organizations/${slug}${path}`, { 'x-api-key': key })
    for (const [name, path] of Object.entries(PAGES)) {
      const sides = Object.entries({ few, many }).map(([size, tenant]) => ({
        name: size,
        ...server,
        requests: Array.from({ length: CONNECTIONS }, () => [asking(tenant, path)]),
      }))
      const { of, ratio } = await compare(sides, { rounds: 12, seconds: 0.5, warmUpRequests: 200, warmUpSeconds: 2 })
      yield {
        what: `a page of 50 ${name}, milliseconds`,
        numbers: { few: rounded(of('few').p50), many: rounded(of('many').p50), ratio: rounded(ratio('p50', 'many', 'few')) },
        bars: { ratio: { most: 1.5 } },
      }
    }
    yield await alone(
      'counts of 20,000, milliseconds',
      `${server.url}/v1/organizations/${many.slug}/integrations?limit=1&counts=true`,
      many,
      60,
    )
    yield await alone('a search among 20,000, milliseconds', `${server.url}/v1/organizations/${many.slug}/integrations?q=sohne+brand`, many)
    yield await alone('health of 30 days, milliseconds', `${server.url}/v1/organizations/${many.slug}/health`, many)
  } finally {
    await bench.remove()
  }
}

/** One after the other: what one person waits for. */
async function alone(what: string, url: string, { key }: BenchTenant, most?: number): Promise<Measure> {
  const times: number[] = []
  for (let i = 0; i < 40; i++) {
    const began = performance.now()
    const answer = await fetch(url, { headers: { 'x-api-key': key } })
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`)
    times.push(performance.now() - began)
  }
  const p50 = times.toSorted((a, b) => a - b)[20]!
  return { what, numbers: { p50: rounded(p50) }, ...(most && { bars: { p50: { most } } }) }
}

async function fill({ database }: Bench, { id }: BenchTenant, { workspaces, integrations }: (typeof SIZES)['few']): Promise<void> {
  const client = new pg.Client(database.connection)
  await client.connect()
  const run = (text: string) => client.query(text, [id])
  try {
    await client.query('set session_replication_role = replica')
    await run(`delete from integrations where organization_id = $1`)
    await run(
      `insert into workspaces (organization_id, slug, name) select $1, 'large-' || n, 'Söhne ' || n from generate_series(1, ${workspaces}) n`,
    )
    await run(`insert into integrations (organization_id, workspace_id, provider, name, status, status_detail, status_reason, connected_account, connected_at,
        grant_ends_at, grant_end, settings)
      select $1, w.ids[n % ${workspaces} + 1], (array['google_ads', 'meta_ads', 'xandr', 'criteo'])[n % 4 + 1], 'Campaigns ' || n || ' brand',
        case when n % 25 = 0 then 'error' when n % 10 = 0 then 'pending' when n % 33 = 0 then 'disabled' else 'active' end,
        case when n % 25 = 0 then 'Connect again.' end, case when n % 25 = 0 then 'grant_revoked' end, 'Account ' || n, now(),
        case when n % 3 = 0 then now() + n % 400 * interval '1 day' end, case when n % 3 = 0 then 'known' else 'never' end, '{}'
      from generate_series(1, ${integrations}) n,
        (select array_agg(id) as ids from workspaces where organization_id = $1 and slug like 'large-%') w`)
    await run(`insert into integration_days (organization_id, integration_id, day, verified, rejected, unreachable)
      select $1, i.id, current_date - d, 4, 0, 0 from integrations i, generate_series(0, ${DAYS - 1}) d where i.organization_id = $1`)
    for (let from = 0; from < CHECKS; from += 50)
      await run(`insert into integration_checks (organization_id, integration_id, kind, outcome, status, duration_ms, checked_at)
        select $1, i.id, 'check', 'verified', 'active', 120, now() - c * interval '6 hours'
        from integrations i, generate_series(${from}, ${from + 49}) c where i.organization_id = $1`)
    await run(`insert into organization_days select $1, current_date - d, 1, 2, 3 from generate_series(1, ${DAYS}) d`)
    await run(
      `insert into provider_days select $1, current_date - d, p, 100, 1 from generate_series(1, ${DAYS}) d, unnest(array['google_ads', 'meta_ads']) p`,
    )
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}
