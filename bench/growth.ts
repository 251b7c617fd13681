// The same reads with a hundred organizations and with ten thousand, side by side:
// what one of them asks must not depend on the others.
import { requestBytes } from './load.ts'
import { type Measure, rounded } from './measure.ts'
import { type Bench, createBench, type RunningServer } from './setup.ts'
import { compare } from './sides.ts'
import { type BenchTenant, BULK, fillDatabase, INTEGRATIONS } from './tenants.ts'

const ENTRIES = 100 // of each organization
const SIZES = { few: 100, many: 10_000 }
/** Few connections: what is compared is how long an answer takes, not how long it queues. */
const CONNECTIONS = 4
/** That each of them asks for, anywhere among all: the pages of one are not the pages of the next. */
const ASKED = 500

const READS: Record<string, (tenant: BenchTenant) => string> = {
  listIntegrations: () => '/workspaces/client-1/integrations',
  getIntegration: ({ integrationId }) => `/workspaces/client-1/integrations/${integrationId}`,
  listWorkspaces: () => '/workspaces',
  listOrganizationMembers: () => '/members',
  listApiKeys: () => '/api-keys',
  listAuditLogs: () => '/audit-logs',
}

export async function* growth(): AsyncIterable<Measure> {
  const bench = await createBench(BULK)
  try {
    const servers: Record<string, Grown> = {}
    for (const [name, organizations] of Object.entries(SIZES)) {
      const began = performance.now()
      servers[name] = await grow(bench, name, organizations)
      yield {
        what: `seeded, ${name}`,
        numbers: {
          organizations,
          integrations: organizations * INTEGRATIONS,
          entries: organizations * ENTRIES,
          seconds: Math.round((performance.now() - began) / 1000),
        },
      }
    }
    const { few, many } = servers as { few: Grown; many: Grown }
    for (const [read, path] of Object.entries(READS)) {
      const sides = Object.entries({ few, many }).map(([name, { server, tenants }]) => ({
        name,
        ...server,
        requests: Array.from({ length: CONNECTIONS }, () => Array.from({ length: ASKED }, () => asking(any(tenants), path))),
      }))
      const { of, ratio } = await compare(sides, { rounds: 16, seconds: 0.25, warmUpSeconds: 1 })
      yield {
        what: `${read}, milliseconds`,
        numbers: { few: rounded(of('few').p50), many: rounded(of('many').p50), ratio: rounded(ratio('p50', 'many', 'few')) },
        bars: { ratio: { most: 1.5 } },
      }
    }
  } finally {
    await bench.remove()
  }
}

const any = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!

const asking = (tenant: BenchTenant, path: (tenant: BenchTenant) => string) =>
  requestBytes('GET', `/v1/organizations/${tenant.slug}${path(tenant)}`, { 'x-api-key': tenant.key })

interface Grown {
  readonly server: RunningServer
  readonly tenants: BenchTenant[]
}

/** A database of its own on the same server, and a service on it. */
async function grow(bench: Bench, name: string, organizations: number): Promise<Grown> {
  const tenants = await fillDatabase(bench, { organizations, entries: ENTRIES }, name)
  return { tenants, server: await bench.adjoin({ DATABASE_URL: bench.database.url().replace(/[^/]+$/, name) }) }
}
