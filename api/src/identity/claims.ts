// What an ID token says about a person, once its signature, issuer, audience, times and nonce were checked.
import { type IdentityProvider, line, normalizeEmail, Text } from '@adjoin/contract'

/**
 * An account at an identity provider.
 * Keyed by issuer and subject, never by address: addresses move between people.
 */
export interface ProviderAccount {
  readonly provider: IdentityProvider
  readonly issuer: string
  readonly subject: string
  readonly email: string | null
  /** The provider itself says that the address is the person's. */
  readonly emailProved: boolean
  readonly name?: string | undefined
  readonly image?: string | undefined
}

type IdTokenClaims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string }

/** Null: the token names nobody we could tell apart from others. */
export function accountOf(provider: IdentityProvider, claims: IdTokenClaims): ProviderAccount | null {
  const key = KEYS[provider](claims)
  if (!key || !Text.max(512).safeParse(key.subject).success) return null
  const email = text(claims.email)
  return {
    provider,
    issuer: claims.iss,
    subject: key.subject,
    // A Microsoft work account may have no address but a name that looks like one:
    // something to confirm by mail, proof of nothing.
    email: normalizeEmail(email ?? text(claims.preferred_username) ?? ''),
    emailProved: email !== undefined && key.proved,
    name: line(1, 255).safeParse(claims.name).data,
    image: imageOf(claims.picture),
  }
}

/** Accounts of people rather than of companies live in this tenant; Microsoft has proved their addresses. */
const CONSUMERS = '9188040d-6c67-4c5b-b112-36a304b66dad'
const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const KEYS: Record<IdentityProvider, (claims: IdTokenClaims) => { subject: string; proved: boolean } | null> = {
  google: ({ sub, email_verified }) => ({ subject: sub, proved: email_verified === true }),
  // `sub` differs from application to application there; tenant and object id are the person.
  microsoft: ({ tid, oid, xms_edov }) =>
    typeof tid === 'string' && typeof oid === 'string' && GUID.test(tid) && GUID.test(oid)
      ? { subject: `${tid}/${oid}`, proved: tid === CONSUMERS || DOMAIN_OWNER_VERIFIED.has(xms_edov) }
      : null,
}

/** Entra writes this optional claim in several ways. */
const DOMAIN_OWNER_VERIFIED: ReadonlySet<unknown> = new Set([true, 1, '1', 'true'])

const text = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined)

const imageOf = (picture: unknown) =>
  typeof picture === 'string' && picture.length <= 2048 && picture.startsWith('https://') && URL.canParse(picture)
    ? new URL(picture).href
    : undefined
