import { accessOf, isChange, type OperationId, operationIds } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sweep } from '../../src/features/infra/sweep.ts'
import { createFullTenant, idParameters, send } from '../full-tenant.ts'
import { spreadStatements } from '../plans.ts'
import { onCitus } from '../test-database.ts'
import { createWorld, onTestFinished, refusal, sql, type World } from '../world.ts'

/** Statements that may look across organizations, each by something unique in its text, with the reason. */
const allowed: [text: string, reason: string][] = [
  ['where s.token_hash = ', 'who calls: a session is found by its hash, and shows what it may see of the organization the path names'],
  ['from api_keys k join users', 'who calls: a key is found by its hash, and brings its organization along'],
  [
    'i.email = (select email from users',
    'invitations to an address are found by that address: its holder belongs to none of these organizations yet',
  ],
  ['from invitations where email = ', 'an address that somebody invited may get an account'],
  ['select organization_id from members where user_id = ', 'what a person does is told in each of their organizations'],
  ['select organization_id, id from integrations where', 'what is due next is looked for over all organizations, and taken in each'],
  ['select organization_id, id from revocations where', 'the same'],
  ['select h.organization_id, h.id from webhooks h', 'the same'],
  [
    'expired_noted_at is null and l.expires_at',
    'what ends by time is found by its time, whosever it is, and then told of in its organization',
  ],
  ['k.expiring_noted is null', 'the same'],
  ['i.expiring_noted is null', 'the same'],
  ['i.access_noted is null', 'the same'],
  ['where i.access_until <= ', 'the same'],
  ['where r.remind_at <= ', 'the same'],
  [
    'select organization_id from connect_requests where greatest(',
    'the sweep finds what ended long ago, whosever it was, and removes it in each organization',
  ],
  [
    'select organization_id from invitations where greatest(closed_at',
    'the sweep finds what ended long ago, whosever it was, and removes it in each organization',
  ],
  ['select split_part(', 'a start counts what each key of the ring has sealed'],
  ['select organization_id from integration_checks where checked_at', 'the same'],
  ['select organization_id from integration_days where day <', 'the same'],
  ['select organization_id from organization_days where day <', 'the same'],
  ['select organization_id from provider_days where day <', 'the same'],
  ['insert into organization_days', 'how the day went is kept for every organization, each by itself'],
  ['insert into provider_days', 'the same'],
  ['select distinct n.organization_id, n.user_id from notices n', 'the mails of the day are found for everybody, and made one by one'],
  ['select organization_id from calls where at <', 'the same'],
  ['select organization_id from webhook_deliveries where at <', 'the same'],
  ['select organization_id from revocations where ends_at', 'the same'],
  ['select organization_id from call_usage where hour', 'the same'],
  ['select organization_id from tool_usage where hour', 'the same'],
  ['select organization_id from call_handles where expires_at', 'the same'],
]

/** They have an organization, but count over all of them, or lead to it. */
const global = ['directory', 'quota_shares', 'waits']

let world: World
let tables: Set<string>
beforeAll(async () => {
  world = await createWorld({ limitsFactor: 10_000 })
  const rows = await world.query<{ name: string }>(
    sql`select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'organization_id'`,
  )
  tables = new Set(rows.map(({ name }) => name).filter((name) => !global.includes(name)))
})
afterAll(() => world.stop())

const KEYWORDS = new Set(
  'as cross for from full group inner join left limit natural on order returning right set union using values where'.split(' '),
)

/**
 * The tenant tables of a statement that no parameter ties to one organization.
 * A column `organization_id` is tied by being equal to a parameter, or to a column that is.
 */
function untied(text: string): string[] {
  const sources = [...text.matchAll(/\b(from|join|update|into|using)\s+(\w+)(?:\s+(?:as\s+)?(\w+))?/gi)].map(([, verb, table, next]) => ({
    verb: verb!.toLowerCase(),
    table: table!.toLowerCase(),
    alias: next && !KEYWORDS.has(next.toLowerCase()) ? next.toLowerCase() : undefined,
  }))
  const isKey = (node: string) =>
    /^\$\d+$/.test(node) ||
    /(^|\.)organization_id$/.test(node) ||
    sources.some(({ table, alias }) => table === 'organizations' && node === `${alias ?? table}.id`)
  const pairs = [...text.toLowerCase().matchAll(/([\w.$]+)\s*=\s*([\w.$]+)/g)]
    .map(([, a, b]) => [a!, b!])
    .filter((pair) => pair.every(isKey))
  const tied = new Set<string>()
  for (let size = -1; size < tied.size; ) {
    size = tied.size
    for (const [a, b] of [...pairs, ...pairs.map(([a, b]) => [b, a])]) if (a!.startsWith('$') || tied.has(a!)) tied.add(b!)
  }
  return sources
    .filter(({ verb, table, alias }) => {
      if (!tables.has(table)) return false
      if (verb === 'into') return !new RegExp(`into\\s+${table}[^(]*\\([^)]*\\borganization_id\\b`, 'i').test(text)
      return !(alias ? tied.has(`${alias}.organization_id`) : tied.has('organization_id') || tied.has(`${table}.organization_id`))
    })
    .map(({ table }) => table)
}

