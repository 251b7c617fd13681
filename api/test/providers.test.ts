/** Every provider against its twin, through the session: from connecting to the end of the access. */
import { providerIds } from '@adjoin/contract'
import { permissionsIn } from '@adjoin/contract/permissions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkFields, missingFields } from '../src/providers/fields.ts'
import { createHttp } from '../src/providers/http.ts'
import { descriptor, findProvider, providers } from '../src/providers/index.ts'
import { authorizationUrl, challengeOf, newVerifier, readCallback, refreshGrant } from '../src/providers/oauth.ts'
import { type Credential, credentialOf, type FieldValues, type Provider, type VendorSession } from '../src/providers/provider.ts'
import { describe as describeReason, reasons } from '../src/providers/reasons.ts'
import { check, connectByConsent, connectByForm, type Result, renewalDue, revoke } from '../src/providers/session.ts'
import { createVendorSessions, type VendorSessionsOptions } from '../src/providers/vendor-sessions.ts'
import { createSandbox, type Play } from '../src/sandbox/index.ts'
import { type Story, stories } from './provider-stories.ts'

const redirectUri = 'http://localhost:3000/v1/connect/oauth/callback'
const sandbox = createSandbox({ secret: 'test', environment: 'test' })
let url = ''
let close: () => Promise<void>
/** What went out, and what was stored, in order. */
let events: string[] = []

beforeAll(async () => {
  const listening = await sandbox.listen()
  url = listening.url
  close = listening.close
})
afterAll(() => close())

function open(provider: Provider, more: Partial<VendorSessionsOptions> = {}): VendorSession {
  const observe = ({ host, method }: { host: string; method: string }) => events.push(`${method} ${host}`)
  const http = createHttp({ observe, retryMs: 1, breaker: { failures: 1000, restMs: 1 } })
  return createVendorSessions({ environment: {}, http, sandbox: { url, publicUrl: url }, propagationMs: 1, ...more }).open(
    provider,
    new Date(),
  )
}

/** Connects as a person would: over the consent page, or by the form. */
async function connect(
  provider: Provider,
  story: Story,
  play: Play | 'deny' = 'allow',
  more: { settings?: FieldValues; expectedAccount?: string; totalMs?: number } = {},
): Promise<Result> {
  events = []
  const session = open(provider, more.totalMs ? { totalMs: more.totalMs } : {})
  const wanted = { settings: more.settings ?? story.settings, expectedAccount: more.expectedAccount }
  const { values } = checkFields(provider.connectFields, story.fields(play))
  if (!values) throw new Error('the story does not fit the form')
  if (provider.authMethod === 'credentials') return connectByForm(session, values, wanted)
  const codeVerifier = newVerifier()
  const consent = authorizationUrl(session, values, { redirectUri, state: 'a state', codeChallenge: challengeOf(codeVerifier) })
  const answer = await fetch(`${consent}&decision=${play}`, { redirect: 'manual' })
  const location = new URL(answer.headers.get('location') ?? '')
  expect(location.href.startsWith(redirectUri)).toBe(true)
  expect(location.searchParams.get('state')).toBe('a state')
  const back = readCallback(session, values, Object.fromEntries(location.searchParams))
  return back.outcome === 'code'
    ? connectByConsent(session, values, { code: back.code, redirectUri, codeVerifier }, wanted)
    : { outcome: back, credential: null }
}

async function connected(provider: Provider, story: Story): Promise<Credential> {
  const { outcome, credential } = await connect(provider, story)
  expect(outcome).toMatchObject({ outcome: 'verified' })
  return credential as Credential
}

const store = (kept: Credential[]) => async (credential: Credential) => {
  events.push('stored')
  kept.push(credential)
}

