// A power must not outlive its revocation: every operation that changes something, by every class of
// credential, with a body that is held back until a revocation of each kind was answered by another process.
import { accessOf, isChange, type OperationId, operationIds, ProblemError } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { App } from '../../src/app.ts'
import { digest } from '../../src/vault/tokens.ts'
import { calls } from '../calls.ts'
import { type Framing, holdBody } from '../held-fetch.ts'
import { type Class, holderIn, losses, type PowerLoss } from '../power-losses.ts'
import { recordingOperations } from '../recording-operations.ts'
import { byPairs } from '../sampled.ts'
import { createSuite, type Suite, type Tenant } from '../suite.ts'
import { sql, type TestPerson } from '../world.ts'

let suite: Suite
let replica: App
beforeAll(async () => {
  suite = await createSuite()
  replica = await suite.world.replica()
})
afterAll(() => suite.stop())

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

/** Runs an operation with its body held back until `meanwhile` was done, and says how it ended. */
async function held(id: OperationId, kind: Class, framing: Framing, meanwhile: PowerLoss): Promise<{ ended: unknown; entries: number }> {
  const tenant = await suite.tenant()
  const run = await prepared(id, tenant)
  let attacker = await holderIn(tenant, kind)
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
