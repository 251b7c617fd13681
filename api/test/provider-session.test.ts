/**
 * The order of things in a run, against a scripted server:
 * what is stored when, how often it is renewed, who is asked.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { googleAds } from '../src/providers/google-ads.ts'
import { createHttp } from '../src/providers/http.ts'
import { microsoftAds } from '../src/providers/microsoft-ads.ts'
import { authorizationUrl, readCallback } from '../src/providers/oauth.ts'
import {
  type Credential,
  type CredentialsProvider,
  credentialOf,
  type OAuthProvider,
  type Provider,
  rejected,
  type VendorSession,
} from '../src/providers/provider.ts'
import { check, connectByConsent, connectByForm, renew } from '../src/providers/session.ts'
import { createVendorSessions, type VendorSessionsOptions } from '../src/providers/vendor-sessions.ts'
import { xandr } from '../src/providers/xandr.ts'
import { type Handle, json, type Loopback, loopback } from './loopback.ts'

const now = new Date('2026-01-05T12:00:00.000Z')
const settings = { customerId: '1234567890' }
const scopes = ['https://www.googleapis.com/auth/adwords']
const servers: Loopback[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

/** A server that answers the token endpoint and the API as told, and a vendor session with it. */
async function scripted(answers: { token?: Handle; api?: Handle }, provider: typeof googleAds = googleAds) {
  const server = await loopback((received, response, request) => {
    const handle = /token$|\/auth$/.test(received.path) ? answers.token : answers.api
    ;(handle ?? json(500, {}))(received, response, request)
  })
  servers.push(server)
  const sandbox = { url: server.url, publicUrl: server.url }
  const sessions = createVendorSessions({ environment: {}, http: createHttp({ retryMs: 1 }), sandbox, propagationMs: 1 })
  return {
    session: sessions.open(provider, now),
    calls: () => server.received.map(({ path }) => path.split('/').at(-1)),
    received: server.received,
  }
}
const tokenAnswer = (more: object = {}) => json(200, { access_token: 'new-access', expires_in: 3599, token_type: 'Bearer', ...more })
const named = json(200, { results: [{ customer: { id: '1234567890', descriptiveName: 'Example' } }] })
const unauthorized = json(401, { error: { code: 401, status: 'UNAUTHENTICATED', message: 'no' } })
const google = (more: Partial<Credential> = {}) =>
  credentialOf({}, { accessToken: 'old-access', accessExpiresAt: '2026-01-05T12:30:00.000Z', refreshToken: 'old-refresh', scopes, ...more })
const expired = google({ accessExpiresAt: '2026-01-05T12:00:30.000Z' })

describe('a renewed credential', () => {
  it('is stored before it is used', async () => {
    const { session, calls } = await scripted({ token: tokenAnswer({ refresh_token: 'new-refresh' }), api: named })
    const seen: { credential: Credential; calls: unknown[] }[] = []
    const result = await check(session, expired, { settings, store: async (credential) => void seen.push({ credential, calls: calls() }) })
    expect(seen).toMatchObject([{ credential: { accessToken: 'new-access', refreshToken: 'new-refresh' }, calls: ['token'] }])
    expect(result).toMatchObject({ outcome: { outcome: 'verified' }, credential: { refreshToken: 'new-refresh' } })
    expect(calls()).toEqual(['token', 'googleAds:search'])
  })

  it('is not used when it could not be stored', async () => {
    const { session, calls } = await scripted({ token: tokenAnswer(), api: named })
    const store = async () => Promise.reject(new Error('database down'))
    await expect(check(session, expired, { settings, store })).rejects.toThrow('database down')
    expect(calls()).toEqual(['token'])
  })

  it('keeps the old refresh token when the answer has none, or an empty one', async () => {
    for (const more of [{}, { refresh_token: '' }, { refresh_token: null }]) {
      const { session } = await scripted({ token: tokenAnswer(more) })
      expect(await renew(session, google(), {})).toMatchObject({ outcome: 'granted', credential: { refreshToken: 'old-refresh', scopes } })
    }
  })

  it('must have an access token to be one', async () => {
    const { session } = await scripted({ token: json(200, { token_type: 'Bearer' }) })
    expect(await renew(session, google(), {})).toMatchObject({ outcome: 'unreachable', reason: 'odd_answer' })
  })
})

