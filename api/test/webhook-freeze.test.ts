// While an organization is frozen, its webhooks are told so and nothing else; afterwards they continue where they stopped.
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Answering, startConsumer } from './consumer.ts'
import { createSuite, type Suite } from './suite.ts'
import { refusal, sql } from './world.ts'

let suite: Suite
beforeAll(async () => {
  suite = await createSuite()
})
afterAll(() => suite.stop())

const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 })
const taken: Answering = (_, response) => response.writeHead(204).end()

async function setUp(types: string[] = [], answering: Answering = taken) {
  const tenant = await suite.tenant()
  const { admin, o, w } = tenant
  const consumer = await startConsumer(answering)
  onTestFinished(() => consumer.close())
  const { id } = await admin.createWebhook(o, { url: consumer.url, types })
  const at = { ...o, id }
  const rename = (name: string) => admin.updateWorkspace(w, { name })
  const freeze = (reason = 'A key leaked') => admin.freezeOrganization(o, { reason })
  const caughtUp = () => eventually(async () => expect(await admin.getWebhook(at)).toMatchObject({ behind: 0, status: 'active' }))
  const seen = () => consumer.received.map(({ event }) => event.sequence)
  const all = async () => (await admin.listEvents({ ...o, after: 'start', limit: 200 })).events
  /** Looks were made since now: each entry makes the webhook due, and its second place moves over it. */
  const looked = async () => {
    const [head] = await suite.world.query<{ sequence: number }>(
      sql`select a.sequence from audit_heads a join organizations o on o.id = a.organization_id where o.slug = ${o.orgSlug}`,
    )
    await eventually(async () => {
      const [row] = await suite.world.query<{ done: number }>(
        sql`select greatest(position, frozen_position) as done from webhooks where id = ${id}`,
      )
      expect(row!.done).toBeGreaterThanOrEqual(head!.sequence)
    })
  }
  return { tenant, admin, o, at, consumer, rename, freeze, caughtUp, seen, all, looked }
}

