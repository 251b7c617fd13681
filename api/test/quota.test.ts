// An ad system limits the calls of the operator's app per day: no organization can use them up for the others.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { shareQuota } from '../src/features/gateway/shared-quota.ts'
import { openCredential, sealCredential } from '../src/features/integrations/credential.ts'
import { callable, createSuite, type Suite, type Tenant } from './suite.ts'
import { request, sql } from './world.ts'

let suite: Suite
let urls: string[]
beforeAll(async () => {
  const providerSettings = { ADJOIN_XANDR_DAILY_CALLS: '40', ADJOIN_MAGNITE_DAILY_CALLS: 'none' }
  suite = await createSuite({ providerSettings, metricsPort: 0 })
  const replicas = await Promise.all([suite.world.replica(), suite.world.replica()])
  urls = [suite.world.url, ...replicas.map(({ url }) => url)]
})
afterAll(() => suite.stop())

type At = Awaited<ReturnType<typeof callable>>
const called = ({ organization, w }: Tenant, { id }: At, url = urls[0]) =>
  request(`${url}/v1/organizations/${w.orgSlug}/workspaces/${w.workspaceSlug}/integrations/${id}/proxy/campaign`, {
    headers: organization.admin.headers,
  })
const arrived = () => suite.world.arrivals.filter(({ url }) => url.includes('/campaign')).length
/** Sent to each replica in turn. */
const callMany = async (tenant: Tenant, at: At, count: number) => {
  const answers = await Promise.all(Array.from({ length: count }, (_, n) => called(tenant, at, urls[n % urls.length])))
  return answers.filter(({ status }) => status === 200).length
}

it('an organization can use half of it over all replicas, and all together nine tenths', async () => {
  const [first, second] = [await suite.tenant(), await suite.tenant()]
  const [one, other] = [await callable(first), await callable(second)]
  expect(await callMany(first, one, 24)).toBe(20)
  expect(arrived()).toBe(20)
  // The rest is left to others, except for a tenth in reserve.
  expect(await callMany(second, other, 20)).toBe(16)
  expect(arrived()).toBe(36)

  const refused = await called(first, one)
  const { code, detail } = refused.json<{ code: string; detail: string }>()
  expect([refused.status, code, refused.headers.get('adjoin-answer')]).toEqual([429, 'quota_share', 'adjoin'])
  const wait = Number(refused.headers.get('retry-after'))
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(86_400)
  expect(detail).toMatch(/^Your organization has used its share .* begins at \d{4}-\d\d-\d\d 00:00 UTC \(midnight in UTC\)/)
  // Checks still run.
  await first.admin.verifyIntegration(one)

  const { quota } = await first.admin.getIntegrationUsage({ ...one, by: 'day' })
  expect(quota).toMatchObject({ calls: 20, used: 20, left: 0, timeZone: 'UTC' })
  expect(Date.parse(quota!.endsAt) % 86_400_000).toBe(0)
  expect((await second.admin.getIntegrationUsage({ ...other, by: 'day' })).quota).toMatchObject({ calls: 20, used: 16, left: 0 })
  const metrics = (await request(`http://127.0.0.1:${suite.world.app.metricsPort}/metrics`)).text
  expect(metrics).toContain('adjoin_quota_used_calls{provider="xandr"} 36')
  expect(metrics).toContain('adjoin_quota_daily_calls{provider="xandr"} 40')
  expect(metrics).not.toContain('adjoin_quota_daily_calls{provider="magnite"}')
})

it('a change without a call left is neither recorded nor sent', async () => {
  const tenant = await suite.tenant()
  const at = await callable(tenant)
  const before = arrived()
  await expect(tenant.admin.proxyPost({ ...at, path: 'campaign' }, '{}')).rejects.toMatchObject({ code: 'quota_share' })
  const { auditLogs } = await tenant.admin.listAuditLogs({ ...tenant.o, action: 'integration.change_sent' })
  expect([auditLogs, arrived()]).toEqual([[], before])
})

it('starts again the next day', async () => {
  const tenant = await suite.tenant()
  const at = await callable(tenant)
  await suite.world.query(sql`update quota_days set day = day - 1`)
  await suite.world.query(sql`update quota_people set day = day - 1`)
  await suite.world.query(sql`update quota_shares set day = day - 1 where organization_id = ${tenant.organization.id}`)
  expect((await called(tenant, at)).status).toBe(200)
})

it('organizations with the same admin have one share together, and what a person has used goes with them', async () => {
  await suite.world.query(sql`delete from quota_days`)
  await suite.world.query(sql`delete from quota_people`)
  const [first, second, third] = [await suite.tenant(), await suite.tenant(), await suite.tenant()]
  const places = [await callable(first), await callable(second), await callable(third)] as const
  const { admin } = first.organization
  await suite.world.join(second.organization, 'admin', admin)
  expect(await callMany(first, places[0], 12)).toBe(12)
  expect(await callMany(second, places[1], 12)).toBe(8)
  expect((await second.admin.getIntegrationUsage({ ...places[1], by: 'day' })).quota).toMatchObject({ used: 8, left: 0 })
  expect((await first.admin.getIntegrationUsage({ ...places[0], by: 'day' })).quota).toMatchObject({ used: 12, left: 0 })
  // Somebody else's is their own, and what a person has used goes with them.
  expect(await callMany(third, places[2], 4)).toBe(4)
  await suite.world.join(third.organization, 'admin', admin)
  const refused = await request(
    `${urls[1]}/v1/organizations/${third.w.orgSlug}/workspaces/${third.w.workspaceSlug}/integrations/${places[2].id}/proxy/campaign`,
    {
      headers: third.organization.admin.headers,
    },
  )
  expect([refused.status, refused.json<{ code: string }>().code]).toEqual([429, 'quota_share'])
})

it('each sending is a call: also the second one, after a renewal', async () => {
  await suite.world.query(sql`delete from quota_days`)
  const tenant = await suite.tenant()
  const at = await callable(tenant)
  const { parts } = suite.world.app
  const [row] = await suite.world.query<{ organization_id: string; workspace_id: string; id: string; credential: string }>(
    sql`select organization_id, workspace_id, id, credential from integrations where id = ${at.id}`,
  )
  const stale = sealCredential(parts, row!, { ...openCredential(parts, row!, row!.credential), accessToken: 'no-longer-any-good' })
  await suite.world.query(
    sql`update integrations set credential = ${stale} where organization_id = ${row!.organization_id} and id = ${at.id}`,
  )
  const before = arrived()
  expect((await called(tenant, at)).status).toBe(200)
  expect(arrived() - before).toBe(2)
  expect((await tenant.admin.getIntegrationUsage({ ...at, by: 'day' })).quota).toMatchObject({ used: 2 })
})

it('is taken in batches, one statement for many calls, and what is not needed is returned', async () => {
  const { organization } = await suite.tenant()
  const { db, log } = suite.world.app.parts
  const quota = shareQuota(db, log, 50)
  const subject = { organizationId: organization.id, provider: 'criteo' }
  const daily = { calls: 20_000, share: 10_000, most: 18_000, zone: 'America/Los_Angeles' }
  const before = suite.world.looks.length
  await Promise.all(Array.from({ length: 150 }, () => quota.take(subject, daily)))
  expect(suite.world.looks.slice(before).filter((text) => text.includes('take_quota'))).toHaveLength(2)
  const used = async () =>
    (await suite.world.query(sql`select calls from quota_shares where organization_id = ${organization.id}`))[0]?.calls
  await expect.poll(used).toBe(150)
  await quota.take(subject, daily)
  await quota.stop()
  expect(await used()).toBe(151)
})
