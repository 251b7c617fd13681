import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../furnishing/until.ts'
import { openCredential, storeRenewed } from '../src/features/integrations/credential.ts'
import { findIntegration, type IntegrationRow } from '../src/features/integrations/integration-row.ts'
import { findProvider } from '../src/providers/index.ts'
import type { Credential } from '../src/providers/provider.ts'
import { changeCredential } from './connected-integration.ts'
import { createWorld, request, sql, type TestOrganization, type TestWorkspace, type World } from './world.ts'

let world: World
let agency: TestOrganization
let place: TestWorkspace
let at: { orgSlug: string; workspaceSlug: string }
beforeAll(async () => {
  world = await createWorld()
  await Promise.all([world.replica(), world.replica()]) // three keepers on one table
  agency = await world.organization()
  place = await world.workspace(agency)
  at = { orgSlug: agency.slug, workspaceSlug: place.slug }
})
afterAll(() => world.stop())

const settings = { customerId: '1234567890' }

/** Connected through the consent screen, as a client would. */
async function connected(name = 'Search'): Promise<string> {
  const made = await agency.admin.client.createIntegration(at, { provider: 'google_ads', name, settings })
  const { authorizationUrl } = await world.client().startConnectOAuth({ token: made.connectUrl.split('/').at(-1)! }, {})
  const there = await fetch(`${authorizationUrl}&decision=allow`, { redirect: 'manual' })
  await request(there.headers.get('location')!.replace('http://localhost:3000', world.url))
  return made.id
}
const row = async (id: string) => (await findIntegration(world.app.parts.db.query, { organizationId: agency.id, id }))! as IntegrationRow
const credential = async (id: string) => {
  const found = await row(id)
  return openCredential(world.app.parts, found, found.credential!)
}
const replace = (id: string, change: (credential: Credential) => Partial<Credential>) => changeCredential(world, agency, id, change)
const due = (id: string, what: 'check' | 'renew') =>
  what === 'check'
    ? world.query(sql`update integrations set check_due_at = now() where id = ${id}`)
    : world.query(sql`update integrations set renew_due_at = now() where id = ${id}`)
const checks = async (id: string) => (await agency.admin.client.listIntegrationChecks({ ...at, id })).checks
const get = (id: string) => agency.admin.client.getIntegration({ ...at, id })