describe('a refused access token', () => {
  it('is renewed once and tried once more before it counts', async () => {
    const { session, calls } = await scripted({ token: tokenAnswer(), api: unauthorized })
    const { outcome } = await check(session, google(), { settings, store: async () => undefined })
    expect(outcome).toMatchObject({ outcome: 'rejected', reason: 'access_refused' })
    expect(calls()).toEqual(['googleAds:search', 'token', 'googleAds:search'])
  })

  it('does not count while the renewal itself is unreachable', async () => {
    const { session } = await scripted({ token: json(503, {}), api: unauthorized })
    const { outcome } = await check(session, google(), { settings, store: async () => undefined })
    expect(outcome).toMatchObject({ outcome: 'unreachable', reason: 'outage' })
  })

  it('is not renewed a second time in one run', async () => {
    const { session, calls } = await scripted({ token: tokenAnswer(), api: unauthorized })
    await check(session, expired, { settings, store: async () => undefined })
    expect(calls()).toEqual(['token', 'googleAds:search'])
  })

  describe('may need time to propagate, where the system says so,', () => {
    const slow = { ...(googleAds as OAuthProvider), lifetimes: { ...googleAds.lifetimes, propagation: 60 } }
    const connect = (session: VendorSession) =>
      connectByConsent(session, {}, { code: 'c', redirectUri: 'https://x.example', codeVerifier: 'v' }, { settings })

    it('and is asked for once more after a pause', async () => {
      const answers = [unauthorized, named]
      const { session, calls } = await scripted(
        { token: tokenAnswer({ scope: scopes[0] }), api: (...asked) => (answers.shift() as Handle)(...asked) },
        slow,
      )
      expect((await connect(session)).outcome).toMatchObject({ outcome: 'verified' })
      expect(calls()).toEqual(['token', 'googleAds:search', 'googleAds:search'])
    })

    it('and is not called refused when that was not enough', async () => {
      const { session, calls } = await scripted({ token: tokenAnswer({ scope: scopes[0] }), api: unauthorized }, slow)
      expect((await connect(session)).outcome).toMatchObject({ outcome: 'unreachable', reason: 'settling' })
      expect(calls()).toEqual(['token', 'googleAds:search', 'googleAds:search'])
    })
  })
})

describe('the account’s name', () => {
  it('comes from a stranger and is shown on one line, cut, without control characters', async () => {
    const { session } = await scripted({
      api: json(200, { results: [{ customer: { id: '1234567890', descriptiveName: `A\u202e\n${'x'.repeat(500)}` } }] }),
    })
    const { outcome } = await check(session, google(), { settings, store: async () => undefined })
    expect(outcome).toMatchObject({ outcome: 'verified', account: { name: expect.stringMatching(/^A x{197}…$/) } })
  })
})