describe('a webhook of a frozen organization', () => {
  it('gets that it is frozen, nothing else, and everything else after the thaw, in order', async () => {
    const { admin, o, consumer, rename, freeze, caughtUp, seen, all, looked } = await setUp()
    await caughtUp()
    await freeze()
    for (const name of ['One', 'Two', 'Three']) await rename(name)
    await freeze('Two keys leaked')
    await rename('Four')
    await looked()
    const before = consumer.types()
    expect(before.filter((type) => type === 'organization.frozen')).toHaveLength(2)
    expect(before).not.toContain('workspace.updated')
    await admin.thawOrganization(o)
    await rename('Five')
    await caughtUp()
    const created = (await all()).find(({ type }) => type === 'webhook.created')!
    const expected = (await all()).filter(({ sequence }) => sequence >= created.sequence).map(({ sequence }) => sequence)
    expect(seen().toSorted((a, b) => a - b)).toEqual(expected)
    const rest = seen().slice(before.length)
    expect(rest).toEqual(rest.toSorted((a, b) => a - b))
  })

  it('hears of it even if it is far behind and waits for its next try', async () => {
    const { tenant, admin, o, consumer, rename, freeze, caughtUp } = await setUp(['workspace.*', 'organization.*'], (_, response) =>
      response.writeHead(503, { 'retry-after': '7200' }).end(),
    )
    for (const name of ['One', 'Two']) await rename(name)
    await eventually(() => expect(consumer.received).toHaveLength(1))
    consumer.answer(taken)
    await freeze()
    await eventually(() => expect(consumer.types().at(-1)).toBe('organization.frozen'))
    expect(consumer.received).toHaveLength(2)
    await admin.thawOrganization(o)
    await caughtUp()
    const after = consumer.received.slice(2).map(({ event }) => event.data.changes[0]?.to ?? event.type)
    expect(after).toEqual(['One', 'Two', 'organization.thawed'])
    expect(tenant.o).toEqual(o)
  })

  it('stops in the middle of what it sends', async () => {
    let answering = 0
    const release: (() => void)[] = []
    const { consumer, rename, freeze, admin, o, caughtUp } = await setUp(['workspace.*'], (_, response) => {
      answering++
      release.push(() => response.writeHead(204).end())
    })
    for (let n = 0; n < 5; n++) await rename(`Name ${n}`)
    await eventually(() => expect(answering).toBe(1))
    await freeze() // takes longer than a look lasts
    release.shift()!()
    await eventually(async () => {
      const [row] = await suite.world.query<{ done: number }>(sql`select frozen_position as done from webhooks
        where organization_id = (select id from organizations where slug = ${o.orgSlug})`)
      expect(row!.done).not.toBeNull()
    })
    expect(consumer.received).toHaveLength(1)
    consumer.answer(taken)
    await admin.thawOrganization(o)
    await caughtUp()
    expect(consumer.received.map(({ event }) => event.data.changes[0]!.to)).toEqual([0, 1, 2, 3, 4].map((n) => `Name ${n}`))
  })

  it.each(['2 days', '6 days'])(
    'is not charged with what failed for %s before, also where that ends after the freeze',
    async (failedFor) => {
      const refused: Answering = (_, response) => response.writeHead(503, { 'retry-after': '7200' }).end()
      const { at, consumer, rename, freeze } = await setUp(['workspace.*', 'organization.*'], refused)
      let release = () => {}
      const hold: Answering = (...asked) => {
        consumer.answer(refused)
        release = () => refused(...asked)
      }
      await rename('One')
      await eventually(() => expect(consumer.received).toHaveLength(1))
      consumer.answer(hold)
      await eventually(async () => {
        const failedForDays =
          await suite.world.query(sql`update webhooks set failing_since = now() - ${failedFor}::interval, tries = 5, due_at = now()
        where id = ${at.id} and tries = 1 and leased_until is null returning id`)
        expect(failedForDays).toHaveLength(1)
      })
      await eventually(() => expect(consumer.received).toHaveLength(2))
      await freeze()
      release()
      await eventually(() => expect(consumer.types().at(-1)).toBe('organization.frozen'))
      await eventually(async () => {
        const [row] = await suite.world.query(
          sql`select tries, failing_since > now() - interval '1 hour' as fresh from webhooks where id = ${at.id}`,
        )
        expect(row).toEqual({ tries: 1, fresh: true })
      })
    },
  )

  it.each([[['workspace.*']], [['api_key.*', 'workspace.updated']]])('hears nothing if it did not ask for it: %j', async (types) => {
    const { admin, o, consumer, rename, freeze, looked, caughtUp } = await setUp(types)
    await freeze()
    await rename('One')
    await looked()
    expect(consumer.received).toEqual([])
    await admin.thawOrganization(o)
    await caughtUp()
    expect(consumer.types()).toEqual(['workspace.updated'])
  })

  it('is not tested, and nothing is sent again; replayed, it waits', async () => {
    const { admin, o, at, consumer, rename, freeze, caughtUp, looked } = await setUp(['workspace.*'])
    await rename('One')
    await caughtUp()
    const [delivery] = (await admin.listWebhookDeliveries(at)).deliveries
    await freeze()
    for (const send of [() => admin.testWebhook(at), () => admin.redeliverWebhook({ ...at, deliveryId: delivery!.id })])
      expect(await refusal(send())).toMatchObject({ status: 409, code: 'organization_frozen' })
    await admin.replayWebhook(at, { from: new Date(Date.now() - 3_600_000).toISOString() })
    await looked()
    expect(consumer.received).toHaveLength(1)
    await admin.thawOrganization(o)
    await caughtUp()
    expect(consumer.types()).toEqual(['workspace.updated', 'workspace.updated'])
  })

  it('may be new: it begins after the thaw as well', async () => {
    const { admin, o, consumer, rename, freeze, caughtUp } = await setUp(['api_key.*'])
    await freeze()
    const { id } = await admin.createWebhook(o, { url: `${consumer.url}/new`, types: ['workspace.*'] })
    await rename('One')
    await eventually(async () => {
      const [row] = await suite.world.query<{ done: number }>(sql`select frozen_position as done from webhooks where id = ${id}`)
      expect(row!.done).not.toBeNull()
    })
    expect(consumer.received).toEqual([])
    await admin.thawOrganization(o)
    await caughtUp()
    await eventually(() => expect(consumer.received.map(({ url }) => url)).toEqual([expect.stringMatching(/new$/)]))
  })
})
