import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../furnishing/until.ts'
import { withinContext } from '../src/context.ts'
import { credentialBinding, openCredential, storeRenewed } from '../src/features/integrations/credential.ts'
import { findIntegration } from '../src/features/integrations/integration-row.ts'
import { countDue } from '../src/features/integrations/keep-healthy.ts'
import { releaseLease, releaseOnce, takeLease } from '../src/features/integrations/run-check.ts'
import { findProvider } from '../src/providers/index.ts'
import { credentialOf } from '../src/providers/provider.ts'
import { renew, renewalDue } from '../src/providers/session.ts'
import { createWorld, refusal, request, sql, type TestOrganization, type TestWorkspace, type World } from './world.ts'

let world: World
let agency: TestOrganization
let place: TestWorkspace
let at: { orgSlug: string; workspaceSlug: string }
beforeAll(async () => {
  world = await createWorld({ limitsFactor: 1000, metricsPort: 0 })
  agency = await world.organization()
  place = await world.workspace(agency)
  at = { orgSlug: agency.slug, workspaceSlug: place.slug }
})
afterAll(() => world.stop())

let logins = 0
/** A login of its own for each integration: the vendor's quota is counted by login. */
const login = (word = 'user') => ({ username: `api-${word}-${++logins}`, password: 'Correct-Horse-1' })
const create = (more: object = {}) => agency.admin.client.createIntegration(at, { provider: 'xandr', name: 'Publisher', ...more })
const submit = (id: string, word?: string) => agency.admin.client.submitIntegrationCredentials({ ...at, id }, login(word))
const connected = async (more: object = {}) => {
  const { id } = await create(more)
  expect(await submit(id)).toMatchObject({ status: 'active' })
  return id
}
const get = (id: string) => agency.admin.client.getIntegration({ ...at, id })
const verify = (id: string) => agency.admin.client.verifyIntegration({ ...at, id })
const row = async (id: string) => (await findIntegration(world.app.parts.db.query, { organizationId: agency.id, id }))!
const dates = async (id: string) =>
  (
    await world.query<{ leased: boolean; check: number; renew: number | null; updated: string }>(
      sql`select leased_until > now() as leased, extract(epoch from check_due_at - now())::float8 / 60 as check,
        extract(epoch from renew_due_at - now())::float8 / 60 as renew, updated_at::text as updated from integrations where id = ${id}`,
    )
  )[0]!
/** Connected through the consent screen, as a client would; the address the browser ends at. */
async function consent(connectUrl: string, decision = 'allow') {
  const { authorizationUrl } = await world.client().startConnectOAuth({ token: connectUrl.split('/').at(-1)! }, {})
  const there = await fetch(`${authorizationUrl}&decision=${decision}`, { redirect: 'manual' })
  const back = await request(there.headers.get('location')!.replace('http://localhost:3000', world.url))
  return back.headers.get('location')!
}
const google = (more: object = {}) => create({ provider: 'google_ads', settings: { customerId: '1234567890' }, ...more })

describe('the lease of a check', () => {
  it('is not ended by a submission that fails meanwhile, so that no second renewal begins', async () => {
    const id = await connected()
    await takeLease(world.app.parts, await row(id))
    for (const word of ['refuse', 'outage']) await submit(id, word)
    await agency.admin.client.updateIntegration({ ...at, id }, { name: 'Renamed' })
    expect((await dates(id)).leased).toBe(true)
  })

  it('that expired can’t be released by its old holder: the next holder keeps theirs', async () => {
    const id = await connected()
    const found = await row(id)
    const first = await takeLease(world.app.parts, found)
    await world.query(sql`update integrations set leased_until = now() - interval '1 second' where id = ${id}`)
    const second = await takeLease(world.app.parts, found)
    await releaseOnce(world.app.parts, found, first)
    expect((await dates(id)).leased).toBe(true)
    await releaseOnce(world.app.parts, found, second)
    expect((await dates(id)).leased).toBe(null)
  })

  it('is released also when the first attempt fails', async () => {
    const id = await connected()
    const found = await row(id)
    const lease = await takeLease(world.app.parts, found)
    await withinContext({ budget: { leftMs: 0 } }, () => releaseLease(world.app.parts, found, lease))
    await expect.poll(async () => (await dates(id)).leased).toBe(null)
  })

  it('that someone holds makes a check refuse', async () => {
    const id = await connected()
    await takeLease(world.app.parts, await row(id))
    const error = await refusal(verify(id))
    expect([error.status, error.code]).toEqual([409, 'check_running'])
  })
})

