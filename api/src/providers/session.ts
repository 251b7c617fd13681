/**
 * A run with one ad system, from credential to outcome. Order matters:
 * a renewed credential is stored before it is used, a refused access token
 * is renewed once and tried once more, and nothing ever logs in twice in a run.
 */
import { permissionsIn } from '@adjoin/contract/permissions'
import { quote, tidy } from './answer.ts'
import { missingFields, withDefaults } from './fields.ts'
import { dialectOf, refreshGrant } from './oauth.ts'
import {
  type Account,
  type Answered,
  type ConsentReturn,
  type Credential,
  credentialOf,
  type FieldValues,
  type Granted,
  type Provider,
  type Rejected,
  rejected,
  type Unreachable,
  unreachable,
  type VendorRefusal,
  type VendorSession,
  type Verified,
} from './provider.ts'

export type VendorOutcome = Verified | Rejected | Unreachable
/** `credential` is the newest one obtained; null when the system gave none. */
export type Result = { outcome: VendorOutcome; credential: Credential | null }
export type Expectation = { settings: FieldValues; expectedAccount?: string | null }
export type Store = (credential: Credential) => Promise<void>

const ABOUT_TO_EXPIRE_MS = 60_000
const storeNothing = async () => undefined

/** The client came back from the consent page with a code. */
export async function connectByConsent(
  session: VendorSession,
  fields: FieldValues,
  back: ConsentReturn,
  wanted: Expectation,
): Promise<Result> {
  if (session.provider.authMethod !== 'oauth') throw new Error(`${session.provider.id} has no consent page`)
  const grant = await session.provider.exchange(session, fields, back)
  return grant.outcome === 'granted'
    ? verifyCredential(session, grant.credential, wanted, storeNothing)
    : { outcome: finalRefusal(grant), credential: null }
}

/** Someone filled in the credentials form. */
export async function connectByForm(session: VendorSession, fields: FieldValues, wanted: Expectation): Promise<Result> {
  const { provider } = session
  if (provider.authMethod !== 'credentials') throw new Error(`${provider.id} has no credentials form`)
  const entered = credentialOf(fields)
  session.conceal(secretsOf(provider, entered))
  if (!provider.login) return verifyCredential(session, entered, wanted, storeNothing)
  const grant = await provider.login(session, fields, withDefaults(provider.settingsFields, wanted.settings))
  // The login of this run has been: a token refused now is not helped by another.
  return grant.outcome === 'granted'
    ? verifyCredential(session, grant.credential, wanted, storeNothing, true)
    : { outcome: finalRefusal(grant), credential: null }
}

/** Is the access alive, and whose account is it? */
export const check = (
  session: VendorSession,
  credential: Credential,
  { store, ...wanted }: Expectation & { store: Store },
): Promise<Result> => verifyCredential(session, credential, wanted, store)

async function verifyCredential(
  session: VendorSession,
  credential: Credential,
  wanted: Expectation,
  store: Store,
  renewedBefore = false,
): Promise<Result> {
  const { settings, expectedAccount } = wanted
  const { provider, now } = session
  const values = withDefaults(provider.settingsFields, settings)
  let current = credential
  let renewed = renewedBefore
  session.conceal(secretsOf(provider, current))

  const renewOnce = async (): Promise<Rejected | Unreachable | null> => {
    const grant = await renew(session, current, values)
    if (grant.outcome !== 'granted') return grant
    await store(grant.credential)
    current = grant.credential
    renewed = true
    return null
  }

  const refused = isExpiring(provider, current, now) ? await renewOnce() : null
  if (refused) return { outcome: refused, credential: current }

  const missing = missingScopes(session, current)
  if (missing.length > 0) return { outcome: rejected('scope_missing', { what: inWords(missing) }), credential: current }

  let answer = await provider.verify(session, current, values)
  if (answer.outcome === 'stale' && canRenew(provider) && !renewed && !isPropagating(provider, current, now)) {
    const refusal = await renewOnce()
    if (refusal) return { outcome: refusal, credential: current }
    answer = await provider.verify(session, current, values)
  }
  if (answer.outcome === 'stale' && isPropagating(provider, current, now)) {
    await session.waitForPropagation()
    answer = await provider.verify(session, current, values)
  }
  if (answer.outcome === 'stale' && isPropagating(provider, current, now))
    return { outcome: unreachable('settling', { said: answer.said }), credential: current }
  const unset = missingFields(provider.settingsFields, settings).map((field) => field.label)
  // A provider's file says that something is missing; what it is, is known here.
  if (answer.outcome === 'rejected' && answer.reason === 'scope_missing')
    answer = { what: inWords(requiredScopes(session, current)), ...answer }
  if (answer.outcome === 'rejected' && answer.reason === 'setting_missing') answer = { what: unset.join(', '), ...answer }
  if (answer.outcome !== 'verified') return { outcome: finalRefusal(answer), credential: current }

  const account = presentable(answer.account)
  const unexpected = expectedAccount && accountMismatch(expectedAccount, account)
  if (unexpected) return { outcome: unexpected, credential: current }
  if (unset.length > 0) return { outcome: rejected('setting_missing', { what: unset.join(', '), account }), credential: current }
  return { outcome: { ...answer, account }, credential: current }
}

/**
 * New tokens for old: by refresh where the system has one, else by logging in again.
 * The caller stores the result before using it.
 */
