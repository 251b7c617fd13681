// Webhooks: what arrives, in which order, and what becomes of it when it does not.
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Answering, startConsumer } from './consumer.ts'
import { createSuite, type Suite, type Tenant } from './suite.ts'
import { refusal, sql } from './world.ts'

let suite: Suite
beforeAll(async () => {
  suite = await createSuite()
})
afterAll(() => suite.stop())

async function setUp(answering?: Answering, more: object = {}) {
  const tenant = await suite.tenant()
  const consumer = await startConsumer(answering)
  onTestFinished(() => consumer.close())
  const webhook = await tenant.admin.createWebhook(tenant.o, { url: consumer.url, types: ['workspace.*'], ...more })
  const at = { ...tenant.o, id: webhook.id }
  const read = () => tenant.admin.getWebhook(at)
  const deliveries = async () => (await tenant.admin.listWebhookDeliveries(at)).deliveries
  return { ...tenant, tenant, consumer, webhook, at, read, deliveries }
}
const rename = ({ admin, w }: Pick<Tenant, 'admin' | 'w'>, name: string) => admin.updateWorkspace(w, { name })
/** The next try is due now, whatever was waited for. */
const hurry = ({ id }: { id: string }) => suite.world.query(sql`update webhooks set due_at = now() where id = ${id}`)
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 })
const statusOf =
  (status: number, headers = {}): Answering =>
  (_, response) =>
    response.writeHead(status, headers).end('{"said":"no"}')

