// What a client keeps: a receipt with an off switch, access that ends on an agreed day, and one consent that heals many.
import type { Output } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepAgreements } from '../../src/features/integrations/agreed-access.ts'
import {
  consent,
  createSuite,
  integrate,
  newCredentials,
  newcomer,
  receipted,
  requested,
  type Suite,
  type Tenant,
  tokenOf,
} from '../suite.ts'
import { refusal, request, sql } from '../world.ts'

let suite: Suite
beforeAll(async () => {
  suite = await createSuite()
})
afterAll(() => suite.stop())

const anyone = () => suite.world.client()
const told = async ({ admin, o }: Tenant, types: string) => (await admin.listEvents({ ...o, after: 'start', types })).events

/** The result of a consent by the twin's one person. */
async function finish(tenant: Tenant): Promise<string> {
  const { headers } = await request(await consent(tenant))
  return new URL(headers.get('location')!).hash.slice(1)
}

describe('a receipt', () => {
  it('says what was connected, for whom, and what has been done with it since', async () => {
    const tenant = await suite.tenant()
    const { receiptUrl } = await anyone().getConnectResult({ result: await finish(tenant) })
    const [integration] = (await tenant.admin.listIntegrations(tenant.w)).integrations
    await suite.world.query(sql`insert into call_usage (organization_id, integration_id, hour, caller, effect, outcome, calls) values
      (${tenant.organization.id}, ${integration!.id}, date_trunc('hour', now()), 'key', 'read', 'ok', 41),
      (${tenant.organization.id}, ${integration!.id}, date_trunc('hour', now()), 'key', 'change', 'ok', 2)`)
    const receipt = await anyone().getReceipt({ token: tokenOf(receiptUrl!) })
    expect(receipt).toMatchObject({
      state: 'connected',
      organization: { name: tenant.organization.name },
      providerName: 'Google Ads',
      account: integration!.connectedAccount,
      connectedAt: integration!.connectedAt,
      permissions: expect.arrayContaining(['See and manage campaigns, budgets and reports in Google Ads']),
      callPolicy: { mode: 'read' },
      usage: [{ month: new Date().toISOString().slice(0, 7), reads: 41, changes: 2 }],
      lastChanges: [],
    })
  })

  it('ends the connection, also while the organization is frozen; the agency hears of it', async () => {
    const tenant = await suite.tenant()
    const { token, at } = await receipted(tenant)
    await tenant.admin.freezeOrganization(tenant.o, { reason: 'A key leaked' })
    expect(await anyone().disconnectByReceipt({ token })).toMatchObject({ state: 'disconnected', endedAt: expect.any(String) })
    await tenant.admin.thawOrganization(tenant.o)
    expect(await tenant.admin.getIntegration(at)).toMatchObject({ status: 'error', statusReason: 'client_disconnected', mustAct: 'client' })
    expect(await suite.world.query(sql`select from integrations where id = ${at.id} and credential is null`)).toHaveLength(1)
    expect(await refusal(tenant.admin.verifyIntegration(at))).toMatchObject({ status: 409, code: 'integration_unconnected' })
    expect(await refusal(anyone().disconnectByReceipt({ token }))).toMatchObject({ status: 409, code: 'receipt_closed' })
    expect(await anyone().getReceipt({ token })).toMatchObject({ state: 'disconnected' })
    expect(await told(tenant, 'integration.disconnected')).toMatchObject([
      { actor: { type: 'client' }, data: { integration: { status: 'error', statusReason: 'client_disconnected', mustAct: 'client' } } },
    ])
    await expect
      .poll(async () => (await suite.world.mails(tenant.organization.admin.email)).map(({ subject }) => subject))
      .toContainEqual(expect.stringMatching(/^Publisher.*needs attention$/))
  })

  it('ends what is disabled as well, and is pressed by two hands once', async () => {
    const tenant = await suite.tenant()
    const { token, at } = await receipted(tenant)
    await tenant.admin.disableIntegration(at)
    const hands = await Promise.allSettled(Array.from({ length: 5 }, () => anyone().disconnectByReceipt({ token })))
    expect(hands.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await tenant.admin.getIntegration(at)).toMatchObject({ status: 'error', statusReason: 'client_disconnected' })
    expect(await told(tenant, 'integration.disconnected')).toHaveLength(1)
  })

  it('is void once the same integration is connected again, by client or member', async () => {
    const tenant = await suite.tenant()
    const { token, at } = await receipted(tenant)
    const { connectUrl } = await tenant.admin.issueConnectLink(at, {})
    const { receiptUrl } = await anyone().submitConnectCredentials({ token: tokenOf(connectUrl) }, newCredentials())
    expect(await refusal(anyone().getReceipt({ token }))).toMatchObject({ status: 404 })
    await tenant.admin.submitIntegrationCredentials(at, newCredentials())
    expect(await refusal(anyone().disconnectByReceipt({ token: tokenOf(receiptUrl!) }))).toMatchObject({ status: 404 })
    expect(await tenant.admin.getIntegration(at)).toMatchObject({ status: 'active' })
  })

  it('is reconnected by a new consent after it was used to disconnect', async () => {
    const tenant = await suite.tenant()
    const { token, at } = await receipted(tenant)
    await anyone().disconnectByReceipt({ token })
    const { connectUrl } = await tenant.admin.issueConnectLink(at, {})
    expect(await anyone().submitConnectCredentials({ token: tokenOf(connectUrl) }, newCredentials())).toMatchObject({ status: 'active' })
  })
})

