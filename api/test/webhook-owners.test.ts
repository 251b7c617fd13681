// Whose a webhook is: the person who last decided where events go and what signs them. It ends with their power.
import { wouldEnd } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../furnishing/until.ts'
import { startConsumer } from './consumer.ts'
import { createSuite, type Suite } from './suite.ts'

let suite: Suite
beforeAll(async () => {
  suite = await createSuite()
})
afterAll(() => suite.stop())

async function setUp() {
  const tenant = await suite.tenant()
  const grace = await suite.world.join(tenant.organization, 'admin')
  const consumer = await startConsumer()
  onTestFinished(() => consumer.close())
  const { id } = await tenant.admin.createWebhook(tenant.o, { url: 'http://127.0.0.1:9/hook', types: ['workspace.*'] })
  const at = { ...tenant.o, id }
  const owner = async () => (await tenant.admin.getWebhook(at)).owner.email
  return { ...tenant, grace, consumer, at, owner }
}
type Place = Awaited<ReturnType<typeof setUp>>

const takesOver: Record<string, (place: Place) => Promise<unknown>> = {
  'a new address': ({ grace, at, consumer }) => grace.client.updateWebhook(at, { url: consumer.url }),
  'the same address, set again': ({ grace, at }) => grace.client.updateWebhook(at, { url: 'http://127.0.0.1:9/hook' }),
  'an address among other fields': ({ grace, at, consumer }) =>
    grace.client.updateWebhook(at, { description: 'Reports', types: [], url: consumer.url }),
  'a new secret': ({ grace, at }) => grace.client.rotateWebhookSecret(at),
  'being enabled again': async ({ admin, grace, at }) => {
    await admin.disableWebhook(at)
    await grace.client.enableWebhook(at)
  },
}
const leavesIt: Record<string, (place: Place) => Promise<unknown>> = {
  'a description': ({ grace, at }) => grace.client.updateWebhook(at, { description: 'Reports' }),
  'other types': ({ grace, at }) => grace.client.updateWebhook(at, { types: ['api_key.*'] }),
  'a workspace': ({ grace, at, w }) => grace.client.updateWebhook(at, { workspaceSlug: w.workspaceSlug }),
  'nothing at all': ({ grace, at }) => grace.client.updateWebhook(at, {}),
  'being disabled': ({ grace, at }) => grace.client.disableWebhook(at),
  'being enabled while it is active': ({ grace, at }) => grace.client.enableWebhook(at),
  'a test': ({ grace, at }) => grace.client.testWebhook(at),
  'a replay': ({ grace, at }) => grace.client.replayWebhook(at, { from: new Date(Date.now() - 3_600_000).toISOString() }),
}

describe('a webhook changes hands', () => {
  it.each(Object.entries(takesOver))('with %s; the entry says so, and a removal lists it', async (_, change) => {
    const place = await setUp()
    const { admin, grace, o, at, owner, organization } = place
    expect(await owner()).toBe(organization.admin.email)
    await change(place)
    expect(await owner()).toBe(grace.email)
    const [entry] = (await admin.listAuditLogs({ ...o, targetType: 'webhook' })).auditLogs
    expect(entry!.changes).toContainEqual({ field: 'owner', from: organization.admin.email, to: grace.email })
    const ends = async (userId: string) =>
      (await wouldEnd(admin, 'removeOrganizationMember', { ...o, userId })).webhooks.map(({ id }) => id)
    expect(await ends(grace.id)).toEqual([at.id])
  })

  it.each(Object.entries(leavesIt))('not with %s', async (_, change) => {
    const place = await setUp()
    await change(place)
    expect(await place.owner()).toBe(place.organization.admin.email)
    const { auditLogs } = await place.admin.listAuditLogs({ ...place.o, targetType: 'webhook' })
    expect(auditLogs.flatMap(({ changes }) => changes).filter(({ field }) => field === 'owner')).toEqual([])
  })
})

it('a person who was removed receives nothing more at the address that they set', async () => {
  const { admin, o, w, at, grace, consumer } = await setUp()
  await grace.client.updateWebhook(at, { url: consumer.url })
  await admin.removeOrganizationMember({ ...o, userId: grace.id })
  await admin.updateWorkspace(w, { name: 'Not for Grace' })
  await until(
    () => admin.getWebhook(at),
    ({ status }) => status === 'disabled',
    'the webhook to be disabled',
  )
  expect(consumer.received.map(({ event }) => event.data.changes[0]!.to)).not.toContain('Not for Grace')
})
