/**
 * A run with one ad system, from credential to outcome. Order matters: a renewed credential is stored before it is used,
 * a refused access token is renewed once and tried once more, and nothing ever logs in twice in a run.
 */
import { permissionsIn } from '@adjoin/contract/permissions'
import { quote, tidy } from './answer.ts'
import { missingFields, withDefaults } from './fields.ts'
import { dialectOf, refreshGrant } from './oauth.ts'
import {
  type Account,
  type Answered,
  type Credential,
  credentialOf,
  type Granted,
  type Line,
  type Provider,
  type Refusal,
  type Rejected,
  type Return,
  rejected,
  type Unreachable,
  unreachable,
  type Values,
  type Verified,
} from './provider.ts'

export type Outcome = Verified | Rejected | Unreachable
/** `credential` is the newest one obtained; null when the system gave none. */
export type Result = { outcome: Outcome; credential: Credential | null }
export type Wanted = { settings: Values; expectedAccount?: string | null }
export type Store = (credential: Credential) => Promise<void>

const ABOUT_TO_EXPIRE_MS = 60_000
const keep = async () => undefined

/** The client came back from the consent page with a code. */
export async function connectByConsent(line: Line, fields: Values, back: Return, wanted: Wanted): Promise<Result> {
  if (line.provider.authMethod !== 'oauth') throw new Error(`${line.provider.id} has no consent page`)
  const grant = await line.provider.exchange(line, fields, back)
  return grant.outcome === 'granted' ? judged(line, grant.credential, wanted, keep) : { outcome: settled(grant), credential: null }
}

/** Someone filled in the credentials form. */
export async function connectByForm(line: Line, fields: Values, wanted: Wanted): Promise<Result> {
  const { provider } = line
  if (provider.authMethod !== 'credentials') throw new Error(`${provider.id} has no credentials form`)
  const entered = credentialOf(fields)
  line.conceal(secretsOf(provider, entered))
  if (!provider.login) return judged(line, entered, wanted, keep)
  const grant = await provider.login(line, fields, withDefaults(provider.settingsFields, wanted.settings))
  // The login of this run has been: a token refused now is not helped by another.
  return grant.outcome === 'granted' ? judged(line, grant.credential, wanted, keep, true) : { outcome: settled(grant), credential: null }
}

/** Is the access alive, and whose account is it? */
export const check = (line: Line, credential: Credential, { store, ...wanted }: Wanted & { store: Store }): Promise<Result> =>
  judged(line, credential, wanted, store)

async function judged(line: Line, credential: Credential, wanted: Wanted, store: Store, renewedBefore = false): Promise<Result> {
  const { settings, expectedAccount } = wanted
  const { provider, now } = line
  const values = withDefaults(provider.settingsFields, settings)
  let current = credential
  let renewed = renewedBefore
  line.conceal(secretsOf(provider, current))

  const renewOnce = async (): Promise<Rejected | Unreachable | null> => {
    const grant = await renew(line, current, values)
    if (grant.outcome !== 'granted') return grant
    await store(grant.credential)
    current = grant.credential
    renewed = true
    return null
  }

  const refused = canRenew(provider) && isExpired(current, now) ? await renewOnce() : null
  if (refused) return { outcome: refused, credential: current }

  const missing = missingScopes(line, current)
  if (missing.length > 0) return { outcome: rejected('scope_missing', { what: inWords(missing) }), credential: current }

  let answer = await provider.verify(line, current, values)
  if (answer.outcome === 'stale' && canRenew(provider) && !renewed && !isSettling(provider, current, now)) {
    const refusal = await renewOnce()
    if (refusal) return { outcome: refusal, credential: current }
    answer = await provider.verify(line, current, values)
  }
  if (answer.outcome === 'stale' && isSettling(provider, current, now)) {
    await line.settle()
    answer = await provider.verify(line, current, values)
  }
  if (answer.outcome === 'stale' && isSettling(provider, current, now))
    return { outcome: unreachable('settling', { said: answer.said }), credential: current }
  const unset = missingFields(provider.settingsFields, settings).map((field) => field.label)
  // A provider's file says that something is missing; what it is, is known here.
  if (answer.outcome === 'rejected' && answer.reason === 'scope_missing')
    answer = { what: inWords(requiredScopes(line, current)), ...answer }
  if (answer.outcome === 'rejected' && answer.reason === 'setting_missing') answer = { what: unset.join(', '), ...answer }
  if (answer.outcome !== 'verified') return { outcome: settled(answer), credential: current }

  const account = presentable(answer.account)
  const unexpected = expectedAccount && otherThan(expectedAccount, account)
  if (unexpected) return { outcome: unexpected, credential: current }
  if (unset.length > 0) return { outcome: rejected('setting_missing', { what: unset.join(', '), account }), credential: current }
  return { outcome: { ...answer, account }, credential: current }
}

