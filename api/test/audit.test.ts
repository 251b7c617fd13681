import { isDeepStrictEqual } from 'node:util'
import { type AuditKind, declaration, isChange, type OperationId, operationIds, ProblemError } from '@adjoin/contract'
import { verifyAuditTrail } from '@adjoin/contract/audit-chain'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../furnishing/until.ts'
import { verbs } from '../src/features/index.ts'
import { calls } from './calls.ts'
import { type RecordingOperation, recordingOperations } from './recording-operations.ts'
import { createSuite, type Suite, type Tenant } from './suite.ts'
import { sql, type World } from './world.ts'

let suite: Suite
let world: World
beforeAll(async () => {
  suite = await createSuite()
  world = suite.world
})
afterAll(() => suite.stop())

const mounted = verbs({ draining: () => false, mailer: () => true, jobs: () => true }, { version: '', commit: '', builtAt: null })
const records = (id: OperationId) => {
  const kinds = declaration(id).records
  return Array.isArray(kinds) ? (kinds as AuditKind[]) : undefined
}
const recording = operationIds.filter((id) => records(id) && mounted[id]) as RecordingOperation[]

const written = async ({ organization }: Tenant) =>
  (
    await world.query<{ action: string }>(
      sql`select action from audit_entries where organization_id = ${organization.id} order by sequence`,
    )
  ).map(({ action }) => action)

/** Mails and other jobs of the preparations are done: from here on the tables stand still. */
const quiet = async () => {
  const due = () => world.query(sql`select from jobs where failed_at is null and run_at < now() + interval '1 minute'`)
  await until(due, ({ length }) => !length, 'the end of all jobs that are due')
}

describe('the contract', () => {
  it('says of every change what it records, or why nothing', () => {
    const silent = operationIds.filter((id) => isChange(id) && !declaration(id).records)
    expect(silent, 'declare `records` in contract/src/<group>.ts').toEqual([])
  })

  it('has a way to make every recorded change', () => {
    const missing = recording.filter((id) => !recordingOperations[id])
    expect(missing, 'add a row for each to a file in api/test/recording').toEqual([])
  })
})

describe('exactly one entry is written for a change, and none for a refused one', () => {
  it.each(recording)('%s', async (id) => {
    const tenant = await suite.tenant()
    const { run, refused, writes = records(id)! } = await recordingOperations[id](tenant)
    const before = await written(tenant)
    await run()
    expect((await written(tenant)).slice(before.length)).toEqual(writes)
    const refusal = await refused().catch((error) => error)
    if (declaration(id).redirect)
      expect(refusal).toMatchObject({ status: 302, location: expect.not.stringMatching(/connected|organizations/) })
    else expect(refusal, 'was not refused').toBeInstanceOf(ProblemError)
    expect((await written(tenant)).slice(before.length)).toEqual(writes)
  })
})

describe('what was written', () => {
  it('reads back member by member as it was hashed, so that a browser can verify a page of it', async () => {
    const trails = await world.query<{ slug: string; id: string; email: string; name: string }>(sql`
      select distinct on (o.id) o.slug, u.id, u.email, u.name from audit_entries e join organizations o on o.id = e.organization_id
      join members m on m.organization_id = e.organization_id and m.role = 'admin' join users u on u.id = m.user_id`)
    expect(trails.length).toBeGreaterThan(recording.length / 2)
    for (const { slug, id, email, name } of trails) {
      const { client } = await world.signIn(id, email, name)
      const { auditLogs } = await client.listAuditLogs({ orgSlug: slug, limit: 200 })
      expect(await verifyAuditTrail(auditLogs.toReversed())).toMatchObject({ outcome: 'intact', entries: auditLogs.length })
    }
  })
})

describe('nothing is written by an operation that says so, or only reads', () => {
  it.each(Object.keys(calls) as (keyof typeof calls)[])('%s', async (id) => {
    const tenant = await suite.tenant()
    const call = await calls[id](tenant)
    const before = await written(tenant)
    await call()
    expect(await written(tenant)).toEqual(before)
  })
})

describe('a change whose entry cannot be written is not made', () => {
  let operator: pg.Client
  let append: string
  beforeAll(async () => {
    operator = new pg.Client({ connectionString: world.config.databaseUrl! })
    await operator.connect()
    append = (await run("select pg_get_functiondef('append_audit_entry'::regproc) as text"))[0]!.text
  })
  afterAll(() => operator.end())
  const run = async (text: string) => (await operator.query(text)).rows
  const broken = `create or replace function append_audit_entry(organization uuid, content text, seen bigint, takes_power boolean) returns boolean language plpgsql as
    'begin raise exception ''the audit trail is full''; end'`

  it.each(recording)('%s', async (id) => {
    const { run: act } = await recordingOperations[id](await suite.tenant())
    await quiet()
    const before = await snapshot()
    await run(broken)
    const outcome = await act().then(
      (answer) => answer,
      (error) => `${error.status} ${error.code}`,
    )
    await run(append)
    const after = await snapshot()
    const touched = Object.keys(before).filter((table) => !isDeepStrictEqual(before[table], after[table]))
    expect(touched.map((table) => ({ [table]: [before[table], after[table]] }))).toEqual([])
    if (declaration(id).redirect) expect(outcome).toMatchObject({ location: expect.not.stringMatching(/connected|organizations/) })
    else expect(outcome).toBe('500 internal_error')
  })

  /**
   * Left out is what moves by itself or is counted (limits, times of use and of the next check),
   * and what is spent first on purpose: a one-time link, code or state stays spent whatever fails after it.
   */
  const MOVING: Record<string, string[]> = {
    sessions: ['last_used_at'],
    api_keys: ['last_request_at', 'last_request_ip'],
    integrations: ['leased_until', 'check_due_at', 'accounts_due_at', 'accounts_refreshed_at'],
    sign_in_links: ['used_at', 'code_attempts'],
    device_logins: ['polled_at', 'status'],
    calls: ['outcome', 'status', 'duration_ms', 'vendor_request_id'],
    webhooks: ['position', 'tries', 'refusals', 'failing_since', 'due_at', 'leased_until', 'last_failure_at', 'status_detail'],
  }
  const LEFT_OUT = [
    'integration_accounts',
    'limits',
    'waits',
    'processes',
    'call_usage',
    'tool_usage',
    'quota_days',
    'quota_people',
    'quota_shares',
    'organization_days',
    'provider_days',
    'schedules',
    'connect_visits',
    'spent_states',
    'webhook_deliveries',
  ]

  async function snapshot(): Promise<Record<string, string[]>> {
    const tables = await world.query<{ name: string }>(sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`)
    const shot: Record<string, string[]> = {}
    for (const { name } of tables.filter((table) => !LEFT_OUT.includes(table.name))) {
      const without = `'{${(MOVING[name] ?? []).join(',')}}'::text[]`
      const rows = await run(`select (to_jsonb(t) - ${without})::text as row from ${name} t order by 1`)
      // Nobody answers the webhooks of earlier cases, which is noticed beside.
      shot[name] = rows.map(({ row }) => (name === 'webhooks' ? row.replace('"status": "failing"', '"status": "active"') : row))
    }
    return shot
  }
})

describe('a change that is sent twice', () => {
  it('with one Idempotency-Key writes one entry', async () => {
    const tenant = await suite.tenant()
    const send = () => tenant.admin.createWorkspace(tenant.o, { name: 'Twice', slug: 'twice' }, { idempotencyKey: 'once' })
    expect(await send()).toEqual(await send())
    expect(await written(tenant)).toEqual(['workspace.created'])
  })
})
