import { createClient } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCredential } from '../src/features/integrations/credential.ts'
import { findIntegration } from '../src/features/integrations/integration-row.ts'
import { findProvider } from '../src/providers/index.ts'
import { renew } from '../src/providers/session.ts'
import { createWorld, newAddress, refusal, request, sql, type TestOrganization, type TestWorkspace, type World } from './world.ts'

let world: World
let agency: TestOrganization
let place: TestWorkspace
let at: { orgSlug: string; workspaceSlug: string }
beforeAll(async () => {
  world = await createWorld()
  agency = await world.organization('Northwind Agency')
  place = await world.workspace(agency)
  at = { orgSlug: agency.slug, workspaceSlug: place.slug }
})
afterAll(() => world.stop())

const tokenOf = (url: string) => url.split('/').at(-1)!
const form = { username: 'api-user', password: 'Correct-Horse-1' }
const settings = { customerId: '123-456-7890' }
const create = async (more: object = {}) => {
  const made = await agency.admin.client.createIntegration(at, { provider: 'google_ads', name: 'Search', settings, ...more })
  return { id: made.id, token: tokenOf(made.connectUrl) }
}
const get = (id: string) => agency.admin.client.getIntegration({ ...at, id })
const actions = async () =>
  (await agency.admin.client.listAuditLogs({ orgSlug: agency.slug, limit: 200 })).auditLogs.map(
    ({ action, target }) => `${action} ${target.id}`,
  )

/** What the client's browser does: consent at the (stand-in) system, then back to us. */
async function consent(token: string, decision = 'allow', url = world.url) {
  const { authorizationUrl } = await createClient({ url, headers: { 'x-forwarded-for': newAddress() } }).startConnectOAuth({ token }, {})
  const there = await fetch(`${authorizationUrl}&decision=${decision}`, { redirect: 'manual' })
  return there.headers.get('location')!.replace('http://localhost:3000', url)
}
const back = (callback: string) => request(callback)

describe('the connect page', () => {
  it('says who asks and for what, and consumes nothing however often it is read', async () => {
    const { token, id } = await create({ expectedAccount: '1234567890' })
    for (let i = 0; i < 20; i++) {
      const page = await createClient({ url: world.url, headers: { 'x-forwarded-for': newAddress() } }).getConnectLink({ token })
      expect(page).toMatchObject({
        state: 'ready',
        organization: { name: 'Northwind Agency' },
        workspace: { name: place.name },
        requester: { name: 'Ada' },
        name: 'Search',
        provider: { provider: 'google_ads', available: true },
        expectedAccount: '1234567890',
        callPolicy: { mode: 'read', accounts: null },
      })
    }
    expect((await get(id)).connectLink).not.toBeNull()
  })

  it('says what programs will be able to do, as decided last', async () => {
    const { token, id } = await create()
    for (const mode of ['off', 'full'] as const) {
      await agency.admin.client.setIntegrationCallPolicy({ ...at, id }, { mode })
      expect((await world.client().getConnectLink({ token })).callPolicy).toEqual({ mode, accounts: null })
    }
  })

  it('shows an expired link as expired and refuses to connect through it', async () => {
    const { token, id } = await create()
    await world.query(sql`update connect_links set expires_at = now() where integration_id = ${id}`)
    expect((await world.client().getConnectLink({ token })).state).toBe('expired')
    const error = await refusal(world.client().startConnectOAuth({ token }, {}))
    expect([error.status, error.code]).toEqual([401, 'link_expired'])
    expect((await get(id)).connectLink).toMatchObject({ expired: true })
  })

  it('gives unknown, replaced and revoked links the same answer', async () => {
    const first = await create()
    await agency.admin.client.issueConnectLink({ ...at, id: first.id }, { expiresInDays: 1 })
    const second = await create()
    await agency.admin.client.revokeConnectLink({ ...at, id: second.id })
    const answers = await Promise.all(
      [first.token, second.token, 'x'.repeat(43)].map((token) => request(`${world.url}/v1/connect/${token}`)),
    )
    const bodies = answers.map((answer) => ({ ...answer.json(), instance: '', requestId: '' }))
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(bodies[0]).toEqual(bodies[2])
    expect(bodies[1]).toEqual(bodies[2])
  })
})