describe('access until a day', () => {
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)

  it('is seen before consenting, told of 7 days and 1 day before, and ends on that day', async () => {
    const tenant = await suite.tenant()
    const items = [{ provider: 'xandr' as const, accessUntil: day(30) }]
    const made = await tenant.admin.createConnectRequest(tenant.w, { title: 'For a month', items })
    const token = tokenOf(made.connectUrl!)
    expect((await anyone().getPublicConnectRequest({ token })).request!.items).toMatchObject([{ accessUntil: day(30) }])
    const { receiptUrl } = await anyone().submitConnectItemCredentials({ token, itemId: made.items[0]!.id }, newCredentials())
    const at = { ...tenant.w, id: made.items[0]!.integrationId }
    expect(await tenant.admin.getIntegration(at)).toMatchObject({ accessUntil: day(30) })
    const until = (offset: number) =>
      suite.world.query(
        sql`update integrations set access_until = ${day(offset)}::date, connected_at = now() - interval '30 days' where id = ${at.id}`,
      )
    for (const offset of [8, 7, 6, 1]) {
      await until(offset)
      await keepAgreements(suite.world.app.parts)
      await keepAgreements(suite.world.app.parts)
    }
    expect((await told(tenant, 'integration.expiring')).map(({ data }) => data.days)).toEqual([7, 1])
    await until(0)
    await keepAgreements(suite.world.app.parts)
    expect(await tenant.admin.getIntegration(at)).toMatchObject({ status: 'error', statusReason: 'access_ended', mustAct: 'agency' })
    expect(await suite.world.query(sql`select from integrations where id = ${at.id} and credential is null`)).toHaveLength(1)
    expect(await told(tenant, 'integration.access_ended')).toMatchObject([{ actor: { type: 'system' } }])
    expect(await anyone().getReceipt({ token: tokenOf(receiptUrl!) })).toMatchObject({ state: 'ended' })
  })

  it('is no longer agreed when a new consent comes after it, and moves with one that says another day', async () => {
    const tenant = await suite.tenant()
    const { token, ...at } = await integrate(tenant)
    await suite.world.query(sql`update integrations set access_until = ${day(-1)}::date where id = ${at.id}`)
    expect(await anyone().getConnectLink({ token })).toMatchObject({ accessUntil: null })
    await anyone().submitConnectCredentials({ token }, newCredentials())
    expect(await tenant.admin.getIntegration(at)).toMatchObject({ status: 'active', accessUntil: null })
    const items = [{ integrationId: at.id, accessUntil: day(90) }]
    const made = await tenant.admin.createConnectRequest(tenant.w, { title: 'Longer', items })
    expect(await tenant.admin.getIntegration(at)).toMatchObject({ accessUntil: null })
    await anyone().submitConnectItemCredentials({ token: tokenOf(made.connectUrl!), itemId: made.items[0]!.id }, newCredentials())
    expect(await tenant.admin.getIntegration(at)).toMatchObject({ status: 'active', accessUntil: day(90) })
  })
})

