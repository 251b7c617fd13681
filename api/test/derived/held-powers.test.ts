// A power must not outlive its revocation: every operation that changes something, by every class of
// credential, with a body that is held back until a revocation of each kind was answered by another process.
import { accessOf, isChange, type OperationId, operationIds, ProblemError } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { App } from '../../src/app.ts'
import type { Caller } from '../../src/call.ts'
import { digest } from '../../src/vault/tokens.ts'
import { calls } from '../calls.ts'
import { type Framing, holdBody } from '../held-fetch.ts'
import { recordingOperations } from '../recording-operations.ts'
import { byPairs } from '../sampled.ts'
import { createSuite, type Suite, type Tenant } from '../suite.ts'
import { sql, type TestKey, type TestPerson } from '../world.ts'

type Class = Caller['class']

/** Who attacks: an admin with a session, or a key of an admin's. */
interface Attacker {
  readonly person: TestPerson
  readonly key: TestKey | undefined
  readonly headers: Record<string, string>
}

let suite: Suite
let replica: App
beforeAll(async () => {
  suite = await createSuite()
  replica = await suite.world.replica()
})
afterAll(() => suite.stop())

type PowerLoss = (tenant: Tenant, attacker: Attacker) => Promise<unknown>

const elsewhere = async ({ world }: Tenant, { id, email, name }: TestPerson) => (await world.signIn(id, email, name)).client
const demoted: PowerLoss = ({ admin, o }, { person }) => admin.updateOrganizationMember({ ...o, userId: person.id }, { role: 'viewer' })
const removed: PowerLoss = ({ admin, o }, { person }) => admin.removeOrganizationMember({ ...o, userId: person.id })
const everywhere: PowerLoss = async (tenant, { person }) => (await elsewhere(tenant, person)).signOutEverywhere()
const sessionEnded: PowerLoss = async (tenant, { person }) => {
  const [session] = await tenant.world.query<{ id: string }>(sql`select id from sessions where token_hash = ${digest(person.token)}`)
  await (await elsewhere(tenant, person)).revokeMySession({ id: session!.id })
}
/** The fifty-first sign-in ends the session that was used longest ago. */
const crowdedOut: PowerLoss = async (tenant, { person }) => {
  await tenant.world.query(sql`insert into sessions (token_hash, user_id, method, last_used_at)
    select sha256(convert_to(gen_random_uuid()::text, 'utf8')), ${person.id}, 'magic-link', now() + interval '1 minute' from generate_series(1, 49)`)
  const { deviceCode, userCode } = await tenant.world.client().startDeviceLogin({})
  await (await elsewhere(tenant, person)).approveDeviceLogin({ userCode })
  await tenant.world.client().pollDeviceLogin({ deviceCode })
}
const keyRevoked: PowerLoss = ({ admin, o }, { key }) => admin.revokeApiKey({ ...o, id: key!.id })
const keyDisabled: PowerLoss = async (tenant, { person, key }) =>
  (await elsewhere(tenant, person)).disableApiKey({ ...tenant.o, id: key!.id })
const keyRotated: PowerLoss = async (tenant, { person, key }) =>
  (await elsewhere(tenant, person)).rotateApiKey({ ...tenant.o, id: key!.id }, {})

/**
 * The ways to lose a power, by class of credential.
 * Outside of an organization only the session itself can be lost.
 */
const losses: Record<Class, Record<string, PowerLoss>> = {
  session: { everywhere, sessionEnded, crowdedOut, demoted, removed },
  userKey: { keyRevoked, keyDisabled, keyRotated, demoted, removed },
  organizationKey: { keyRevoked, keyDisabled, keyRotated },
  workspaceKey: { keyRevoked, keyDisabled, keyRotated, demoted, removed },
}
const outside = new Set(['everywhere', 'sessionEnded', 'crowdedOut'])

/** Every change that somebody must be allowed to make. No GET waits for a body. */
const guarded = operationIds.filter((id) => accessOf(id) && isChange(id))

const all = guarded.flatMap((id) => {
  const row = accessOf(id)!
  return (Object.keys(losses) as Class[])
    .filter((kind) => row[kind] !== '-')
    .flatMap((kind) =>
      Object.entries(losses[kind])
        .filter(([name]) => row.in !== 'platform' || outside.has(name))
        .map(([name, lose]) => ({ id, kind, name, lose })),
    )
})
/** In the quick run: every operation once, and every loss by every class of credential. */
const cells = byPairs(all, ({ id, kind, name }) => [id, `${kind} ${name}`])