describe('connecting by consent', () => {
  it('connects, names the account, consumes the link, and sends the client on with the outcome', async () => {
    const { token, id } = await create({ returnUrl: 'https://agency.example/done?from=adjoin' })
    const answer = await back(await consent(token))
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toBe(`https://agency.example/done?from=adjoin&status=connected&integrationId=${id}`)
    expect(await get(id)).toMatchObject({ status: 'active', connectedAccount: 'Example Advertiser (1234567890)', connectLink: null })
    expect(await actions()).toContain(`integration.connected ${id}`)
    const [mail] = await world.mails(agency.admin.email)
    expect(mail!.subject).toBe('Search: Google Ads is connected')
  })

  it('ends on a page of ours that nobody else can make up, where there is no returnUrl', async () => {
    const { token } = await create()
    const answer = await back(await consent(token))
    const [, result] = /\/connect\/result#(.+)$/.exec(answer.headers.get('location')!)!
    expect(await world.client().getConnectResult({ result: result! })).toMatchObject({
      outcome: 'connected',
      organization: { name: 'Northwind Agency' },
      providerName: 'Google Ads',
      connectedAccount: 'Example Advertiser (1234567890)',
    })
    expect((await refusal(world.client().getConnectResult({ result: `${result!.slice(0, -2)}AA` }))).status).toBe(404)
  })

  it.each([
    ['deny', 'canceled', 'consent_denied', 'declined'],
    ['partial', 'failed', 'scope_missing', '“See and manage campaigns, budgets and reports in Google Ads”'],
  ])('leaves the link for another try after %s', async (decision, outcome, reason, detail) => {
    const { token, id } = await create()
    const location = (await back(await consent(token, decision))).headers.get('location')!
    const result = await world.client().getConnectResult({ result: location.split('#')[1]! })
    expect(result).toMatchObject({ outcome, reason, mustAct: 'client' })
    expect(await get(id)).toMatchObject({ status: 'error', statusDetail: expect.stringContaining(detail), connectLink: { expired: false } })
    await back(await consent(token))
    expect((await get(id)).status).toBe('active')
  })

  it('stores the access and consumes the link when only the agency’s setting is missing', async () => {
    const { token, id } = await create({ settings: {} })
    await back(await consent(token))
    expect(await get(id)).toMatchObject({ status: 'error', statusDetail: expect.stringContaining('Add it in Settings'), connectLink: null })
    expect(await agency.admin.client.updateIntegration({ ...at, id }, { settings })).toMatchObject({ status: 'active' })
  })

  it('takes a state once: of a hundred callbacks over three replicas one connects', async () => {
    const replicas = [world.app, await world.replica(), await world.replica()]
    const { token, id } = await create()
    const callback = await consent(token)
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => request(callback.replace(world.url, replicas[i % 3]!.url))))
    expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(302))
    expect(answers.filter((answer) => answer.headers.get('location')!.includes('/connect/result#'))).toHaveLength(1)
    expect((await actions()).filter((action) => action === `integration.connected ${id}`)).toHaveLength(1)
    expect(await get(id)).toMatchObject({ status: 'active', connectLink: null })
  })

  it('refuses a state made before its link was replaced, and any changed one', async () => {
    const { token, id } = await create()
    const callback = await consent(token)
    await agency.admin.client.issueConnectLink({ ...at, id }, {})
    expect((await back(callback)).headers.get('location')).toBe('http://localhost:3000/error?code=connect_link_gone')
    const changed = new URL(callback)
    changed.searchParams.set('state', `${changed.searchParams.get('state')!.slice(0, -3)}AAA`)
    expect((await back(changed.href)).headers.get('location')).toBe('http://localhost:3000/error?code=connect_state_invalid')
    expect((await get(id)).status).toBe('pending')
  })

  it('stores nothing on an integration that was disabled or deleted meanwhile', async () => {
    for (const end of ['disableIntegration', 'deleteIntegration'] as const) {
      const { token, id } = await create()
      const callback = await consent(token)
      await agency.admin.client[end]({ ...at, id })
      expect((await back(callback)).headers.get('location')).toBe('http://localhost:3000/error?code=connect_link_gone')
      expect(await world.query(sql`select from integrations where id = ${id} and credential is not null`)).toHaveLength(0)
    }
  })
})

