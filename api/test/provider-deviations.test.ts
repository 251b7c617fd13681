/** What only one system does, against its twin: the stories of providers.test.ts take the common way. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { amazonAds } from '../src/providers/amazon-ads.ts'
import { createHttp } from '../src/providers/http.ts'
import { metaAds } from '../src/providers/meta-ads.ts'
import { microsoftAds } from '../src/providers/microsoft-ads.ts'
import { type Credential, credentialOf, type FieldValues, type Provider } from '../src/providers/provider.ts'
import { check, connectByConsent, renewalDue } from '../src/providers/session.ts'
import { createVendorSessions } from '../src/providers/vendor-sessions.ts'
import { createSandbox } from '../src/sandbox/index.ts'
import { json, loopback } from './loopback.ts'

const now = new Date()
const sandbox = createSandbox({ secret: 'test', environment: 'test' })
const redirectUri = 'https://app.example.com/callback'
const store = async () => undefined
let listening: Awaited<ReturnType<typeof sandbox.listen>>
let hosts: string[] = []
beforeAll(async () => {
  listening = await sandbox.listen()
})
afterAll(() => listening.close())
beforeEach(() => {
  hosts = []
})

const http = createHttp({ observe: ({ host }) => hosts.push(host), retryMs: 1, breaker: { failures: 1000, restMs: 1 } })
const open = (provider: Provider, url = listening.url) =>
  createVendorSessions({ environment: {}, http, sandbox: { url, publicUrl: url } }).open(provider, now)
const connect = (provider: Provider, fields: FieldValues, scopes: string[], settings: FieldValues) => {
  const code = sandbox.mint(provider.id, 'code', { scopes })
  return connectByConsent(open(provider), fields, { code, redirectUri, codeVerifier: 'v' }, { settings })
}

describe('Meta Ads', () => {
  it('keeps the token of an hour when lengthening it fails for a moment, and lengthens it soon', async () => {
    const permissions = { data: ['ads_read', 'ads_management'].map((permission) => ({ permission, status: 'granted' })) }
    const server = await loopback((received, response, request) => {
      if (received.path.includes('fb_exchange_token'))
        return json(503, { error: { code: 2, is_transient: true } })(received, response, request)
      if (received.path.includes('/me?')) return json(200, { id: '1', name: 'Person', permissions })(received, response, request)
      return json(200, { access_token: 'EAA-short', expires_in: 5000 })(received, response, request)
    })
    const back = { code: 'code', redirectUri, codeVerifier: 'v' }
    const { outcome, credential } = await connectByConsent(open(metaAds, server.url), {}, back, { settings: {} })
    await server.close()
    expect(outcome).toMatchObject({ outcome: 'rejected', reason: 'setting_missing' })
    expect(credential).toMatchObject({ accessToken: 'EAA-short', scopes: ['ads_read', 'ads_management'] })
    expect(renewalDue(metaAds, credential as Credential)?.getTime()).toBe(now.getTime() + 4500 * 1000)
  })
})

describe('Microsoft Advertising', () => {
  const settings = { customerId: '1234567890', accountId: '1234567890' }
  const google = { identityProvider: 'google' }

  it('sends those who sign in with Google to Google, for tokens too, and renews them there', async () => {
    const { outcome, credential } = await connect(microsoftAds, google, ['profile', 'email'], settings)
    expect(outcome).toMatchObject({ outcome: 'verified', account: { id: '1234567890', email: 'person@example.com' } })
    const stale = { ...(credential as Credential), accessToken: 'no-longer-good', accessExpiresAt: null }
    const checked = await check(open(microsoftAds), stale, { settings, store })
    expect(checked).toMatchObject({ outcome: { outcome: 'verified' }, credential: { refreshToken: credential?.refreshToken } })
    expect(new Set(hosts)).toEqual(new Set(['oauth2.googleapis.com', 'clientcenter.api.bingads.microsoft.com']))
  })

  it('tells who signs in with Google, and came by Microsoft, to choose the other way', async () => {
    const accessToken = sandbox.mint('microsoft_ads', 'access', { scopes: ['profile', 'email'] })
    const credential = credentialOf({ identityProvider: 'microsoft' }, { accessToken, scopes: [...microsoftAds.scopes] })
    const { outcome } = await check(open(microsoftAds), credential, { settings, store })
    expect(outcome).toMatchObject({ outcome: 'rejected', reason: 'wrong_login_kind' })
  })
})

describe('Amazon Ads', () => {
  it.each([
    ['NA', 'api.amazon.com', 'advertising-api.amazon.com'],
    ['EU', 'api.amazon.co.uk', 'advertising-api-eu.amazon.com'],
    ['FE', 'api.amazon.co.jp', 'advertising-api-fe.amazon.com'],
  ])('asks the hosts of region %s', async (region, token, api) => {
    const { outcome } = await connect(amazonAds, { region }, [...amazonAds.scopes], { profileId: '1234567890' })
    expect(outcome).toMatchObject({ outcome: 'verified' })
    expect(hosts).toEqual([token, api])
  })
})