describe('logins', () => {
  const entered = { username: 'user', password: 'Secret-Passw0rd' }
  const loggedIn = json(200, { response: { status: 'OK', token: 'session-token' } })
  const dead = json(401, { response: { error_id: 'NOAUTH', error: 'not logged in' } })

  it('happen once a run at most, even when nothing helps', async () => {
    const { session, calls } = await scripted({ token: loggedIn, api: dead }, xandr)
    const stored = credentialOf(entered, { accessToken: 'old', accessExpiresAt: '2026-01-06T00:00:00.000Z' })
    expect((await check(session, stored, { settings: {}, store: async () => undefined })).outcome).toMatchObject({
      outcome: 'rejected',
      reason: 'access_refused',
    })
    expect(calls().filter((call) => call === 'auth')).toHaveLength(1)
  })

  it('happen once when someone connects, even when the token is refused at once', async () => {
    const { session, calls } = await scripted({ token: loggedIn, api: dead }, xandr)
    expect((await connectByForm(session, entered, { settings: {} })).outcome).toMatchObject({
      outcome: 'rejected',
      reason: 'access_refused',
    })
    expect(calls()).toEqual(['auth', 'user?current'])
  })

  it('are the fallback of a refresh that is refused, not of one that is out of order', async () => {
    const refreshing = (status: number): Provider => ({
      ...(xandr as CredentialsProvider),
      refresh: async (session) => {
        const answer = await session.send('refresh', { method: 'PUT', url: `${session.hosts.api}/refresh` })
        return answer.outcome === 'answered' ? rejected('access_refused') : status === 400 ? rejected('grant_revoked') : answer
      },
    })
    for (const [status, calls] of [
      [400, ['refresh', 'auth']],
      [503, ['refresh']],
    ] as const) {
      const run = await scripted({ token: loggedIn, api: json(status, {}) }, refreshing(status))
      expect((await renew(run.session, credentialOf(entered, { refreshToken: 'r' }), {})).outcome).toBe(
        status === 400 ? 'granted' : 'unreachable',
      )
      expect(run.calls()).toEqual(calls)
    }
  })

  it('are not repeated through an outage', async () => {
    const { session, calls } = await scripted({ token: json(503, {}) }, xandr)
    expect((await connectByForm(session, entered, { settings: {} })).outcome).toMatchObject({ outcome: 'unreachable', reason: 'outage' })
    expect(calls()).toEqual(['auth'])
  })

  it('are quoted without what was entered', async () => {
    const echo: Handle = (received, ...rest) =>
      json(401, { response: { error_id: 'UNAUTH', error: `bad login ${received.body}` } })(received, ...rest)
    const { session } = await scripted({ token: echo }, xandr)
    const { outcome } = await connectByForm(session, entered, { settings: {} })
    expect(outcome).toMatchObject({ outcome: 'rejected', reason: 'login_refused' })
    expect(JSON.stringify(outcome)).toContain('•••')
    expect(JSON.stringify(outcome)).not.toContain(entered.password)
  })
})

describe('something missing', () => {
  const store = async () => undefined

  it('is named by its label, also when the provider’s file only knows that it is missing', async () => {
    const { session } = await scripted({}, { ...(googleAds as OAuthProvider), verify: async () => rejected('setting_missing') })
    expect((await check(session, google(), { settings: {}, store })).outcome).toMatchObject({
      reason: 'setting_missing',
      what: 'Customer ID',
    })
  })

  it('is every scope that is required, when the system does not say which', async () => {
    const insufficient = json(403, {
      error: { code: 403, status: 'PERMISSION_DENIED', details: [{ reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }] },
    })
    const { session } = await scripted({ api: insufficient })
    expect((await check(session, google(), { settings, store })).outcome).toMatchObject({
      reason: 'scope_missing',
      what: '“See and manage campaigns, budgets and reports in Google Ads”',
    })
  })
})

describe('the consent', () => {
  it('hands a code on only from the issuer it was sent to', async () => {
    const { session } = await scripted({})
    expect(readCallback(session, {}, { code: 'c', iss: 'https://accounts.google.com' })).toEqual({ outcome: 'code', code: 'c' })
    expect(readCallback(session, {}, { code: 'c', iss: 'https://evil.example' })).toMatchObject({
      outcome: 'rejected',
      reason: 'app_misconfigured',
    })
    expect(readCallback(session, {}, { error: 'access_denied', code: 'c' })).toMatchObject({
      outcome: 'rejected',
      reason: 'consent_denied',
    })
    expect(readCallback(session, {}, { error: 'server_error' })).toMatchObject({ outcome: 'unreachable', reason: 'outage' })
    expect(readCallback(session, {}, {})).toMatchObject({ outcome: 'unreachable', reason: 'odd_answer' })
  })

  it('blames the operator, not the client, when the app itself is refused', async () => {
    const { session } = await scripted({
      token: json(401, { error: 'invalid_client', error_description: 'The OAuth client was not found.' }),
    })
    const back = { code: 'c', redirectUri: 'https://x.example', codeVerifier: 'v' }
    expect(await connectByConsent(session, {}, back, { settings })).toMatchObject({
      outcome: { reason: 'app_misconfigured' },
      credential: null,
    })
  })
})