/**
 * Some changes need a state that one request cannot have made;
 * what they are refused with comes after their statements.
 */
const refusals: { [Id in OperationId]?: number } = {
  verifyIntegration: 409, // never connected
  refreshIntegrationAccounts: 409,
  proxyGet: 409,
  proxyPost: 409,
  proxyPut: 409,
  proxyPatch: 409,
  proxyDelete: 409,
}

const authenticated = operationIds.filter((id) => accessOf(id))
const ofTenants = authenticated.filter((id) => accessOf(id)!.in !== 'platform')

/** Sends each of these operations once, with an organization of its own if it changes something; what reads, with every credential that may. */
async function sendEach(world: World, ids: readonly OperationId[]): Promise<void> {
  const reader = await createFullTenant(world)
  for (const id of ids) {
    const row = accessOf(id)!
    const accepted = (['session', 'organizationKey', 'userKey', 'workspaceKey'] as const).filter((one) => row[one] !== '-')
    for (const of of isChange(id) ? accepted.slice(0, 1) : accepted) {
      const tenant = isChange(id) ? await createFullTenant(world) : reader
      const { userCode } = await world.client().startDeviceLogin({})
      const values = { userCode, ...Object.fromEntries(idParameters(id).map(({ name, path }) => [name, tenant.things[path]!])) }
      const { headers } = of === 'session' ? tenant.organization.admin : tenant.keys[of]
      const answer = await send(world.url, id, headers, values)
      // If it were refused too early, its statements would not have been seen.
      if (of === accepted[0]) expect([id, answer.status < 400 ? 'done' : answer.status], answer.text).toEqual([id, refusals[id] ?? 'done'])
    }
  }
}

describe('a statement on a tenant’s table', () => {
  it('is judged as it should be', () => {
    expect(untied('select 1 from members m where m.organization_id = $1')).toEqual([])
    expect(untied('select 1 from members where organization_id = $1 and user_id = $2')).toEqual([])
    expect(untied('select 1 from members where user_id = $1')).toEqual(['members'])
    expect(untied('select 1 from members m join organizations o on o.id = m.organization_id where m.user_id = $1')).toEqual(['members'])
    expect(
      untied('select 1 from members m join workspaces w on w.organization_id = m.organization_id where m.organization_id = $1'),
    ).toEqual([])
    expect(untied('select 1 from members m join workspaces w on w.id = $2 where m.organization_id = $1')).toEqual(['workspaces'])
    expect(untied('update invitations set status = $1 where id = $2')).toEqual(['invitations'])
    expect(untied('insert into members (user_id) values ($1)')).toEqual(['members'])
    expect(untied('insert into members as m (organization_id, user_id) values ($1, $2)')).toEqual([])
  })

  it('carries the organization, in every operation, or has its reason on the list', async () => {
    await sendEach(world, authenticated)
    await sweep(world.app.parts)
    const tenant = await createFullTenant(world)
    const { integrations } = await tenant.organization.admin.client.listIntegrations({
      orgSlug: tenant.organization.slug,
      workspaceSlug: tenant.workspace.slug,
    })
    await world.client().getConnectLink({ token: integrations[0]!.connectLink!.connectUrl.split('/').at(-1)! })
    await refusal(world.client().getInvitation({ token: 'unknown' }))
    for (const email of ['nobody@nowhere.example', `new@${tenant.organization.domain}`]) {
      await world.client().sendSignInLink({ email })
      const token = /#token=([\w-]{43})/.exec((await world.mails(email))[0]!.text)?.[1]
      if (token) await world.client().verifySignIn({ token })
    }
    // A process that stops writes its times of last use.
    const process = await world.start()
    await world.client(tenant.keys.userKey.headers, process.url).getOrganization({ orgSlug: tenant.organization.slug })
    await process.stop()

    const texts = new Set([...world.statements, ...world.looks])
    const loose = [...texts].filter((text) => untied(text).length)
    const unexplained = loose.filter((text) => !allowed.some(([part]) => text.includes(part)))
    expect(unexplained).toEqual([])
    // On several servers callers are identified in two statements, each of which knows where to look.
    const idle = allowed.filter(([part, reason]) => !loose.some((text) => text.includes(part)) && !(onCitus() && /^who calls/.test(reason)))
    expect(idle, 'reasons that no statement needs any more').toEqual([])
    expect(texts.size).toBeGreaterThan(150)
  })
  it('names its organization in every request of a tenant, without exception, where organizations are on several servers', async () => {
    const sharded = await createWorld({ limitsFactor: 10_000, roles: { api: true, jobs: false } })
    onTestFinished(() => sharded.stop())
    sharded.app.parts.db.sharded = true
    sharded.statements.length = 0
    await sendEach(sharded, ofTenants)
    const texts = new Set(sharded.statements)
    expect([...texts].filter((text) => untied(text).length)).toEqual([])
    expect(texts.size).toBeGreaterThan(120)
    if (!onCitus()) return
    const sent = [...texts].map((text) => [text, sharded.samples.get(text)!] as const)
    expect(await spreadStatements(sharded.config.databaseUrl!, sent)).toEqual([])
  })
})