describe.each(providers.map((provider) => [provider.id, provider] as const))('%s', (id, provider) => {
  const story = stories[id]
  const renews = Boolean(provider.refresh || ('login' in provider && provider.login))

  it('connects, and tells whose account it is', async () => {
    const { outcome, credential } = await connect(provider, story)
    expect(outcome).toMatchObject({ outcome: 'verified', account: story.account })
    expect(JSON.parse(JSON.stringify(credential))).toEqual(credential)
  })

  it('says who must act when the access is refused', async () => {
    const connecting = await connect(provider, story, 'refuse')
    let { outcome } = connecting
    if (provider.lifetimes.propagation) {
      // A new access may be refused at first: a refusal counts once it has propagated.
      expect(outcome).toMatchObject({ outcome: 'unreachable', reason: 'settling' })
      const propagated = { ...(connecting.credential as Credential), obtainedAt: '2026-01-01T00:00:00.000Z' }
      outcome = (await check(open(provider), propagated, { settings: story.settings, store: store([]) })).outcome
    }
    expect(outcome).toMatchObject({ outcome: 'rejected', reason: story.refused })
    expect(reasons[story.refused].who).not.toBe('nobody')
    expect(describeReason(provider.name, { reason: story.refused })).toContain(provider.name)
  })

  it('takes an outage as passing', async () => {
    expect((await connect(provider, story, 'outage')).outcome).toMatchObject({ outcome: 'unreachable', reason: 'outage' })
  })

  it('takes throttling as passing, and keeps how long to wait', async () => {
    const { outcome } = await connect(provider, story, 'throttle')
    expect(outcome).toMatchObject({ outcome: 'unreachable', reason: 'throttled' })
    expect((outcome as { retryAfter?: number }).retryAfter).toBe(story.retryAfter)
  })

  it('cuts a slow answer', async () => {
    const { outcome } = await connect(provider, story, 'slow', { totalMs: 400 })
    expect(outcome).toMatchObject({ outcome: 'unreachable', reason: 'timeout' })
  })

  it('does not take an answer it cannot read for a refusal', async () => {
    expect((await connect(provider, story, 'garble')).outcome).toMatchObject({ outcome: 'unreachable', reason: 'odd_answer' })
  })

  if (renews) {
    it('renews an expired access once, stores it before using it, and keeps what it must', async () => {
      const credential = await connected(provider, story)
      const kept: Credential[] = []
      events = []
      const expired = { ...credential, accessExpiresAt: '2020-01-01T00:00:00.000Z' }
      const { outcome } = await check(open(provider), expired, { settings: story.settings, store: store(kept) })
      expect(outcome).toMatchObject({ outcome: 'verified', account: story.account })
      expect(events.indexOf('stored')).toBeGreaterThan(0)
      expect(events.indexOf('stored')).toBeLessThan(events.length - 1)
      expect(kept).toHaveLength(1)
      const [renewed] = kept as [Credential]
      expect(renewed.accessToken).not.toBe(credential.accessToken)
      if (provider.lifetimes.rotates) expect(renewed.refreshToken).not.toBe(credential.refreshToken)
      else expect(renewed.refreshToken).toBe(credential.refreshToken)
      expect((await check(open(provider), renewed, { settings: story.settings, store: store(kept) })).outcome.outcome).toBe('verified')
      expect(kept).toHaveLength(1)
    })

    it('renews once when the system no longer takes the access, and repeats once', async () => {
      const kept: Credential[] = []
      const stale = { ...(await connected(provider, story)), accessToken: 'no-longer-good', accessExpiresAt: null, obtainedAt: null }
      const { outcome } = await check(open(provider), stale, { settings: story.settings, store: store(kept) })
      if (story.renewsAliveOnly) expect(outcome).toMatchObject({ outcome: 'rejected', reason: story.withdrawn })
      else expect(outcome).toMatchObject({ outcome: 'verified', account: story.account })
      expect(kept).toHaveLength(story.renewsAliveOnly ? 0 : 1)
    })
  } else {
    it('has nothing to renew, and stores nothing by itself', async () => {
      const kept: Credential[] = []
      const credential = await connected(provider, story)
      expect((await check(open(provider), credential, { settings: story.settings, store: store(kept) })).outcome.outcome).toBe('verified')
      expect(kept).toEqual([])
      expect(provider.lifetimes.renew).toBe('never')
    })
  }

  it('finds out that the access was withdrawn, with one login at most', async () => {
    const credential = await connected(provider, story)
    if (provider.revoke) expect((await revoke(open(provider), credential)).outcome).toBe('answered')
    else for (const token of [credential.accessToken, credential.refreshToken]) if (token) sandbox.revoke(id, token)
    events = []
    const fields = provider.authMethod === 'credentials' ? story.fields('refuse') : credential.fields
    const { outcome } = await check(
      open(provider),
      { ...credential, fields, obtainedAt: '2026-01-01T00:00:00.000Z' },
      { settings: story.settings, store: store([]) },
    )
    expect(outcome).toMatchObject({ outcome: 'rejected', reason: story.withdrawn })
    expect(events.length).toBeLessThanOrEqual(3)
  })

  it('does not call an account connected that the login does not reach', async () => {
    if (!story.foreign) return expect(missingFields(provider.settingsFields, {})).toEqual([])
    const { outcome } = await connect(provider, story, 'allow', { settings: story.foreign.settings })
    expect(outcome).toMatchObject({ outcome: 'rejected', reason: story.foreign.reason })
  })

  it('asks the agency for a required setting that is missing, and keeps the credential', async () => {
    const { outcome, credential } = await connect(provider, story, 'allow', { settings: {} })
    const missing = missingFields(provider.settingsFields, {})
    if (missing.length === 0) return expect(outcome.outcome).toBe('verified')
    expect(outcome).toMatchObject({ outcome: 'rejected', reason: 'setting_missing', what: missing.map((field) => field.label).join(', ') })
    expect(reasons.setting_missing.who).toBe('agency')
    expect(credential).not.toBeNull()
  })

  it('refuses another account than the expected one', async () => {
    const { outcome } = await connect(provider, story, 'allow', { expectedAccount: 'someone-else' })
    expect(outcome).toMatchObject({ outcome: 'rejected', reason: 'wrong_account' })
    expect((await connect(provider, story, 'allow', { expectedAccount: story.account.id.toUpperCase() })).outcome.outcome).toBe('verified')
  })

  it('never says a secret', async () => {
    const credential = await connected(provider, story)
    const said = JSON.stringify(
      await Promise.all((['refuse', 'throttle', 'garble'] as const).map(async (play) => (await connect(provider, story, play)).outcome)),
    )
    const secrets = [
      credential.accessToken,
      credential.refreshToken,
      ...provider.connectFields.filter((field) => field.secret).map((field) => story.fields('refuse')[field.name]),
    ]
    expect(secrets.filter((secret) => secret && said.includes(secret))).toEqual([])
  })

  if (provider.authMethod === 'oauth') {
    it('understands a denial as a choice of the client', async () => {
      expect((await connect(provider, story, 'deny')).outcome).toMatchObject({ outcome: 'rejected', reason: 'consent_denied' })
    })

    const required = provider.requiredScopes ?? provider.scopes
    if (required.length > 0)
      it('names the permission that was left out', async () => {
        const { outcome } = await connect(provider, story, 'partial')
        expect(outcome).toMatchObject({ outcome: 'rejected', reason: 'scope_missing', what: `“${permissionsIn(required.slice(0, 1))[0]}”` })
      })

    it('redeems a code once only', async () => {
      const session = open(provider)
      const fields = story.fields('')
      const code = sandbox.mint(id, 'code', { scopes: [...provider.scopes] })
      const back = { code, redirectUri, codeVerifier: newVerifier() }
      expect((await provider.exchange(session, fields, back)).outcome).toBe('granted')
      expect(await provider.exchange(session, fields, back)).toMatchObject({ outcome: 'rejected', reason: 'consent_expired' })
    })
  }
})