describe('the schedule', () => {
  it('of a stored access is not put off by a submission that was refused', async () => {
    const id = await connected()
    await world.query(sql`update integrations set check_due_at = now() + interval '3 minutes' where id = ${id}`)
    await submit(id, 'refuse')
    expect((await dates(id)).check).toBeLessThan(3)
  })

  it('does not renew a dead grant before its next check', async () => {
    const made = await google()
    await consent(made.connectUrl)
    await world.query(
      sql`update integrations set credential = overlay(credential placing 'AAAA' from 12), renew_due_at = now() where id = ${made.id}`,
    )
    await until(
      () => get(made.id),
      ({ status }) => status === 'error',
    )
    const { check, renew } = await dates(made.id)
    expect(check).toBeGreaterThan(300)
    expect(renew).toBeGreaterThan(300)
  })

  it('brings an integration in error back with a renewal that succeeds, because it is checked too', async () => {
    const made = await google()
    await consent(made.connectUrl)
    await consent((await agency.admin.client.issueConnectLink({ ...at, id: made.id }, {})).connectUrl, 'partial')
    expect((await get(made.id)).status).toBe('error')
    await world.query(sql`update integrations set renew_due_at = now() where id = ${made.id}`)
    expect(
      await until(
        () => get(made.id),
        ({ status }) => status === 'active',
      ),
    ).toMatchObject({ status: 'active', statusDetail: null })
    const { checks } = await agency.admin.client.listIntegrationChecks({ ...at, id: made.id })
    expect(checks[0]).toMatchObject({ kind: 'refresh', outcome: 'verified' })
  })

  it('renews a short-lived access at half its life, and one that is born expired not at once', () => {
    const at = (seconds: number) =>
      renewalDue(findProvider('google_ads')!, {
        ...credentialOf({}, { refreshToken: 'r' }),
        obtainedAt: '2026-01-01T00:00:00.000Z',
        accessExpiresAt: new Date(Date.parse('2026-01-01T00:00:00Z') + seconds * 1000).toISOString(),
      })!.getTime() - Date.parse('2026-01-01T00:00:00Z')
    expect([3600, 400, 60, 0, -60].map((seconds) => at(seconds) / 1000)).toEqual([3240, 200, 60, 60, 60])
  })

  it('shows in the metrics what is due and what is under way', async () => {
    await expect.poll(() => countDue(world.app.parts)).toBe(0)
    const metrics = async () => (await fetch(`http://127.0.0.1:${world.app.metricsPort}/metrics`)).text()
    await expect.poll(metrics).toMatch(/^adjoin_checks_due 0$/m)
    await expect.poll(metrics).toMatch(/^adjoin_checks_running 0$/m)
  })
})

describe('a system that has left the catalogue', () => {
  it('is an error that says who must act, for a check by hand and by the schedule, which does not repeat it at once', async () => {
    const [asked, kept] = await Promise.all([connected(), connected()])
    await world.query(sql`update integrations set provider = 'bygone_ads' where id = any (${[asked, kept]}::uuid[])`)
    await world.query(sql`update integrations set check_due_at = now() where id = ${kept}`)
    const expected = { status: 'error', statusDetail: expect.stringContaining('no longer supported here'), category: null }
    expect(await verify(asked)).toMatchObject(expected)
    await agency.admin.client.disableIntegration({ ...at, id: asked })
    expect(await agency.admin.client.enableIntegration({ ...at, id: asked })).toMatchObject(expected)
    expect(
      await until(
        () => get(kept),
        ({ status }) => status === 'error',
      ),
    ).toMatchObject(expected)
    expect((await dates(kept)).check).toBeGreaterThan(300)
    expect((await refusal(submit(kept))).code).toBe('wrong_connect_method')
    await agency.admin.client.deleteIntegration({ ...at, id: kept })
  })
})