/** New tokens for old: by refresh where the system has one, else by logging in again. The caller stores the result before using it. */
export async function renew(line: Line, credential: Credential, settings: Values): Promise<Granted | Rejected | Unreachable> {
  const { provider } = line
  line.conceal(secretsOf(provider, credential))
  let refusal: Refusal = rejected('access_refused')
  if (provider.refresh) {
    const grant = await provider.refresh(line, credential, withDefaults(provider.settingsFields, settings))
    if (grant.outcome === 'granted') return concealed(line, grant)
    // An outage does not mend by a login, and logins are counted.
    if (grant.outcome === 'unreachable') return grant
    refusal = grant
  }
  if (provider.authMethod === 'oauth' || !provider.login) return settled(refusal)
  const grant = await provider.login(line, credential.fields, withDefaults(provider.settingsFields, settings))
  return grant.outcome === 'granted' ? concealed(line, grant) : settled(grant)
}

function concealed(line: Line, grant: Granted): Granted {
  line.conceal(secretsOf(line.provider, grant.credential))
  return grant
}

/** Ends the access at the vendor, where it has a way to. */
export async function revoke(line: Line, credential: Credential): Promise<Answered | Rejected | Unreachable | { outcome: 'unsupported' }> {
  line.conceal(secretsOf(line.provider, credential))
  const answer = await line.provider.revoke?.(line, credential)
  if (!answer) return { outcome: 'unsupported' }
  return answer.outcome === 'answered' ? answer : settled(answer)
}

/** When the background should renew: a tenth of the lifetime or five minutes ahead; a short-lived one at half its life, and never at once. */
export function renewalDue(provider: Provider, { accessExpiresAt, obtainedAt, refreshToken }: Credential): Date | null {
  if (provider.lifetimes.renew !== 'ahead' || !accessExpiresAt) return null
  // Where the system gave no refresh token, the access lives out its time.
  if (provider.refresh === refreshGrant && !refreshToken) return null
  const expires = Date.parse(accessExpiresAt)
  const obtained = obtainedAt ? Date.parse(obtainedAt) : expires - 10 * 60_000
  const lifetime = expires - obtained
  return new Date(Math.max(expires - Math.max(5 * 60_000, lifetime / 10), obtained + Math.max(lifetime / 2, 60_000)))
}

/** What was asked for and not granted. */
export const missingScopes = (line: Line, credential: Credential): string[] =>
  requiredScopes(line, credential).filter((scope) => !credential.scopes.includes(scope))

/** As the consent screen has them, not as the protocol does. */
const inWords = (scopes: readonly string[]): string =>
  permissionsIn(scopes)
    .map((permission) => `“${permission}”`)
    .join(', ')

const requiredScopes = (line: Line, { fields }: Credential): readonly string[] =>
  line.provider.authMethod === 'oauth' ? dialectOf(line, fields).requiredScopes : []

/** A renewed access that is refused once more is refused for good. */
const settled = (refusal: Refusal | Verified): Outcome & (Rejected | Unreachable) =>
  (refusal.outcome === 'stale' ? { ...refusal, outcome: 'rejected' } : refusal) as Rejected | Unreachable

const canRenew = (provider: Provider) => Boolean(provider.refresh || (provider.authMethod === 'credentials' && provider.login))

const isExpired = ({ accessToken, accessExpiresAt }: Credential, now: Date) =>
  !accessToken || (accessExpiresAt !== null && Date.parse(accessExpiresAt) - now.getTime() < ABOUT_TO_EXPIRE_MS)

const isSettling = ({ lifetimes }: Provider, { obtainedAt }: Credential, now: Date) =>
  Boolean(lifetimes.settles && obtainedAt && now.getTime() - Date.parse(obtainedAt) < lifetimes.settles * 1000)

/** Names come from strangers: one line, no tricks, not long. */
const presentable = (account: Account): Account => ({ ...account, id: tidy(account.id) ?? '', name: tidy(account.name) ?? account.id })

/** The refusal, where the account is not the one that was expected. */
export const otherThan = (expected: string, account: Account): Rejected | null =>
  isAccount(account, expected) ? null : rejected('wrong_account', { what: `“${quote(account.name)}” (${quote(account.id)})`, account })

/** `123-456-7890` is how people write the id 1234567890. In anything else, an address above all, every character counts. */
const plain = (text: string) => {
  const trimmed = text.trim().toLowerCase()
  return /^\d+(?:[\s-]\d+)*$/.test(trimmed) ? trimmed.replace(/\D/g, '') : trimmed
}
const isAccount = ({ id, email }: Account, expected: string) => [id, email].some((known) => known && plain(known) === plain(expected))

function secretsOf(provider: Provider, { fields, accessToken, refreshToken }: Credential): (string | null | undefined)[] {
  return [accessToken, refreshToken, ...provider.connectFields.filter((field) => field.secret).map((field) => fields[field.name])]
}