describe('the catalogue', () => {
  it('files every provider under its own id, in the order of the contract', () => {
    expect(providers.map((provider) => provider.id)).toEqual(providerIds)
    expect(findProvider('xandr')?.name).toBe('Microsoft Monetize (Xandr)')
    expect(findProvider('__proto__')).toBeUndefined()
  })

  it.each(providers.map((provider) => [provider.id, provider] as const))(
    'describes %s completely and without secrets or functions',
    (_id, provider) => {
      const described = descriptor(provider, true)
      expect(JSON.parse(JSON.stringify(described))).toEqual(described)
      for (const field of [...described.connectFields, ...described.settingsFields]) {
        expect(field.name).toMatch(/^[a-z][a-zA-Z0-9]*$/)
        expect(Object.keys(field).sort()).toEqual(['default', 'help', 'label', 'name', 'options', 'pattern', 'required', 'secret', 'type'])
        expect(field.type === 'select').toBe(field.options !== null)
        expect(field.default === null || field.options === null || field.options.includes(field.default)).toBe(true)
        // A browser compiles a pattern attribute with the v flag.
        expect(() => new RegExp(field.pattern ?? '', 'v')).not.toThrow()
      }
      expect(described.settingsFields.filter((field) => field.secret)).toEqual([])
      expect(new URL(provider.documentationUrl).protocol).toBe('https:')
      for (const origin of Object.values(provider.hosts)) expect(new URL(origin).origin).toBe(origin)
      expect(provider.authMethod === 'oauth').toBe(provider.app.includes('clientId'))
    },
  )

  it.each(providers.map((provider) => [provider.id, provider] as const))('knows when to renew the access of %s', (_id, provider) => {
    const instants = { obtainedAt: '2026-01-01T00:00:00.000Z', accessExpiresAt: '2026-01-01T01:00:00.000Z' }
    const credential = credentialOf({}, { ...instants, refreshToken: 'r' })
    expect(renewalDue(provider, credential)?.toISOString()).toBe(
      provider.lifetimes.renew === 'ahead' ? '2026-01-01T00:54:00.000Z' : undefined,
    )
    expect(renewalDue(provider, { ...credential, accessExpiresAt: null })).toBeNull()
    if (provider.refresh === refreshGrant) expect(renewalDue(provider, { ...credential, refreshToken: null })).toBeNull()
  })
})
