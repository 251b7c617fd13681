// Creating an integration, by bearer since no key may (the change, its sealed link and its audit entry
// in one transaction), beside a bare server that runs the same statements in the same transaction.
// The writes of one organization queue for the head of its audit trail, so every connection writes
// to an organization of its own; what the queue costs when all write to one is a figure beside it.
import { signUpAgency } from '../furnishing/front-door.ts'
import type { BareWrite } from './bare-write.ts'
import { requestBytes } from './load.ts'
import { type Measure, rounded } from './measure.ts'
import { createBench, type PreparedService } from './setup.ts'
import { compare, type Side } from './sides.ts'

const CONNECTIONS = 16
const POOL = 10
/** A workspace holds 1000 integrations: a slice fills several, and all are emptied before the next. */
const WORKSPACES = ['north', 'south', 'east', 'west']

export async function* write(): AsyncIterable<Measure> {
  const bench = await createBench()
  try {
    const { tenants, texts } = await bench.prepare(seed)
    const servers = {
      adjoin: await bench.adjoin({ DATABASE_POOL: String(POOL) }),
      bare: await bench.beside('bare-write.ts', { connection: bench.database.connection, max: POOL, texts } satisfies BareWrite),
    }
    const connections = Array.from({ length: CONNECTIONS }, (_, i) => i)
    const sides: Side[] = Object.entries(servers).flatMap(([name, server]) => [
      { name, ...server, requests: connections.map((i) => asking(tenants[i]!)) },
      { name: `${name}, one organization`, ...server, requests: connections.map(() => asking(tenants[0]!)) },
    ])
    const { of, ratio } = await compare(sides, { before: () => bench.database.operator('truncate integrations cascade').then(() => {}) })
    for (const { name } of sides) {
      const { perSecond, cpuMicros, p50, p99 } = of(name)
      yield {
        what: name,
        numbers: { perSecond: rounded(perSecond), cpuMicros: rounded(cpuMicros), p50: rounded(p50), p99: rounded(p99) },
      }
    }
    yield {
      what: 'beside bare SQL',
      numbers: { throughput: rounded(ratio('perSecond', 'adjoin', 'bare')), cpu: rounded(ratio('cpuMicros', 'adjoin', 'bare')) },
      bars: { throughput: { least: 0.7 } },
    }
    const [one, bareOne] = ['adjoin, one organization', 'bare, one organization']
    yield { what: 'beside bare SQL, one organization', numbers: { throughput: rounded(ratio('perSecond', one, bareOne)) } }
    const [counted] = await bench.database.operator<{ changes: number; entries: number }>(`select
      (select count(*)::int from integrations) as changes,
      (select count(*)::int from audit_entries e join integrations i
        on i.organization_id = e.organization_id and e.content::jsonb->'target'->>'id' = i.id::text) as entries`)
    yield {
      what: 'what the last slice left behind',
      numbers: { ...counted! },
      good: counted!.changes > 0 && counted!.changes === counted!.entries,
    }
  } finally {
    await bench.remove()
  }
}

interface WriteTenant {
  readonly slug: string
  readonly token: string
}

const BODY = { provider: 'google_ads', name: 'Search campaigns', settings: { customerId: '1234567890' } }
const pathOf = (slug: string, workspace: string) => `/v1/organizations/${slug}/workspaces/${workspace}/integrations`

const asking = ({ slug, token }: WriteTenant) =>
  WORKSPACES.map((workspace) => requestBytes('POST', pathOf(slug, workspace), { authorization: `Bearer ${token}` }, BODY))

async function seed({ url, statements }: PreparedService): Promise<{ tenants: WriteTenant[]; texts: BareWrite['texts'] }> {
  const tenants: WriteTenant[] = []
  for (let i = 0; i < CONNECTIONS; i++) {
    const { client, slug, token } = await signUpAgency(url, `bench-${i}`)
    for (const workspace of WORKSPACES) await client.createWorkspace({ orgSlug: slug }, { name: workspace, slug: workspace })
    tenants.push({ slug, token })
  }
  const [{ slug, token }] = tenants as [WriteTenant]
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const sent = await statements(() => fetch(url + pathOf(slug, WORKSPACES[0]!), { method: 'POST', headers, body: JSON.stringify(BODY) }))
  const [identify, begin, lock, count, insert, audit, commit] = sent as [string, ...string[]]
  if (begin !== 'begin' || commit !== 'commit') throw new Error(`the transaction has another shape now:\n${sent.join('\n')}`)
  return { tenants, texts: { identify, lock: lock!, count: count!, insert: insert!, audit: audit! } }
}