describe('the record', () => {
  it('is updated by a client who connects again, not by a check that finds the same', async () => {
    const id = await connected()
    const first = await get(id)
    await verify(id)
    expect((await get(id)).updatedAt).toBe(first.updatedAt)
    await submit(id)
    expect((await get(id)).updatedAt > first.updatedAt).toBe(true)
  })

  it('waits for its client when it is enabled without ever having been connected, even after failed attempts', async () => {
    const { id } = await create()
    expect(await submit(id, 'refuse')).toMatchObject({ status: 'error' })
    await agency.admin.client.disableIntegration({ ...at, id })
    expect(await agency.admin.client.enableIntegration({ ...at, id })).toMatchObject({ status: 'pending', statusDetail: null })
  })

  it('is enabled by a member who submits credentials, and stays disabled through an outage', async () => {
    const { id } = await create()
    await agency.admin.client.disableIntegration({ ...at, id })
    expect(await submit(id, 'outage')).toMatchObject({ status: 'disabled', lastError: expect.any(String) })
    expect(await submit(id)).toMatchObject({ status: 'active', lastError: null })
  })

  it('is readable, and its workspace with it, when the link’s envelope is broken', async () => {
    const { id } = await create()
    await world.query(
      sql`update connect_links set token_sealed = overlay(token_sealed placing 'AAAA' from 12) where integration_id = ${id}`,
    )
    expect((await get(id)).connectLink).toBeNull()
    expect((await agency.admin.client.listIntegrations(at)).integrations.map((one) => one.id)).toContain(id)
    expect((await agency.admin.client.issueConnectLink({ ...at, id }, {})).connectLink).not.toBeNull()
  })

  it('consumes an expired link too when a member connects', async () => {
    const { id } = await create()
    await world.query(sql`update connect_links set expires_at = now() where integration_id = ${id}`)
    expect(await submit(id)).toMatchObject({ status: 'active', connectLink: null })
    expect(await world.query(sql`select from connect_links where integration_id = ${id}`)).toHaveLength(0)
  })

  it('has room for exactly a thousand in a workspace, however many are created at once', async () => {
    const full = await world.workspace(agency)
    await world.query(sql`insert into integrations (organization_id, workspace_id, provider, name)
      select ${agency.id}, ${full.id}, 'xandr', 'Many' from generate_series(1, 995)`)
    const results = await Promise.all(
      Array.from({ length: 20 }, () =>
        agency.admin.client.createIntegration({ ...at, workspaceSlug: full.slug }, { provider: 'xandr', name: 'More' }).then(
          () => 'created',
          (error) => error.code,
        ),
      ),
    )
    expect(results.filter((result) => result === 'created')).toHaveLength(5)
    expect(results.filter((result) => result === 'quota_reached')).toHaveLength(15)
  })

  it('goes with its workspace, its sealed access and its links too', async () => {
    const doomed = await world.workspace(agency)
    const there = { ...at, workspaceSlug: doomed.slug }
    const { id, connectUrl } = await agency.admin.client.createIntegration(there, { provider: 'xandr', name: 'Doomed' })
    await agency.admin.client.submitIntegrationCredentials({ ...there, id }, login())
    await agency.admin.client.issueConnectLink({ ...there, id }, {})
    expect((await refusal(agency.admin.client.deleteWorkspace(there))).code).toBe('workspace_in_use')
    await agency.admin.client.deleteWorkspace({ ...there, force: 'true' })
    for (const table of [sql`integrations where id`, sql`connect_links where integration_id`, sql`integration_checks where integration_id`])
      expect(await world.query(sql`select from ${table} = ${id}`)).toHaveLength(0)
    expect((await refusal(world.client().getConnectLink({ token: connectUrl.split('/').at(-1)! }))).status).toBe(404)
  })
})

