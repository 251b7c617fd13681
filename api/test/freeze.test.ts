// A freeze holds on every replica from its answer on, for whatever is sent to ad systems.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { until } from '../../furnishing/until.ts'
import { callable, createSuite, integrate, newCredentials, type Suite } from './suite.ts'

let suite: Suite
let urls: string[]
beforeAll(async () => {
  suite = await createSuite({ roles: { api: true, jobs: false } }) // checks in the background would be calls as well
  urls = [suite.world.url, ...(await Promise.all([suite.world.replica(), suite.world.replica()])).map(({ url }) => url)]
})
afterAll(() => suite.stop())

const CALLS = 1000
const CALLERS = 24

it('not one of a thousand calls over three replicas begins after its answer', async () => {
  const tenant = await suite.tenant()
  const { world, organization, admin, w, o } = tenant
  const at = [await callable(tenant), await callable(tenant), await callable(tenant)]
  const frozen = { at: Number.POSITIVE_INFINITY }
  const outcomes = new Map<string, number>()
  let begun = 0
  const caller = async (n: number) => {
    for (; begun < CALLS; begun++) {
      const url = `${urls[n % urls.length]}/v1/organizations/${w.orgSlug}/workspaces/${w.workspaceSlug}/integrations/${at[n % at.length]!.id}/proxy/campaign`
      const answer = await fetch(url, { headers: organization.admin.headers })
      const { code = 'ok' } = (await answer.json()) as { code?: string }
      outcomes.set(code, (outcomes.get(code) ?? 0) + 1)
    }
  }
  const calling = Promise.all(Array.from({ length: CALLERS }, (_, n) => caller(n)))
  await until(
    () => begun,
    (calls) => calls >= CALLS / 4,
    'a quarter of the calls to begin',
  )
  await admin.freezeOrganization(o, { reason: 'A key leaked' })
  frozen.at = Date.now()
  await calling
  expect(world.arrivals.filter(({ url, at }) => url.includes('/campaign') && at > frozen.at)).toEqual([])
  expect(outcomes.get('ok')).toBeGreaterThan(0)
  expect(outcomes.get('organization_frozen')).toBeGreaterThan(0)
})

it('stops checks, logins and connect links, but not a revocation', async () => {
  const tenant = await suite.tenant()
  const { world, admin, o } = tenant
  const at = await callable(tenant)
  const { token, ...pending } = await integrate(tenant)
  await admin.freezeOrganization(o, { reason: 'A key leaked' })
  const before = world.arrivals.length
  const refused = { code: 'organization_frozen', status: 409 }
  await expect(admin.verifyIntegration(at)).rejects.toMatchObject(refused)
  await expect(admin.submitIntegrationCredentials(pending, newCredentials())).rejects.toMatchObject(refused)
  await expect(world.client().getConnectLink({ token })).rejects.toMatchObject({ status: 404 })
  await expect(world.client().submitConnectCredentials({ token }, newCredentials())).rejects.toMatchObject({ status: 404 })
  expect(world.arrivals.length).toBe(before)
  expect((await admin.getIntegration(at)).status).toBe('active')
  await admin.deleteIntegration(at)
  await admin.thawOrganization(o)
  expect((await world.client().getConnectLink({ token })).state).toBe('ready')
})

it('again changes nothing, or, with another reason, the reason alone, and says so in the trail', async () => {
  const tenant = await suite.tenant()
  const { admin, o, organization, world } = tenant
  const first = await admin.freezeOrganization(o, { reason: 'A key leaked' })
  expect(await admin.freezeOrganization(o, { reason: 'A key leaked' })).toEqual(first)
  const other = await world.join(organization, 'admin')
  const second = await other.client.freezeOrganization(o, { reason: 'Two keys leaked' })
  expect(second.frozen).toEqual({ ...first.frozen, reason: 'Two keys leaked' })
  const { auditLogs } = await admin.listAuditLogs({ ...o, action: 'organization.frozen' })
  expect(auditLogs).toMatchObject([
    { actor: { email: other.email }, changes: [{ field: 'frozen.reason', from: 'A key leaked', to: 'Two keys leaked' }] },
    { actor: { email: organization.admin.email }, changes: [], metadata: { reason: 'A key leaked' } },
  ])
})

it('is mailed to all admins, with who and why, and so is its end', async () => {
  const { world, organization, admin, o } = await suite.tenant()
  await world.doJobs()
  const other = await world.join(organization, 'admin')
  await admin.freezeOrganization(o, { reason: 'A laptop was stolen' })
  await admin.thawOrganization(o)
  const mails = await world.mails(other.email, 2)
  expect(mails.some(({ text }) => text.includes('A laptop was stolen') && text.includes(organization.admin.email))).toBe(true)
  expect(mails.some(({ subject }) => subject.includes('no longer frozen'))).toBe(true)
})

it('every change is in the trail before the ad system hears of it', async () => {
  const tenant = await suite.tenant()
  const { world, admin, o } = tenant
  const at = await callable(tenant)
  const before = world.arrivals.length
  await Promise.all(Array.from({ length: 10 }, () => admin.proxyPost({ ...at, path: 'campaign' }, '{}')))
  const arrived = world.arrivals.slice(before).filter(({ url }) => url.includes('/campaign'))
  const { auditLogs } = await admin.listAuditLogs({ ...o, action: 'integration.change_sent', limit: 10 })
  expect(arrived).toHaveLength(10)
  const recorded = auditLogs.map(({ createdAt }) => Date.parse(createdAt)).sort((a, b) => a - b)
  // The n-th to arrive finds at least n entries that are older.
  const times = arrived.map(({ at }) => at).sort((a, b) => a - b)
  for (const [n, time] of times.entries()) expect(recorded.filter((entry) => entry <= time).length).toBeGreaterThan(n)
})