describe('a check in the background', () => {
  it('finds an access that was withdrawn, says who must act, writes once to the creator and once to the trail', async () => {
    const id = await connected('Withdrawn')
    world.twins.revoke('google_ads', (await credential(id)).refreshToken!)
    await due(id, 'check')
    const broken = await until(
      () => get(id),
      ({ status }) => status === 'error',
    )
    expect(broken).toMatchObject({ status: 'error', statusReason: 'grant_revoked', mustAct: 'client' })
    await due(id, 'check')
    await until(
      () => checks(id),
      (found) => found.length >= 3,
    )
    const { auditLogs } = await agency.admin.client.listAuditLogs({ orgSlug: agency.slug, targetId: id })
    expect(auditLogs.filter(({ action }) => action === 'integration.status_changed')).toHaveLength(1)
    expect(auditLogs[0]).toMatchObject({ actor: { type: 'system' }, context: { via: 'job' }, workspace: { slug: place.slug } })
    const mails = await world.mails(agency.admin.email, 2)
    const told = mails.filter(({ subject }) => subject === 'Withdrawn: Google Ads needs attention')
    expect(told).toHaveLength(1)
    expect(told[0]!.text).toContain('Your client needs to fix this.')
  })

  it('leaves the status alone through an outage, looks again in a quarter of an hour, and forgets the failure when it has passed', async () => {
    const id = await connected()
    const good = await credential(id)
    await replace(id, ({ scopes }) => ({ accessToken: world.twins.mint('google_ads', 'access', { play: 'outage', scopes }) }))
    await due(id, 'check')
    const ailing = await until(
      () => get(id),
      ({ lastError }) => lastError !== null,
    )
    expect(ailing).toMatchObject({
      status: 'active',
      lastError: expect.stringContaining('retry automatically'),
      lastErrorAt: expect.any(String),
    })
    const [soon] = await world.query<{ minutes: number }>(
      sql`select extract(epoch from check_due_at - now())::float8 / 60 as minutes from integrations where id = ${id}`,
    )
    expect(soon!.minutes).toBeGreaterThan(12)
    expect(soon!.minutes).toBeLessThan(17)
    await replace(id, () => good)
    await due(id, 'check')
    expect(
      await until(
        () => get(id),
        ({ lastError }) => lastError === null,
      ),
    ).toMatchObject({ status: 'active', lastErrorAt: null })
  })

  it('brings an integration back by itself when the cause is gone', async () => {
    const id = await connected()
    const good = await credential(id)
    await replace(id, () => ({ scopes: [] }))
    await due(id, 'check')
    expect(
      await until(
        () => get(id),
        ({ status }) => status === 'error',
      ),
    ).toMatchObject({ statusDetail: expect.stringContaining('“See and manage campaigns, budgets and reports in Google Ads”') })
    await replace(id, () => good)
    await due(id, 'check')
    expect(
      await until(
        () => get(id),
        ({ status }) => status === 'active',
      ),
    ).toMatchObject({ statusDetail: null })
  })

  it('is made once, however many processes look for work', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => connected()))
    await world.query(sql`update integrations set check_due_at = now() where id = any (${ids}::uuid[])`)
    for (const id of ids)
      await until(
        () => checks(id),
        (found) => found.length >= 2,
      )
    await new Promise((resolve) => setTimeout(resolve, 300))
    for (const id of ids) expect((await checks(id)).map(({ kind }) => kind)).toEqual(['check', 'connect'])
  })

  it('is taken over from a process that died with it', async () => {
    const id = await connected()
    await world.query(sql`update integrations set check_due_at = now(), leased_until = now() + interval '1 second' where id = ${id}`)
    expect(
      await until(
        () => checks(id),
        (found) => found.length >= 2,
      ),
    ).toHaveLength(2)
  })

  it('does not touch what is disabled or was never connected', async () => {
    const disabled = await connected()
    await agency.admin.client.disableIntegration({ ...at, id: disabled })
    const pending = await agency.admin.client.createIntegration(at, { provider: 'google_ads', name: 'Waiting', settings })
    await Promise.all([disabled, pending.id].map((id) => due(id, 'check')))
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect((await checks(disabled)).map(({ kind }) => kind)).toEqual(['connect'])
    expect(await checks(pending.id)).toEqual([])
  })
})

describe('a token', () => {
  it('is renewed ahead of its expiry, without a word when all is well', async () => {
    const id = await connected()
    const before = await credential(id)
    await due(id, 'renew')
    const after = await until(
      () => credential(id),
      ({ accessToken }) => accessToken !== before.accessToken,
    )
    expect(after.accessToken).not.toBe(before.accessToken)
    expect(after.refreshToken).toBe(before.refreshToken)
    expect((await checks(id)).map(({ kind }) => kind)).toEqual(['connect'])
    const [next] = await world.query<{ ahead: boolean }>(
      sql`select renew_due_at > now() + interval '40 minutes' as ahead from integrations where id = ${id}`,
    )
    expect(next!.ahead).toBe(true)
  })

  it('never overwrites what a client has connected meanwhile', async () => {
    const id = await connected()
    const snapshot = await row(id)
    const old = await credential(id)
    await world.query(sql`update integrations set credential_version = credential_version + 1 where id = ${id}`)
    const stored = await storeRenewed(
      world.app.parts,
      world.app.parts.db.query,
      snapshot,
      findProvider('google_ads')!,
      { ...old, accessToken: 'late' },
      snapshot.credential_version,
    )
    expect(stored).toBe(false)
    expect((await credential(id)).accessToken).toBe(old.accessToken)
  })
})