describe('where a system is', () => {
  const http = async () => ({ failure: 'network', detail: '' }) as const
  const app = {
    ADJOIN_GOOGLE_ADS_CLIENT_ID: 'id',
    ADJOIN_GOOGLE_ADS_CLIENT_SECRET: 'secret',
    ADJOIN_GOOGLE_ADS_DEVELOPER_TOKEN: 'developer',
  }
  const sandbox = { url: 'http://127.0.0.1:1', publicUrl: 'http://localhost:3000' }
  const sessions = (more: Partial<VendorSessionsOptions>) => createVendorSessions({ environment: {}, http, ...more })
  const consent = { redirectUri: 'https://x.example/back', state: 's', codeChallenge: 'c' }

  it('is unavailable until its app is configured whole, unless a twin serves it', () => {
    expect(sessions({}).available(googleAds)).toBe(false)
    expect(sessions({ environment: { ...app, ADJOIN_GOOGLE_ADS_DEVELOPER_TOKEN: '' } }).available(googleAds)).toBe(false)
    expect(sessions({ environment: app }).available(googleAds)).toBe(true)
    expect(sessions({ sandbox }).available(googleAds)).toBe(true)
    expect(sessions({}).available(xandr)).toBe(true)
  })

  it('is unavailable to those who sign in by another way that has no app', () => {
    const environment = {
      ADJOIN_MICROSOFT_ADS_CLIENT_ID: 'id',
      ADJOIN_MICROSOFT_ADS_CLIENT_SECRET: 'secret',
      ADJOIN_MICROSOFT_ADS_DEVELOPER_TOKEN: 'developer',
    }
    const google = { ADJOIN_MICROSOFT_ADS_GOOGLE_CLIENT_ID: 'id', ADJOIN_MICROSOFT_ADS_GOOGLE_CLIENT_SECRET: 'secret' }
    expect(sessions({ environment }).available(microsoftAds, { identityProvider: 'microsoft' })).toBe(true)
    expect(sessions({ environment }).available(microsoftAds, { identityProvider: 'google' })).toBe(false)
    expect(sessions({ environment: { ...environment, ...google } }).available(microsoftAds, { identityProvider: 'google' })).toBe(true)
    expect(sessions({ sandbox }).available(microsoftAds, { identityProvider: 'google' })).toBe(true)
  })

  it('is the system itself when it has an app of its own, even beside a sandbox', () => {
    const url = (more: Partial<VendorSessionsOptions>) => authorizationUrl(sessions(more).open(googleAds, now), {}, consent)
    expect(url({ environment: app, sandbox })).toMatch(/^https:\/\/accounts\.google\.com\/o\/oauth2\/v2\/auth\?client_id=id&/)
    expect(url({ sandbox })).toMatch(/^http:\/\/localhost:3000\/sandbox\/google_ads\/accounts\.google\.com\/o\/oauth2\/v2\/auth\?/)
  })

  it('moves only by the operator’s configuration', () => {
    const environment = { ...app, ADJOIN_GOOGLE_ADS_API_HOST: 'https://ads.example.com/ignored', ADJOIN_GOOGLE_ADS_VERSION: 'v26' }
    const session = sessions({ environment }).open(googleAds, now)
    expect(session.hosts.api).toBe('https://ads.example.com')
    expect(session.version).toBe('v26')
  })
})
