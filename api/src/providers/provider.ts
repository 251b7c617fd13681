/** What a provider is: an ad system as data (fields, hosts, lifetimes, answers) and a few small functions. */
import type { ProviderId } from '@adjoin/contract'
import type { PermanentReason, TransientReason, Words } from './reasons.ts'
import type { AnswerRule, VendorAnswer, VendorStep } from './rule.ts'

export type Field = {
  name: string
  label: string
  type: 'text' | 'password' | 'textarea' | 'select' | 'date'
  required: boolean
  secret: boolean
  pattern: string | null
  options: string[] | null
  default: string | null
  help: string | null
  /**
   * What people paste becomes what the system writes:
   * dashes out of a Google customer id. Never leaves the service.
   */
  tidy?: (value: string) => string
}

/** Cleaned values by field name. */
export type FieldValues = Readonly<Record<string, string>>

/** What is sealed and stored for one connection, as one JSON value. Instants are ISO strings. */
export type Credential = {
  /** What was entered on the connect form. */
  fields: FieldValues
  accessToken: string | null
  accessExpiresAt: string | null
  refreshToken: string | null
  refreshExpiresAt: string | null
  /** The scopes that were granted, which may be fewer than asked for. */
  scopes: string[]
  /** When the tokens were obtained: some systems state lifetimes as a rule, not in the answer. */
  obtainedAt: string | null
  /** Who gave the access, where only the token answer tells. */
  identity: { id: string | null; email: string | null; name: string | null } | null
}

export type Account = { id: string; name: string; email?: string | null }

export type Verified = { outcome: 'verified'; account: Account }
export type Granted = { outcome: 'granted'; credential: Credential }
export type Rejected = { outcome: 'rejected'; reason: PermanentReason; what?: string; account?: Account } & Words
export type Unreachable = { outcome: 'unreachable'; reason: TransientReason; retryAfter?: number } & Words
/** The access token was refused: permanent only if a renewed one is refused too. Never leaves the session. */
export type Stale = { outcome: 'stale'; reason: PermanentReason; said?: string }
export type Answered = { outcome: 'answered' } & VendorAnswer
export type VendorRefusal = Rejected | Stale | Unreachable

export type VendorRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  query?: Record<string, string>
  headers?: Record<string, string>
  form?: Record<string, string>
  json?: unknown
  /**
   * Safe to send again after a failure. Reads are; logins and rotating refreshes are not.
   * Default: GET outside of token steps.
   */
  repeatable?: boolean
  /** An empty or non-JSON body is as good as any when the status is 2xx. */
  anyBody?: boolean
}

/**
 * An open session with one ad system, for one run:
 * its hosts, the operator's app, a deadline, and the only way to send.
 */
export type VendorSession = {
  provider: Provider
  hosts: Readonly<Record<string, string>>
  version: string
  /** The operator's app settings by name: clientId, clientSecret, developerToken … */
  app: Readonly<Record<string, string>>
  now: Date
  /** Where the system's twin is, if one serves it. */
  twin: string | undefined
  /** Where a browser finds a URL of the system: the system itself, or its twin. */
  address(url: string): string
  /** Values that must never appear in what the system is quoted with. */
  conceal(values: Iterable<string | null | undefined>): void
  /** Waits until a new access is known everywhere, for as long as the run can spare. */
  waitForPropagation(): Promise<void>
  /** Sends and judges by the provider's table: `answered` is a success of the system, not merely of HTTP. */
  send(step: VendorStep, request: VendorRequest): Promise<Answered | VendorRefusal>
}

/** What a browser is sent away with, and what it brings back. */
export type Consent = { redirectUri: string; state: string; codeChallenge: string; loginHint?: string | null }
export type ConsentReturn = { code: string; redirectUri: string; codeVerifier: string }

/** OAuth 2.0 as one system speaks it. A parameter of null leaves the standard one out. */
export type Dialect = {
  authorizeUrl: string
  tokenUrl: string
  revokeUrl?: string
  /** The issuer the callback must name, where the system does. */
  issuer?: string
  clientAuth: 'post' | 'basic'
  /** Where the app depends on what was entered; else clientId and clientSecret. */
  client?: { id: string; secret: string }
  pkce: boolean
  separator: ' ' | ','
  /** Where they depend on what was entered; else the provider's. */
  scopes?: readonly string[]
  requiredScopes?: readonly string[]
  authorizeParameters?: Record<string, string | null>
  exchangeParameters?: Record<string, string | null>
  refreshParameters?: Record<string, string | null>
  tokenHeaders?: Record<string, string>
  codeParameter?: string
  hintParameter?: string
}