/** Prepared with the organization's own admin, ready to be run by anyone. */
const prepared = async (id: OperationId, tenant: Tenant): Promise<() => Promise<unknown>> =>
  id in recordingOperations
    ? (await recordingOperations[id as keyof typeof recordingOperations](tenant)).run
    : calls[id as keyof typeof calls](tenant)

async function attackerIn({ world, organization, workspace }: Tenant, kind: Class): Promise<Attacker> {
  const person = await world.join(organization, 'admin')
  if (kind === 'session') return { person, key: undefined, headers: person.headers }
  const level = kind.replace('Key', '') as 'user' | 'organization' | 'workspace'
  const role = level === 'user' ? {} : { role: 'admin' as const }
  const key = await world.key(organization, { level, ...role, ...(level === 'workspace' && { workspace }), creator: person })
  return { person, key, headers: key.headers }
}

/** Runs an operation with its body held back until `meanwhile` was done, and says how it ended. */
async function held(id: OperationId, kind: Class, framing: Framing, meanwhile: PowerLoss): Promise<{ ended: unknown; entries: number }> {
  const tenant = await suite.tenant()
  const run = await prepared(id, tenant)
  let attacker = await attackerIn(tenant, kind)
  const found = Promise.withResolvers<void>()
  const body = holdBody(framing, (url, headers) => {
    const { pathname, search } = new URL(url)
    // Outside of an organization the operation is about the person who calls: that one is robbed.
    if (accessOf(id)!.in === 'platform') attacker = { ...attacker, headers: pick(headers) }
    const path = id === 'rotateApiKey' && kind === 'workspaceKey' ? pathname.replace(/[^/]+(?=\/rotate$)/, attacker.key!.id) : pathname
    found.resolve()
    return { url: `${replica.url}${path}${search}`, headers: { ...without(headers), ...attacker.headers } }
  })
  const seen = suite.world.statements.length
  vi.stubGlobal('fetch', body.fetch)
  const ended = run().catch((error: unknown) => error)
  await found.promise
  vi.unstubAllGlobals()
  await body.sent
  // Who calls has been found out, and nothing else yet.
  await vi.waitUntil(
    () => suite.world.statements.slice(seen).some((text) => /from (sessions s|api_keys k join users)\b/.test(text)),
    20_000,
  )
  const person = accessOf(id)!.in === 'platform' ? await holderOf(tenant, attacker.headers) : attacker.person
  const [head] = await suite.world.query<{ sequence: number }>(
    sql`select coalesce(max(sequence), 0) as sequence from audit_entries where organization_id = ${tenant.organization.id}`,
  )
  await meanwhile(tenant, { ...attacker, person })
  body.release()
  const outcome = await ended
  const [{ entries }] = (await suite.world.query<{ entries: number }>(sql`select count(*)::int as entries from audit_entries
    where organization_id = ${tenant.organization.id} and sequence > ${head!.sequence} + 1
      and actor_id in (${attacker.key?.id ?? person.id}, ${person.id})`)) as [{ entries: number }]
  return { ended: outcome, entries }
}

const pick = ({ authorization }: Record<string, string>) => ({ authorization: authorization! })
const without = ({ authorization: _, 'x-api-key': __, ...headers }: Record<string, string>) => headers

async function holderOf({ world }: Tenant, { authorization }: Record<string, string>): Promise<TestPerson> {
  const token = authorization!.slice('Bearer '.length)
  const [row] = await world.query<{ id: string; email: string; name: string }>(
    sql`select u.id, u.email, u.name from sessions s join users u on u.id = s.user_id where s.token_hash = ${digest(token)}`,
  )
  return { ...(await world.signIn(row!.id, row!.email, row!.name)), token }
}

describe('without a revocation a held body is taken', () => {
  it.each(guarded.map((id) => ({ id })))('$id', async ({ id }) => {
    const kind = (Object.keys(losses) as Class[]).find((one) => accessOf(id)![one] !== '-')!
    const { ended } = await held(id, kind, 'length', async () => {})
    expect(ended).not.toBeInstanceOf(Error)
  })
})

describe('after a revocation was answered', () => {
  it.each(cells)('$id by $kind, $name', async ({ id, kind, lose }) => {
    const framing = cells.findIndex((cell) => cell.id === id && cell.kind === kind && cell.lose === lose) % 2 ? 'chunked' : 'length'
    const { ended, entries } = await held(id, kind, framing, lose)
    // Of many at once each is refused in the answer: that nothing was recorded says so.
    if (id !== 'bulkIntegrations' || ended instanceof Error) {
      expect(ended).toBeInstanceOf(ProblemError)
      expect([401, 403, 404]).toContain((ended as ProblemError).status)
    }
    expect(entries, 'entries of the attacker after the revocation').toBe(0)
  })
})
