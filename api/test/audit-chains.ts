// Audit trails for tests: written by the same function as the real ones,
// or, where only their size matters, by one statement.
import { randomUUID } from 'node:crypto'
import { linesOf, type TrailVerdict, type VerifyOptions, verifyAuditTrail } from '@adjoin/contract/audit-chain'
import pg from 'pg'
import { sql, type TestOrganization, type World } from './world.ts'

/** The content of an entry, with what a test wants to be different. */
export const content = (change: Record<string, unknown> = {}) => ({
  id: randomUUID(),
  action: 'workspace.updated',
  outcome: 'success',
  actor: { type: 'user', id: randomUUID(), email: 'grace@agency.example', name: 'Grace', keyPrefix: null },
  target: { type: 'workspace', id: randomUUID(), name: 'Client' },
  workspace: { slug: 'client', name: 'Client' },
  changes: [{ field: 'name', from: 'Old', to: 'Client' }],
  context: { via: 'session', ip: '10.0.0.1', userAgent: 'test', requestId: randomUUID() },
  metadata: {},
  ...change,
})

export async function append(world: World, { id }: Pick<TestOrganization, 'id'>, ...contents: object[]): Promise<void> {
  for (const one of contents) await world.query(sql`select append_audit(${id}, ${JSON.stringify(one)})`)
}

/**
 * A long trail, too long to be chained in a test: its hashes are zeros.
 * Every 20,000th entry is of `rare`, all others of `common`.
 */
export async function fill(world: World, { id }: TestOrganization, count: number, rare: object, common: object = content()): Promise<void> {
  // One without the service's time-outs.
  const client = new pg.Client({ connectionString: world.config.databaseUrl! })
  await client.connect()
  await client.query(
    `insert into audit_entries (organization_id, sequence, created_at, content, previous_hash, hash)
     select $1, n, '2026-01-01'::timestamptz + n * interval '1 second', case when n % 20000 = 1 then $2 else $3 end, '\\x', '\\x'
     from generate_series(1, $4::bigint) n`,
    [id, JSON.stringify(rare), JSON.stringify(common), count],
  )
  await client.query('update audit_heads set sequence = $1 where organization_id = $2', [count, id])
  await client.query('vacuum analyze audit_entries')
  await client.end()
}

/** Exports the whole trail over HTTP and checks it as the command line does. */
export async function verified(organization: TestOrganization, options: VerifyOptions = {}): Promise<TrailVerdict> {
  const response = await organization.admin.client.exportAuditLogs({ orgSlug: organization.slug })
  return verifyAuditTrail(linesOf(response.body!), options)
}