export async function renew(
  session: VendorSession,
  credential: Credential,
  settings: FieldValues,
): Promise<Granted | Rejected | Unreachable> {
  const { provider } = session
  session.conceal(secretsOf(provider, credential))
  let refusal: VendorRefusal = rejected('access_refused')
  if (provider.refresh) {
    const grant = await provider.refresh(session, credential, withDefaults(provider.settingsFields, settings))
    if (grant.outcome === 'granted') return concealGrant(session, grant)
    // An outage does not mend by a login, and logins are counted.
    if (grant.outcome === 'unreachable') return grant
    refusal = grant
  }
  if (provider.authMethod === 'oauth' || !provider.login) return finalRefusal(refusal)
  const grant = await provider.login(session, credential.fields, withDefaults(provider.settingsFields, settings))
  return grant.outcome === 'granted' ? concealGrant(session, grant) : finalRefusal(grant)
}

function concealGrant(session: VendorSession, grant: Granted): Granted {
  session.conceal(secretsOf(session.provider, grant.credential))
  return grant
}

/** Ends the access at the vendor, where it has a way to. */
export async function revoke(
  session: VendorSession,
  credential: Credential,
): Promise<Answered | Rejected | Unreachable | { outcome: 'unsupported' }> {
  session.conceal(secretsOf(session.provider, credential))
  const answer = await session.provider.revoke?.(session, credential)
  if (!answer) return { outcome: 'unsupported' }
  return answer.outcome === 'answered' ? answer : finalRefusal(answer)
}

/**
 * When the background should renew: a tenth of the lifetime or five minutes ahead;
 * a short-lived one at half its life, and never at once.
 */
export function renewalDue(provider: Provider, { accessExpiresAt, obtainedAt, refreshToken }: Credential): Date | null {
  if (provider.lifetimes.renew !== 'ahead' || !accessExpiresAt) return null
  // Where the system gave no refresh token, the access lives out its time.
  if (provider.refresh === refreshGrant && !refreshToken) return null
  const expires = Date.parse(accessExpiresAt)
  const obtained = obtainedAt ? Date.parse(obtainedAt) : expires - 10 * 60_000
  const lifetime = expires - obtained
  return new Date(Math.max(expires - Math.max(5 * 60_000, lifetime / 10), obtained + Math.max(lifetime / 2, 60_000)))
}

export interface GrantEnd {
  readonly at: Date | null
  readonly is: 'known' | 'estimated' | 'never'
}

/**
 * When the access ends unless a person gives it again; what we renew ourselves does not end.
 * A refresh token that is replaced with every renewal ends only if nobody uses it.
 */
export function grantEnd(provider: Provider, { refreshToken, refreshExpiresAt, accessExpiresAt }: Credential): GrantEnd {
  const { rotates } = provider.lifetimes
  if (provider.authMethod !== 'oauth' || (refreshToken && rotates)) return { at: null, is: 'never' }
  if (refreshToken && refreshExpiresAt)
    return { at: new Date(refreshExpiresAt), is: provider.lifetimes.refreshIs === 'usual' ? 'estimated' : 'known' }
  if (!refreshToken && accessExpiresAt) return { at: new Date(accessExpiresAt), is: 'known' }
  return { at: null, is: 'never' }
}

/** What was asked for and not granted. */
export const missingScopes = (session: VendorSession, credential: Credential): string[] =>
  requiredScopes(session, credential).filter((scope) => !credential.scopes.includes(scope))

/** As the consent screen has them, not as the protocol does. */
const inWords = (scopes: readonly string[]): string =>
  permissionsIn(scopes)
    .map((permission) => `“${permission}”`)
    .join(', ')

const requiredScopes = (session: VendorSession, { fields }: Credential): readonly string[] =>
  session.provider.authMethod === 'oauth' ? dialectOf(session, fields).requiredScopes : []

/** A renewed access that is refused once more is refused for good. */
const finalRefusal = (refusal: VendorRefusal | Verified): VendorOutcome & (Rejected | Unreachable) =>
  (refusal.outcome === 'stale' ? { ...refusal, outcome: 'rejected' } : refusal) as Rejected | Unreachable

const canRenew = (provider: Provider) => Boolean(provider.refresh || (provider.authMethod === 'credentials' && provider.login))

/** About to expire, where something can be done about it. */
export const isExpiring = (provider: Provider, credential: Credential, now: Date): boolean =>
  canRenew(provider) && isExpired(credential, now)

const isExpired = ({ accessToken, accessExpiresAt }: Credential, now: Date) =>
  !accessToken || (accessExpiresAt !== null && Date.parse(accessExpiresAt) - now.getTime() < ABOUT_TO_EXPIRE_MS)

const isPropagating = ({ lifetimes }: Provider, { obtainedAt }: Credential, now: Date) =>
  Boolean(lifetimes.propagation && obtainedAt && now.getTime() - Date.parse(obtainedAt) < lifetimes.propagation * 1000)

/** Names come from strangers: one line, no tricks, not long. */
const presentable = (account: Account): Account => ({ ...account, id: tidy(account.id) ?? '', name: tidy(account.name) ?? account.id })

/** The refusal, where the account is not the one that was expected. */
export const accountMismatch = (expected: string, account: Account): Rejected | null =>
  isAccount(account, expected) ? null : rejected('wrong_account', { what: `“${quote(account.name)}” (${quote(account.id)})`, account })

/**
 * `123-456-7890` is how people write the id 1234567890.
 * In anything else, an address above all, every character counts.
 */
export const normalizedAccount = (text: string) => {
  const trimmed = text.trim().toLowerCase()
  return /^\d+(?:[\s-]\d+)*$/.test(trimmed) ? trimmed.replace(/\D/g, '') : trimmed
}
const isAccount = ({ id, email }: Account, expected: string) =>
  [id, email].some((known) => known && normalizedAccount(known) === normalizedAccount(expected))

export function secretsOf(provider: Provider, { fields, accessToken, refreshToken }: Credential): (string | null | undefined)[] {
  return [accessToken, refreshToken, ...provider.connectFields.filter((field) => field.secret).map((field) => fields[field.name])]
}