export type ProviderBase = {
  id: ProviderId
  name: string
  category: 'dsp' | 'ssp' | 'wg'
  documentationUrl: string
  /**
   * Origins by role. The allow-list: nothing else is ever called,
   * and only the operator's configuration changes it.
   */
  hosts: Readonly<Record<string, `https://${string}`>>
  /** API version in paths or headers, where there is one. */
  version?: string
  /** What the operator's app must have; `available` means all are configured. ADJOIN_<PROVIDER>_<NAME>. */
  app: readonly string[]
  optionalApp?: readonly string[]
  connectFields: readonly Field[]
  settingsFields: readonly Field[]
  /** What is asked for, and which of it must have been granted: all, unless the system leaves some out. */
  scopes: readonly string[]
  requiredScopes?: readonly string[]
  /**
   * Seconds. `renew`: ahead of expiry in the background, or when the token is needed.
   * `propagation`: a new token may be refused this long.
   * `refreshIs`: `stated` in the system's own answers, or `usual` there, and so an estimate.
   */
  lifetimes: {
    access: number | null
    refresh: number | null
    refreshIs?: 'stated' | 'usual'
    rotates: boolean
    renew: 'ahead' | 'on_demand' | 'never'
    propagation?: number
  }
  /** Logins the vendor tolerates. */
  loginQuota?: { logins: number; seconds: number }
  /** The error codes an answer carries, whatever its HTTP status; none with a 2xx means success. */
  codes?: (body: unknown, answer: VendorAnswer) => (string | null | undefined)[]
  /** Every failure of it has an HTTP status of its own: a 2xx needs no second look. Others may say with 200 that nothing was done. */
  statusTells?: true
  /** What the system says in its own words, for people. */
  words?: (body: unknown) => string | null | undefined
  /** Seconds to wait, where the system does not say it by Retry-After. */
  wait?: (answer: VendorAnswer) => number | undefined
  /** First match wins; what no rule matches is judged by HTTP status. */
  answers: readonly AnswerRule[]
  /** Alive? And whose account? */
  verify(session: VendorSession, credential: Credential, settings: FieldValues): Promise<Verified | VendorRefusal>
  /** Whose OAuth grants these are, where several systems have the same: revoking ends all that one login granted to one app there. */
  authorizationServer?: string
  /** Ends the access at the vendor, where that can be done. */
  revoke?(session: VendorSession, credential: Credential): Promise<Answered | VendorRefusal>
}

export type OAuthProvider = ProviderBase & {
  authMethod: 'oauth'
  /** Endpoints and parameters, which may depend on what was entered (a region). */
  dialect(session: VendorSession, fields: FieldValues): Dialect
  exchange(session: VendorSession, fields: FieldValues, back: ConsentReturn): Promise<Granted | VendorRefusal>
  /** Absent where the system has no refresh. */
  refresh?(session: VendorSession, credential: Credential, settings: FieldValues): Promise<Granted | VendorRefusal>
}

export type CredentialsProvider = ProviderBase & {
  authMethod: 'credentials'
  /** Turns what was entered into a credential; absent where what was entered is sent on every call. */
  login?(session: VendorSession, fields: FieldValues, settings: FieldValues): Promise<Granted | VendorRefusal>
  /** Renews without a login, where the system can; a login is the fallback. */
  refresh?(session: VendorSession, credential: Credential, settings: FieldValues): Promise<Granted | VendorRefusal>
}

export type Provider = OAuthProvider | CredentialsProvider

/** A field with what most fields have; the provider's file names only what differs. */
export const field = (name: string, label: string, more: Partial<Field> = {}): Field => ({
  name,
  label,
  type: more.options ? 'select' : more.secret ? 'password' : 'text',
  required: true,
  secret: false,
  pattern: null,
  options: null,
  default: null,
  help: null,
  ...more,
})

/** As `tidy` of pasted keys: secrets are otherwise taken as entered, and a stray blank is a refused login. */
export const pasted = (value: string) => value.trim()

export const credentialOf = (fields: FieldValues, more: Partial<Credential> = {}): Credential => ({
  fields,
  accessToken: null,
  accessExpiresAt: null,
  refreshToken: null,
  refreshExpiresAt: null,
  scopes: [],
  obtainedAt: null,
  identity: null,
  ...more,
})

export const bearer = ({ accessToken }: Credential) => ({ Authorization: `Bearer ${accessToken}` })
export const basic = (user: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
})

export const verified = (account: Account): Verified => ({ outcome: 'verified', account })
export const granted = (credential: Credential): Granted => ({ outcome: 'granted', credential })
export const rejected = (reason: PermanentReason, more: Omit<Rejected, 'outcome' | 'reason'> = {}): Rejected => ({
  outcome: 'rejected',
  reason,
  ...more,
})
export const unreachable = (reason: TransientReason, more: Omit<Unreachable, 'outcome' | 'reason'> = {}): Unreachable => ({
  outcome: 'unreachable',
  reason,
  ...more,
})

/** What a refused permission means where one account was asked for: the login works, not that account. */
export const asAccountUnreachable = (refusal: VendorRefusal): VendorRefusal =>
  refusal.reason === 'permission_missing' ? rejected('account_unreachable', { said: refusal.said }) : refusal

export const secondsAfter = (now: Date, seconds: number): string => new Date(now.getTime() + seconds * 1000).toISOString()