describe('deleting an integration', () => {
  const google = findProvider('google_ads')!
  /** Deletes, and answers what the trail says of it and whether the ad system still renews that access. */
  const deleted = async (id: string) => {
    const { parts } = world.app
    const row = (await findIntegration(parts.db.query, { organizationId: agency.id, id }))!
    const credential = openCredential(parts, row, row.credential!)
    await agency.admin.client.deleteIntegration({ ...at, id })
    const { auditLogs } = await agency.admin.client.listAuditLogs({ orgSlug: agency.slug, targetId: id, action: 'integration.deleted' })
    const { outcome } = await renew(parts.vendorSessions.open(google, new Date()), credential, {})
    return { metadata: auditLogs[0]!.metadata, outcome }
  }

  it('ends the access at the system only when no other integration lives on the same person’s access, and tells neither', async () => {
    const stranger = await world.organization()
    const elsewhere = { orgSlug: stranger.slug, workspaceSlug: (await world.workspace(stranger)).slug }
    const theirs = await stranger.admin.client.createIntegration(elsewhere, { provider: 'google_ads', name: 'Search', settings })
    const [one, other] = [await create(), await create()]
    // Whoever else connected in this file does not count.
    await world.query(sql`update integrations set grant_hash = null`)
    for (const token of [one.token, tokenOf(theirs.connectUrl)]) await back(await consent(token))
    const kept = await deleted(one.id)
    expect(kept.outcome).toBe('granted')
    expect((await stranger.admin.client.verifyIntegration({ ...elsewhere, id: theirs.id })).status).toBe('active')

    await world.query(sql`update integrations set grant_hash = null`)
    await back(await consent(other.token))
    const ended = await deleted(other.id)
    expect(ended.outcome).toBe('rejected')
    expect(ended.metadata).toEqual({ ...kept.metadata, integration: expect.objectContaining({ id: other.id }) })
    expect(kept.metadata).toMatchObject({ provider: 'google_ads', revokedAtProvider: 'best_effort' })
  })
})

describe('a client who comes back with nonsense', () => {
  it.each(['state=a&state=b', `state=${'x'.repeat(5000)}`, 'state=%00', 'state[a]=b', ''])('is sent on: %s', async (query) => {
    const answer = await request(`${world.url}/v1/connect/oauth/callback?${query}`)
    expect([answer.status, answer.headers.get('location')]).toEqual([302, 'http://localhost:3000/error?code=connect_state_invalid'])
  })
})

describe('connecting by form', () => {
  it('answers what became of it, and where to go', async () => {
    const { token, id } = await create({ provider: 'xandr', settings: {}, returnUrl: 'https://agency.example/done' })
    const refused = await world.client().submitConnectCredentials({ token }, { ...form, username: 'api-refuse' })
    expect(refused).toMatchObject({
      status: 'error',
      statusDetail: expect.stringContaining('rejected these credentials'),
      reason: 'login_refused',
      mustAct: 'client',
      returnUrl: `https://agency.example/done?status=failed&integrationId=${id}`,
    })
    const connected = await world.client().submitConnectCredentials({ token }, form)
    expect(connected).toMatchObject({
      status: 'active',
      connectedAccount: expect.any(String),
      reason: null,
      mustAct: null,
      returnUrl: `https://agency.example/done?status=connected&integrationId=${id}`,
    })
  })

  it('consumes the link once: of a hundred at once over three replicas one stores', async () => {
    const replicas = [world.app, await world.replica({ limitsFactor: 1000 }), await world.replica({ limitsFactor: 1000 })]
    const { token, id } = await create({ provider: 'xandr', settings: {} })
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        createClient({ url: replicas[1 + (i % 2)]!.url, headers: { 'x-forwarded-for': newAddress() } })
          .submitConnectCredentials({ token }, form)
          .then(
            ({ status }) => status,
            (error) => error.code,
          ),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'active')).toHaveLength(1)
    expect((await actions()).filter((action) => action === `integration.connected ${id}`)).toHaveLength(1)
    expect((await get(id)).connectLink).toBeNull()
  })
})
