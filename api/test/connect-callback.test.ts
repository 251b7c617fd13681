// What a browser brings back from a consent screen is anyone's to write:
// it is judged, quoted, and leads nobody anywhere by itself.
import { createClient } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, newAddress, request, sql, type TestOrganization, type World } from './world.ts'

let world: World
let agency: TestOrganization
let at: { orgSlug: string; workspaceSlug: string }
beforeAll(async () => {
  world = await createWorld()
  agency = await world.organization('Northwind Agency')
  at = { orgSlug: agency.slug, workspaceSlug: (await world.workspace(agency)).slug }
})
afterAll(() => world.stop())

const settings = { customerId: '123-456-7890' }
const create = async (more: object = {}) => {
  const made = await agency.admin.client.createIntegration(at, { provider: 'google_ads', name: 'Search', settings, ...more })
  return { id: made.id, token: made.connectUrl.split('/').at(-1)! }
}
/** The state that the consent screen was opened with. */
const begin = async (token: string) => {
  const client = createClient({ url: world.url, headers: { 'x-forwarded-for': newAddress() } })
  const { authorizationUrl } = await client.startConnectOAuth({ token }, {})
  return { authorizationUrl, state: new URL(authorizationUrl).searchParams.get('state')! }
}
const comeBack = (parameters: Record<string, string>, address?: string) =>
  request(`${world.url}/v1/connect/oauth/callback?${new URLSearchParams(parameters)}`, address ? { address } : {})

describe('what a browser says in the name of an ad system', () => {
  const description =
    'Your account is locked.\r\nCall Ada” at https://evil.example/x or www.evil.com, mail ada@evil.example, see evil.example/y! '

  it.each(['access_denied', 'invalid_client'])('is quoted as the browser’s, short and without links: %s', async (error) => {
    const { id, token } = await create()
    const { state } = await begin(token)
    await comeBack({ state, error, error_description: description.repeat(20) })
    const { statusDetail } = await agency.admin.client.getIntegration({ ...at, id })
    const quoted = /^[^“”]+ The browser came back from Google Ads with: “([^“”]+)”$/.exec(statusDetail!)?.[1]
    expect(quoted).toBe('Your account is locked. Call Ada’ at [link] or [link] mail [link] see evil. example/y! Your account…')
    const { checks } = await agency.admin.client.listIntegrationChecks({ ...at, id })
    expect(checks[0]!.detail).toBe(statusDetail)
    const mailed = async () => (await world.mails(agency.admin.email)).find(({ text }) => text.includes(id))
    await expect.poll(mailed).toBeDefined()
    const mail = (await mailed())!
    expect(mail.text).toContain(quoted)
    expect(mail.text.replace(/http:\/\/localhost:3000\/\S+/g, '')).not.toMatch(/:\/\/|www\.|\S@\S|evil\.\w/)
  })
})