describe('one consent', () => {
  // Without the checks of the background, which would find that at a twin nothing was revoked.
  let unattended: Suite
  beforeAll(async () => {
    unattended = await createSuite({ roles: { api: true, jobs: false } })
  })
  afterAll(() => unattended.stop())

  /** As a page does it: again for those that there was no time for. */
  async function renewAll(result: string, integrationIds: string[]): Promise<Output<'renewWithSameLogin'>['results']> {
    const { results } = await unattended.world.client().renewWithSameLogin({ result }, { integrationIds })
    const later = results.flatMap(({ id, outcome }) => (outcome === 'later' ? [id] : []))
    const done = results.filter(({ outcome }) => outcome !== 'later')
    return later.length ? [...done, ...(await renewAll(result, later))] : done
  }

  it('heals forty that were connected with the same login, each verified on its own', async () => {
    const tenant = await unattended.tenant()
    for (let n = 0; n < 42; n++) await finish(tenant)
    const here = sql`organization_id = ${tenant.organization.id}`
    await unattended.world.query(
      sql`update integrations set status = 'error', status_detail = 'Revoked', status_reason = 'grant_revoked' where ${here}`,
    )
    const logins = async () => (await tenant.admin.listOrganizationIntegrations({ ...tenant.o, limit: 200 })).integrations
    expect(new Set((await logins()).map(({ sharedLogin }) => sharedLogin))).toEqual(new Set([expect.stringMatching(/^[\w-]{43}$/)]))
    // One has another account behind it by now, one asks for an account that this login does not reach.
    const [strange, far] = (await tenant.admin.listIntegrations(tenant.w)).integrations
    await unattended.world.query(sql`update integrations set connected_account = 'Another (999)' where id = ${strange!.id}`)
    await unattended.world.query(sql`update integrations set settings = '{"customerId":"5550001111"}' where id = ${far!.id}`)
    const result = await finish(tenant)
    const { others } = await unattended.world.client().getConnectResult({ result })
    expect(others).toHaveLength(42)
    expect(others[0]).toMatchObject({ name: 'Search', workspace: { name: tenant.workspace.name } })
    const results = await renewAll(
      result,
      others.map(({ id }) => id),
    )
    expect(results.filter(({ outcome }) => outcome === 'connected')).toHaveLength(40)
    expect(results.find(({ id }) => id === strange!.id)).toMatchObject({ outcome: 'failed', reason: 'wrong_account' })
    expect(results.find(({ id }) => id === far!.id)).toMatchObject({ outcome: 'failed', mustAct: expect.any(String) })
    const after = await tenant.admin.listIntegrations({ ...tenant.w, status: 'active' })
    expect(after.integrations).toHaveLength(41)
    expect((await logins()).filter(({ sharedLogin }) => sharedLogin)).toHaveLength(2)
    expect(
      await unattended.world.query(sql`select distinct credential from integrations where ${here} and status = 'active'`),
    ).toHaveLength(41)
    expect((await unattended.world.client().getConnectResult({ result })).others.map(({ id }) => id).sort()).toEqual(
      [strange!.id, far!.id].sort(),
    )
  })

  it('offers nothing of another organization, and renews nothing that was not offered', async () => {
    const [tenant, other] = [await unattended.tenant(), await unattended.tenant()]
    await finish(other)
    await unattended.world.query(sql`update integrations set status = 'error' where organization_id = ${other.organization.id}`)
    const [theirs] = (await other.admin.listIntegrations(other.w)).integrations
    const result = await finish(tenant)
    expect((await unattended.world.client().getConnectResult({ result })).others).toEqual([])
    expect(await unattended.world.client().renewWithSameLogin({ result }, { integrationIds: [theirs!.id] })).toEqual({ results: [] })
    expect(await other.admin.getIntegration({ ...other.w, id: theirs!.id })).toMatchObject({ status: 'error' })
    // Nor can the two tell from what they are shown that it is the same login.
    await unattended.world.query(sql`update integrations set status = 'error' where organization_id = ${tenant.organization.id}`)
    const [mine, its] = await Promise.all([tenant, other].map(({ admin, o }) => admin.listOrganizationIntegrations(o)))
    expect(mine!.integrations[0]!.sharedLogin).not.toBe(its!.integrations[0]!.sharedLogin)
  })
})

describe('the confirmation', () => {
  it('is mailed when everything is done, with a receipt for each', async () => {
    const tenant = await suite.tenant()
    const clientEmail = newcomer()
    const { at, items } = await requested(tenant, { clientEmail })
    await tenant.admin.updateConnectRequest(at, { language: 'de' })
    await anyone().submitConnectItemCredentials(items[0]!, newCredentials())
    expect(
      await suite.world.query(sql`select from jobs where share = ${tenant.organization.id} and failed_at is null and run_at > now()`),
    ).toEqual([])
    await anyone().declineConnectItem(items[1]!)
    await expect.poll(async () => (await suite.world.mails(clientEmail)).length).toBe(1)
    const [mail] = await suite.world.mails(clientEmail)
    expect(mail!.subject).toContain('Ihre Werbekonten sind mit')
    const [, token] = /connect\/receipt\/([\w-]{43})/.exec(mail!.text)!
    expect(await anyone().getReceipt({ token: token! })).toMatchObject({ state: 'connected', name: 'Publisher' })
  })
})
