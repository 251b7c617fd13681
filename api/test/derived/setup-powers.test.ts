// What the visit of a client may still do afterwards ends with what it rests on: before it asks, and while the ad system is asked.
import { createServer, connect as dial, type Socket } from 'node:net'
import { pipeline, Transform } from 'node:stream'
import type { ProviderId } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stories } from '../provider-stories.ts'
import { inTurns } from '../sampled.ts'
import { PUBLIC, tokenOf } from '../suite.ts'
import { createWorld, newAddress, request, sql, type World } from '../world.ts'

/** Stands before the ad systems: what was sent to them waits until it is let through. */
let held: { sent: PromiseWithResolvers<void>; release: PromiseWithResolvers<void> } | undefined
async function startGate(twins: string) {
  const { port } = new URL(twins)
  const sockets = new Set<Socket>()
  const server = createServer((inner) => {
    const outer = dial(Number(port), '127.0.0.1')
    const gate = new Transform({
      transform(chunk, _, pass) {
        held?.sent.resolve()
        void (held?.release.promise ?? Promise.resolve()).then(() => pass(null, chunk))
      },
    })
    sockets.add(inner)
    pipeline(inner, gate, outer, inner, () => sockets.delete(inner))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, close }
}

let world: World
beforeAll(async () => {
  // Without jobs: what the background asks of ad systems would be what the gate holds.
  world = await createWorld({ limitsFactor: 1000, roles: { api: true, jobs: false } }, {}, startGate)
})
afterAll(() => world.stop())

const anyone = () => world.client({ 'x-forwarded-for': newAddress() })

/** An item of a request that its client has just given access to, without what its door adds. */
async function visited(provider: ProviderId, settings: Record<string, string> = {}) {
  const organization = await world.organization()
  const workspace = await world.workspace(organization)
  const admin = organization.admin.client
  const o = { orgSlug: organization.slug }
  const w = { ...o, workspaceSlug: workspace.slug }
  const consent = async ({ passedOn = false } = {}) => {
    const made = await admin.createConnectRequest(w, { title: 'Your ad accounts', items: [{ provider, settings }] })
    const item = { token: tokenOf(made.connectUrl!), itemId: made.items[0]!.id }
    const fields = stories[provider].fields('plausible') as Record<string, string>
    const place = { ...w, id: made.items[0]!.integrationId }
    if (passedOn) {
      const token = tokenOf((await anyone().passOnConnectItem(item)).connectUrl)
      return { at: { ...w, requestId: made.id }, place, result: (await anyone().submitConnectCredentials({ token }, fields)).result }
    }
    if (provider === 'magnite')
      return { at: { ...w, requestId: made.id }, place, result: (await anyone().submitConnectItemCredentials(item, fields)).result }
    const { authorizationUrl } = await anyone().startConnectItemOAuth(item, fields)
    const there = await fetch(`${authorizationUrl}&decision=allow`, { redirect: 'manual' })
    const { headers } = await request(there.headers.get('location')!.replace(PUBLIC, world.url))
    return { at: { ...w, requestId: made.id }, place, result: headers.get('location')!.split('#result=')[1]! }
  }
  return { admin, o, w, consent }
}
type Place = Awaited<ReturnType<typeof visited>>
type Visit = Awaited<ReturnType<Place['consent']>>

interface Door extends Place {
  readonly visit: Visit
  readonly act: () => Promise<unknown>
  /** The integration that it would bring to work. */
  readonly target: string
}

const settingsOf = (id: ProviderId) => stories[id].settings as Record<string, string>
const submitting = async (by: { passedOn: boolean }): Promise<Door> => {
  const place = await visited('magnite')
  const visit = await place.consent(by)
  const act = () => anyone().submitConnectSettings({ result: visit.result }, settingsOf('magnite'))
  return { ...place, visit, target: visit.place.id, act }
}

/** What can be done with the result of a visit. */
const doors: Record<string, () => Promise<Door>> = {
  submitConnectSettings: () => submitting({ passedOn: false }),
  'submitConnectSettings, by a link that was passed on': () => submitting({ passedOn: true }),
  chooseConnectAccount: async () => {
    const place = await visited('google_ads')
    const visit = await place.consent()
    await place.admin.refreshIntegrationAccounts(visit.place)
    return {
      ...place,
      visit,
      target: visit.place.id,
      act: () => anyone().chooseConnectAccount({ result: visit.result }, { accountId: '1234567890' }),
    }
  },
  renewWithSameLogin: async () => {
    const place = await visited('google_ads', { customerId: '1234567890' })
    const [other, visit] = [await place.consent(), await place.consent()]
    const target = other.place.id
    await world.query(sql`update integrations set status = 'error', status_reason = 'grant_revoked', check_due_at = now() + interval '1 day'
      where id = ${target}`)
    const act = async () => {
      const { results } = await anyone().renewWithSameLogin({ result: visit.result }, { integrationIds: [target] })
      if (results.every(({ outcome }) => outcome !== 'connected')) throw new Error('not renewed')
    }
    return { ...place, visit, target, act }
  },
}

/** What it rests on, and how that ends. */
const ends: Record<string, (door: Door) => Promise<unknown>> = {
  'its request is canceled': ({ admin, visit }) => admin.cancelConnectRequest(visit.at),
  'its request is renewed': ({ admin, visit }) => admin.renewConnectRequest(visit.at, {}),
  'the link of its request expires': ({ visit }) =>
    world.query(sql`update connect_requests set expires_at = now() where id = ${visit.at.requestId}`),
  'the organization is frozen': ({ admin, o }) => admin.freezeOrganization(o, { reason: 'A key leaked' }),
  'the integration is disabled': ({ admin, visit }) => admin.disableIntegration(visit.place),
  'the integration is deleted': ({ admin, visit }) => admin.deleteIntegration(visit.place),
  'the client disconnects': async ({ visit }) => {
    const { receiptUrl } = await anyone().getConnectResult({ result: visit.result })
    await anyone().disconnectByReceipt({ token: tokenOf(receiptUrl!) })
  },
  'the workspace is deleted': ({ admin, w }) => admin.deleteWorkspace({ ...w, force: 'true' }),
}

const works = async ({ target }: Door) => {
  const [row] = await world.query<{ status: string }>(sql`select status from integrations where id = ${target}`)
  return row?.status === 'active'
}

describe.each(Object.keys(doors).map((name, turn) => [name, turn] as const))('%s', (name, turn) => {
  // The request of what is renewed by the same login is complete: it cannot be renewed itself.
  const ways = Object.keys(ends).filter((end) => name !== 'renewWithSameLogin' || end !== 'its request is renewed')

  it('brings it to work while all that lasts', async () => {
    const door = await doors[name]!()
    await door.act()
    expect(await works(door)).toBe(true)
  })

  it.each(inTurns(ways, 3, turn))('does nothing once %s', async (end) => {
    const door = await doors[name]!()
    await ends[end]!(door)
    await expect(door.act()).rejects.toThrow()
    expect(await works(door)).toBe(false)
  })

  it.each(inTurns(ways, 3, turn))('keeps nothing where %s while the ad system is asked', async (end) => {
    const door = await doors[name]!()
    const now = { sent: Promise.withResolvers<void>(), release: Promise.withResolvers<void>() }
    held = now
    const acted = door.act().catch(() => {})
    await now.sent.promise
    held = undefined
    const ended = ends[end]!(door)
    // What ends the very integration that is checked may wait for that check.
    await (door.target === door.visit.place.id ? Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 3000))]) : ended)
    now.release.resolve()
    // What waits for a running check comes after it, and ends what it kept.
    await Promise.all([acted, ended])
    expect(await works(door)).toBe(false)
  })
})