describe('a delivery', () => {
  it('is signed as Standard Webhooks says, and holds the event as the feed has it', async () => {
    const { consumer, webhook, tenant, admin, o } = await setUp()
    await rename(tenant, 'One')
    await eventually(() => expect(consumer.received).toHaveLength(1))
    const { headers, body, event } = consumer.received[0]!
    const verified = new Webhook(webhook.secret).verify(body, headers as Record<string, string>)
    const { events } = await admin.listEvents({ ...o, after: 'start', types: 'workspace.*' })
    expect(verified).toEqual(events[0])
    expect(headers).toMatchObject({ 'webhook-id': event.id, 'content-type': 'application/json' })
    expect(() => new Webhook(webhook.secret).verify(`${body} `, headers as Record<string, string>)).toThrow()
  })

  it('comes in order, one at a time, and each event once', async () => {
    let open = 0
    let most = 0
    const { consumer, tenant, read } = await setUp((_, response) => {
      most = Math.max(most, ++open)
      setTimeout(() => {
        open--
        response.writeHead(200).end('ok')
      }, 2)
    })
    for (let i = 0; i < 30; i++) await rename(tenant, `Name ${i}`)
    await eventually(() => expect(consumer.received).toHaveLength(30))
    const sequences = consumer.received.map(({ event }) => event.sequence)
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b))
    expect(most).toBe(1)
    await eventually(async () => expect(await read()).toMatchObject({ status: 'active', behind: 0, lastSuccessAt: expect.any(String) }))
  })

  it('is tried again with the same id until it is taken; nothing overtakes it', async () => {
    const { consumer, tenant, at, deliveries, read } = await setUp((_, response, count) =>
      response.writeHead(count < 3 ? 500 : 200).end('later'),
    )
    await rename(tenant, 'One')
    await rename(tenant, 'Two')
    for (const tries of [1, 2]) {
      await eventually(async () =>
        expect((await deliveries()).filter(({ outcome }) => outcome === 'failed').length).toBeGreaterThanOrEqual(tries),
      )
      await hurry(at)
    }
    await eventually(() => expect(consumer.received).toHaveLength(4))
    const ids = consumer.received.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids.slice(0, 3)).size).toBe(1)
    expect(consumer.received.map(({ event }) => event.data.changes[0]!.to)).toEqual(['One', 'One', 'One', 'Two'])
    await eventually(async () => expect(await read()).toMatchObject({ status: 'active', behind: 0 }))
    expect(await deliveries()).toMatchObject([
      { type: 'workspace.updated', attempt: 1, outcome: 'delivered', status: 200 },
      { attempt: 3, outcome: 'delivered' },
      { attempt: 2, outcome: 'failed', status: 500, answer: 'later' },
      { attempt: 1, outcome: 'failed' },
    ])
  })

  it('waits as long as the server asks', async () => {
    const { tenant, webhook, deliveries } = await setUp(statusOf(503, { 'retry-after': '7200' }))
    await rename(tenant, 'One')
    await eventually(async () => expect(await deliveries()).toHaveLength(1))
    const [row] = await suite.world.query<{ seconds: number }>(
      sql`select extract(epoch from due_at - now())::float8 as seconds from webhooks where id = ${webhook.id}`,
    )
    expect(row!.seconds).toBeGreaterThan(7100)
  })

  it('follows no redirect, and keeps nothing of an answer that looks like a secret', async () => {
    const secret = 'adj_0123456789abcdefghijklmnop'
    const { tenant, consumer, deliveries } = await setUp((_, response) =>
      response.writeHead(302, { location: `${consumer.url}/elsewhere` }).end(`${secret}${'x'.repeat(20_000)}`),
    )
    await rename(tenant, 'One')
    await eventually(async () => expect((await deliveries()).at(-1)).toMatchObject({ attempt: 1, outcome: 'failed', status: 302 }))
    const first = (await deliveries()).at(-1)!
    expect(first.answer!.length).toBeLessThanOrEqual(16_384)
    expect(first.answer).not.toContain(secret)
    expect(consumer.received.filter(({ url }) => url.endsWith('/elsewhere'))).toEqual([])
  })

  it('shows nothing of its address, its secret or its signature in the answer, whatever the server repeats', async () => {
    const { tenant, consumer, webhook, at, deliveries } = await setUp((request, response) =>
      response
        .writeHead(200)
        .end(`Cannot POST ${request.url} ${decodeURIComponent(request.url)} ${request.headers['webhook-signature']} ${'a'.repeat(12_000)}`),
    )
    await tenant.admin.updateWebhook(at, { url: `${consumer.url}/hooks/T0KEN-in-the-path?token=s%C3%A9cret-in-the-query` })
    const tested = await tenant.admin.testWebhook(at)
    const signature = String(consumer.received.at(-1)!.headers['webhook-signature']).replace(/^v1,/, '')
    for (const shown of [tested.answer, (await deliveries())[0]!.answer])
      for (const secret of ['T0KEN-in-the-path', 's%C3%A9cret', 'sécret', signature, webhook.secret]) expect(shown).not.toContain(secret)
    expect(tested.answer).toContain('Cannot POST')
  })

  it('that is refused five times is set aside, and can be sent again; three in a row and nothing more is skipped', async () => {
    const { tenant, consumer, at, admin, deliveries, read } = await setUp(statusOf(422))
    for (const name of ['One', 'Two', 'Three', 'Four']) await rename(tenant, name)
    const tries = async (count: number) => {
      await eventually(async () => {
        await hurry(at)
        expect(consumer.received.length).toBeGreaterThanOrEqual(count)
      })
    }
    await tries(16)
    await eventually(async () => expect(await read()).toMatchObject({ status: 'failing', statusDetail: expect.stringContaining('422') }))
    const aside = (await deliveries()).filter(({ outcome }) => outcome === 'set_aside')
    expect(aside).toHaveLength(3)
    expect(new Set(consumer.received.slice(15).map(({ event }) => event.data.changes[0]!.to))).toEqual(new Set(['Four']))
    consumer.answer((_, response) => response.writeHead(200).end())
    const before = consumer.received.length
    expect(await admin.redeliverWebhook({ ...at, deliveryId: aside[0]!.id })).toMatchObject({ kind: 'redelivery', outcome: 'delivered' })
    // The fourth may come in between.
    expect(consumer.received.slice(before).map(({ headers }) => headers['webhook-id'])).toContain(aside[0]!.eventId)
    await hurry(at)
    await eventually(async () => expect(await read()).toMatchObject({ status: 'active', behind: 0 }))
  })

  it('ends the webhook where the address is gone, and after five days without a success; admins hear of it', async () => {
    const gone = await setUp(statusOf(410))
    await rename(gone.tenant, 'One')
    await eventually(async () =>
      expect(await gone.read()).toMatchObject({ status: 'disabled', statusDetail: expect.stringContaining('410') }),
    )
    const [mail] = await suite.world.mails(gone.organization.admin.email)
    expect(mail).toMatchObject({ subject: expect.stringContaining('was disabled'), text: expect.stringContaining('/webhooks') })
    const [entry] = (await gone.admin.listAuditLogs({ ...gone.o, action: 'webhook.disabled' })).auditLogs
    expect(entry).toMatchObject({ actor: { type: 'system' }, target: { type: 'webhook', id: gone.webhook.id } })

    const failing = await setUp(statusOf(500))
    await rename(failing.tenant, 'One')
    await eventually(async () => expect(await failing.deliveries()).not.toEqual([])) // after five seconds there is another
    const since = (days: number) =>
      suite.world.query(
        sql`update webhooks set due_at = now(), failing_since = now() - make_interval(days => ${days}) where id = ${failing.webhook.id}`,
      )
    await since(1)
    const [warning] = await suite.world.mails(failing.organization.admin.email)
    expect(warning!.subject).toContain('failing for a day')
    await since(5)
    await eventually(async () => expect(await failing.read()).toMatchObject({ status: 'disabled' }))
    failing.consumer.answer((_, response) => response.writeHead(200).end())
    await failing.admin.enableWebhook(failing.at)
    await eventually(() => expect(failing.consumer.types().at(-1)).toBe('workspace.updated'))
    await eventually(async () => expect(await failing.read()).toMatchObject({ status: 'active', behind: 0 }))
  })
})

