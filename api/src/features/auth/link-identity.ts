import type { Call } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import type { PendingIdentity } from '../../jobs/queue.ts'
import type { Vault } from '../../vault/seal.ts'
import { digest } from '../../vault/tokens.ts'
import { flowCookie } from './cookies.ts'

type IdentityKey = Pick<PendingIdentity, 'provider' | 'issuer' | 'subject'>

/**
 * False: the person has another account at this provider,
 * or this account is another person's. Neither is ever replaced.
 */
export async function linkIdentity(query: RunQuery, userId: string, { provider, issuer, subject }: IdentityKey): Promise<boolean> {
  await query(sql`insert into identities (provider, issuer, subject, user_id) values (${provider}, ${issuer}, ${subject}, ${userId})
    on conflict do nothing`)
  const [linked] = await query(
    sql`select user_id from identities where issuer = ${issuer} and subject = ${subject} and user_id = ${userId}`,
  )
  return linked !== undefined
}

const binding = (tokenHash: Buffer) => ['sign_in_links', 'identity', tokenHash.toString('hex')]

export const sealIdentity = (vault: Vault, tokenHash: Buffer, identity: PendingIdentity): string =>
  vault.seal(JSON.stringify(identity), binding(tokenHash))

/**
 * The account that waited for this very link or code,
 * if the browser is the one that came back from the provider with it.
 */
export function confirmedIdentity(
  call: Pick<Call, 'parts' | 'origin'>,
  link: { token_hash: Buffer; identity: string | null },
): PendingIdentity | undefined {
  const secret = flowCookie(call, IDENTITY_COOKIE)
  if (!link.identity || !secret) return undefined
  const identity: PendingIdentity = JSON.parse(call.parts.vault.open(link.identity, binding(link.token_hash)))
  return digest(secret).toString('base64url') === identity.browser ? identity : undefined
}

/** The cookie of the browser that waits for a mail. */
export const IDENTITY_COOKIE = 'identity'