describe('a stored access', () => {
  const broken: [string, (sealed: string, other: string) => string][] = [
    ['cut', (sealed) => sealed.slice(0, -4)],
    ['empty', () => ''],
    ['not an envelope', () => 'credential'],
    ['sealed by a key that is gone', (sealed) => sealed.replace('.test1.', '.gone1.')],
    ['copied from another integration', (_, other) => other],
  ]
  it.each(broken)('that is %s is an error for the operator, opens nowhere, and hides nothing else', async (_, spoil) => {
    const [id, other] = await Promise.all([connected(), connected()])
    const spoilt = spoil((await row(id)).credential!, (await row(other)).credential!)
    await world.query(sql`update integrations set credential = ${spoilt} where id = ${id}`)
    expect(await verify(id)).toMatchObject({ status: 'error', statusDetail: expect.stringContaining('Ask your Adjoin operator') })
    expect((await agency.admin.client.listIntegrations(at)).integrations.map((one) => one.id)).toEqual(expect.arrayContaining([id, other]))
    expect(await submit(id)).toMatchObject({ status: 'active' })
  })

  it('that makes a check crash is tried again when the lease has expired, not at once and for ever', async () => {
    const id = await connected()
    const sealed = world.app.parts.vault.seal('no JSON', credentialBinding(await row(id)))
    await world.query(sql`update integrations set credential = ${sealed}, check_due_at = now() where id = ${id}`)
    const failures = () => world.log.lines.filter((line) => line.includes('a check failed unexpectedly') && line.includes(id)).length
    await until(
      async () => failures(),
      (count) => count > 0,
    )
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect([failures(), (await dates(id)).leased]).toEqual([1, true])
  })
})

describe('the page after the consent screen', () => {
  const read = async (location: string) => world.client().getConnectResult({ result: /#(.+)$/.exec(location)![1]! })

  it('offers the way back to its own link only: one that replaced it belongs to another client', async () => {
    const made = await google()
    const location = await consent(made.connectUrl, 'deny')
    expect(await read(location)).toMatchObject({
      outcome: 'canceled',
      connectUrl: made.connectUrl,
      detail: expect.stringContaining('declined'),
    })
    await agency.admin.client.issueConnectLink({ ...at, id: made.id }, {})
    expect((await read(location)).connectUrl).toBeNull()
  })

  it('shows nothing of what happened after the visit', async () => {
    const made = await google()
    const failed = await consent(made.connectUrl, 'deny')
    const done = await consent(made.connectUrl)
    expect(await read(done)).toMatchObject({ outcome: 'connected', connectedAccount: 'Example Advertiser (1234567890)', detail: null })
    expect(await read(failed)).toMatchObject({ outcome: 'canceled', connectedAccount: null, connectUrl: null })
    const again = (await agency.admin.client.issueConnectLink({ ...at, id: made.id }, {})).connectUrl
    await consent(again)
    expect((await read(done)).connectedAccount).toBeNull()
  })
})

describe('deleting', () => {
  it('waits for the check that is renewing the access, and ends at the ad system what that one has stored', async () => {
    const made = await google()
    await consent(made.connectUrl)
    const { parts } = world.app
    // The only one that lives on this access.
    await world.query(sql`update integrations set grant_hash = null where id <> ${made.id}`)
    const found = await row(made.id)
    const lease = await takeLease(parts, found)
    const deleting = agency.admin.client.deleteIntegration({ ...at, id: made.id })
    const renewed = { ...openCredential(parts, found, found.credential!), refreshToken: world.twins.mint('google_ads', 'refresh') }
    expect(await storeRenewed(parts, parts.db.query, found, findProvider('google_ads')!, renewed, found.credential_version)).toBe(true)
    await releaseOnce(parts, found, lease)
    await deleting
    const { auditLogs } = await agency.admin.client.listAuditLogs({
      orgSlug: agency.slug,
      targetId: made.id,
      action: 'integration.deleted',
    })
    expect(auditLogs).toMatchObject([{ metadata: { revokedAtProvider: 'best_effort' } }])
    const session = parts.vendorSessions.open(findProvider('google_ads')!, new Date())
    expect(await renew(session, renewed, {})).toMatchObject({ outcome: 'rejected', reason: 'grant_revoked' })
  })
})