describe('a webhook', () => {
  it('shows its address as the origin, its secret once, and neither in the trail', async () => {
    const { webhook, consumer, admin, o, read } = await setUp()
    expect(webhook).toMatchObject({ url: `${new URL(consumer.url).origin}/…`, secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) })
    expect(await read()).not.toHaveProperty('secret')
    const told = JSON.stringify([await admin.listWebhooks(o), (await admin.listAuditLogs(o)).auditLogs])
    expect(told).not.toContain('secret-path')
    expect(told).not.toContain(webhook.secret.slice(6))
    const [row] = await suite.world.query<{ row: string }>(sql`select h::text as row from webhooks h where id = ${webhook.id}`)
    expect(row!.row).not.toContain('secret-path')
  })

  it('signs with both secrets for a day after a rotation', async () => {
    const { tenant, consumer, webhook, admin, at } = await setUp()
    const { secret } = await admin.rotateWebhookSecret(at)
    await rename(tenant, 'One')
    await eventually(() => expect(consumer.received).toHaveLength(1))
    const { headers, body } = consumer.received[0]!
    for (const one of [webhook.secret, secret]) expect(new Webhook(one).verify(body, headers as Record<string, string>)).toBeTruthy()
    await suite.world.query(sql`update webhooks set old_secret_until = now() where id = ${webhook.id}`)
    await rename(tenant, 'Two')
    await eventually(() => expect(consumer.received).toHaveLength(2))
    const last = consumer.received[1]!
    expect(() => new Webhook(webhook.secret).verify(last.body, last.headers as Record<string, string>)).toThrow()
  })

  it('ends with its owner’s power; whoever enables it is its owner, and it continues where it stopped', async () => {
    const { tenant, organization, admin, o, at, consumer, read } = await setUp()
    const grace = await suite.world.join(organization, 'admin')
    await grace.client.updateOrganizationMember({ ...o, userId: organization.admin.id }, { role: 'viewer' })
    await grace.client.updateWorkspace(tenant.w, { name: 'Not for Ada' })
    await eventually(async () => expect(await grace.client.getWebhook(at)).toMatchObject({ status: 'disabled' }))
    expect(consumer.received).toEqual([])
    expect((await suite.world.mails(grace.email))[0]!.subject).toContain('was disabled')
    expect(await refusal(admin.enableWebhook(at))).toMatchObject({ status: 403 })
    expect(await grace.client.enableWebhook(at)).toMatchObject({ status: 'active', owner: { email: grace.email } })
    await eventually(() => expect(consumer.received.map(({ event }) => event.data.changes[0]!.to)).toEqual(['Not for Ada']))
    expect(await refusal(read())).toMatchObject({ status: 403 })
  })

  it('is limited to its workspace and its types', async () => {
    const { admin, o, w, consumer, tenant } = await setUp()
    const other = await suite.world.workspace(tenant.organization)
    const limited = await admin.createWebhook(o, { url: consumer.url, workspaceSlug: other.slug })
    await admin.updateWebhook({ ...o, id: (await admin.listWebhooks(o)).webhooks[0]!.id }, { types: ['api_key.*'] })
    await admin.updateWorkspace({ ...o, workspaceSlug: other.slug }, { name: 'Other' })
    await admin.updateWorkspace(w, { name: 'Mine' })
    await eventually(async () => expect(await admin.getWebhook({ ...o, id: limited.id })).toMatchObject({ behind: 0 }))
    expect(consumer.received.map(({ event }) => event.workspace?.slug)).toEqual([other.slug])
  })

  it('is tested in place, replayed from a time, and deleted with its deliveries', async () => {
    const { tenant, admin, at, consumer, deliveries } = await setUp((_, response) => response.writeHead(200).end('thanks'))
    expect(await admin.testWebhook(at)).toMatchObject({
      kind: 'test',
      outcome: 'delivered',
      status: 200,
      answer: 'thanks',
      type: 'webhook.test',
    })
    await rename(tenant, 'One')
    await eventually(async () => expect(await deliveries()).toHaveLength(2))
    await admin.replayWebhook(at, { from: new Date(Date.now() - 3_600_000).toISOString() })
    await eventually(() => expect(consumer.types()).toEqual(['webhook.test', 'workspace.updated', 'workspace.updated']))
    expect(consumer.received[2]!.headers['webhook-id']).toBe(consumer.received[1]!.headers['webhook-id'])
    expect(await refusal(admin.replayWebhook(at, { from: '2020-01-01T00:00:00Z' }))).toMatchObject({ status: 400 })
    await admin.disableWebhook(at)
    expect(await refusal(admin.testWebhook(at))).toMatchObject({ status: 409, code: 'webhook_disabled' })
    await admin.deleteWebhook(at)
    expect(await suite.world.query(sql`select from webhook_deliveries where webhook_id = ${at.id}`)).toEqual([])
  })

  it('is one of twenty', async () => {
    const { admin, o, consumer } = await setUp()
    for (let i = 1; i < 20; i++) await admin.createWebhook(o, { url: consumer.url })
    expect(await refusal(admin.createWebhook(o, { url: consumer.url }))).toMatchObject({ status: 409, code: 'quota_reached' })
  })
})