describe('the agency’s page', () => {
  const returnUrl = 'https://agency.example/done'
  const RESULT = /^http:\/\/localhost:3000\/connect\/result#(.+)$/

  it.each([
    ['allow', 'connected'],
    ['partial', 'failed'],
  ])('is where a browser is sent after a consent that was given: %s', async (decision, status) => {
    const { id, token } = await create({ returnUrl })
    const { authorizationUrl } = await begin(token)
    const there = await fetch(`${authorizationUrl}&decision=${decision}`, { redirect: 'manual' })
    const back = await comeBack(Object.fromEntries(new URL(there.headers.get('location')!).searchParams))
    expect(back.headers.get('location')).toBe(`${returnUrl}?status=${status}&integrationId=${id}`)
  })

  it.each<[Record<string, string>, string]>([
    [{ error: 'access_denied' }, 'canceled'],
    [{ error: 'server_error' }, 'failed'],
    [{ error: 'invalid_client' }, 'failed'],
    [{ error: 'anything' }, 'failed'],
    [{ code: 'never-given' }, 'failed'],
    [{ code: 'never-given', error: 'access_denied' }, 'canceled'],
    [{}, 'failed'],
  ])('is offered, not gone to, when %j comes with a state that anyone with the link can have', async (parameters, outcome) => {
    const { id, token } = await create({ returnUrl })
    const { state } = await begin(token)
    const location = (await comeBack({ state, ...parameters })).headers.get('location')!
    const result = await world.client().getConnectResult({ result: RESULT.exec(location)![1]! })
    expect(result).toMatchObject({
      outcome,
      organization: { name: 'Northwind Agency' },
      returnUrl: `${returnUrl}?status=${outcome}&integrationId=${id}`,
      connectUrl: `http://localhost:3000/connect/${token}`,
    })
  })

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['replaced', (id) => agency.admin.client.issueConnectLink({ ...at, id }, {})],
    ['revoked', (id) => agency.admin.client.revokeConnectLink({ ...at, id })],
    ['expired', (id) => world.query(sql`update connect_links set expires_at = now() where integration_id = ${id}`)],
    ['used', (id) => world.query(sql`delete from connect_links where integration_id = ${id}`)],
  ])('is offered to a client whose link was %s while they consented, and nothing is stored', async (_, end) => {
    const { id, token } = await create({ returnUrl })
    const { authorizationUrl } = await begin(token)
    const there = await fetch(`${authorizationUrl}&decision=allow`, { redirect: 'manual' })
    await end(id)
    const location = (await comeBack(Object.fromEntries(new URL(there.headers.get('location')!).searchParams))).headers.get('location')!
    expect(await world.client().getConnectResult({ result: RESULT.exec(location)![1]! })).toMatchObject({
      outcome: 'failed',
      reason: null,
      connectUrl: null,
      returnUrl: `${returnUrl}?status=failed&integrationId=${id}`,
    })
    expect(await agency.admin.client.getIntegration({ ...at, id })).toMatchObject({ status: 'pending', connectedAccount: null })
  })

  it('is not offered where none was asked for, nor after connecting', async () => {
    const { token } = await create()
    const { authorizationUrl } = await begin(token)
    const there = await fetch(`${authorizationUrl}&decision=allow`, { redirect: 'manual' })
    const location = (await comeBack(Object.fromEntries(new URL(there.headers.get('location')!).searchParams))).headers.get('location')!
    expect(await world.client().getConnectResult({ result: RESULT.exec(location)![1]! })).toMatchObject({
      outcome: 'connected',
      returnUrl: null,
    })
  })
})

describe('a client who is asked once more', () => {
  it('and cancels leaves an active integration active, with the attempt on record', async () => {
    const { id, token } = await create()
    const { authorizationUrl } = await begin(token)
    const there = await fetch(`${authorizationUrl}&decision=allow`, { redirect: 'manual' })
    await comeBack(Object.fromEntries(new URL(there.headers.get('location')!).searchParams))
    const before = await agency.admin.client.getIntegration({ ...at, id })
    expect(before.status).toBe('active')
    const again = await agency.admin.client.issueConnectLink({ ...at, id }, {})
    const { state } = await begin(again.connectUrl.split('/').at(-1)!)
    const location = (await comeBack({ state, error: 'access_denied' })).headers.get('location')!
    const result = await world.client().getConnectResult({ result: location.split('#')[1]! })
    expect(result).toMatchObject({ outcome: 'canceled', connectUrl: again.connectUrl })
    const { status, statusDetail, statusCheckedAt, connectedAt, connectedAccount, lastError } = before
    const after = await agency.admin.client.getIntegration({ ...at, id })
    expect(after).toMatchObject({ status, statusDetail, statusCheckedAt, connectedAt, connectedAccount, lastError })
    const { checks } = await agency.admin.client.listIntegrationChecks({ ...at, id })
    expect(checks[0]).toMatchObject({ kind: 'connect', outcome: 'rejected', reason: 'consent_denied', status: 'active' })
    const { auditLogs } = await agency.admin.client.listAuditLogs({ orgSlug: agency.slug, targetId: id })
    expect(auditLogs[0]).toMatchObject({ action: 'integration.connect_failed', changes: [], metadata: { reason: 'consent_denied' } })
  })
})
