// The sealed credential of an integration: bound to its row, opened only for the call that needs it.
import type { Parts } from '../../call.ts'
import { type Fragment, type RunQuery, sql } from '../../db/sql.ts'
import { providers } from '../../providers/index.ts'
import type { Credential, Provider } from '../../providers/provider.ts'
import { grantEnd, renewalDue } from '../../providers/session.ts'

export interface Owner {
  readonly organization_id: string
  readonly workspace_id: string
  readonly id: string
}

export const credentialBinding = (owner: Owner) => ['integrations', owner.organization_id, owner.workspace_id, owner.id, 'credential']

export const sealCredential = ({ vault }: Pick<Parts, 'vault'>, owner: Owner, credential: Credential): string =>
  vault.seal(JSON.stringify(credential), credentialBinding(owner))

export const openCredential = ({ vault }: Pick<Parts, 'vault'>, owner: Owner, sealed: string): Credential =>
  JSON.parse(vault.open(sealed, credentialBinding(owner)))

export const revocationBinding = (organizationId: string, id: string) => ['revocations', organizationId, id, 'credential']

/** For the time after the integration, until its access has ended at the ad system. */
export const sealForRevocation = (
  { vault }: Pick<Parts, 'vault'>,
  { organization_id, id }: Pick<Owner, 'organization_id' | 'id'>,
  credential: Credential,
): string => vault.seal(JSON.stringify(credential), revocationBinding(organization_id, id))

export const openForRevocation = (
  { vault }: Pick<Parts, 'vault'>,
  { organization_id, id, credential }: { organization_id: string; id: string; credential: string },
): Credential => JSON.parse(vault.open(credential, revocationBinding(organization_id, id)))

/**
 * Recognizes the access of one person at one system without
 * telling whose it is; null where nobody but the token knows.
 */
export function grantHash(
  { secrets }: Pick<Parts, 'secrets'>,
  { provider }: { provider: string },
  { identity }: Credential,
): Buffer | null {
  const who = identity?.id ?? identity?.email
  return who ? secrets.lookup('grant', `${provider}|${who}`) : null
}

/**
 * The hashes of all that ends when this access is revoked: at Google one login grants an app its access to every system at once,
 * so integrations of other systems that have the same app live on it, too.
 */
export function hashesOfGrant(parts: Pick<Parts, 'secrets' | 'vendorSessions'>, provider: Provider, credential: Credential): Buffer[] {
  const app = (of: Provider) => parts.vendorSessions.settingsOf(of).app.clientId
  const isSameGrant = (other: Provider) =>
    other === provider ||
    (provider.authorizationServer !== undefined &&
      other.authorizationServer === provider.authorizationServer &&
      app(other) === app(provider))
  return providers.filter(isSameGrant).flatMap(({ id }) => grantHash(parts, { provider: id }, credential) ?? [])
}

/** When the access ends, for those who do not open it, set wherever a credential is stored; a new end is announced again. */
export function grantColumns(provider: Provider, credential: Credential): Fragment {
  const { at, is } = grantEnd(provider, credential)
  return sql`grant_ends_at = ${at}::timestamptz, grant_end = ${is},
    expiring_noted = case when grant_ends_at is not distinct from ${at}::timestamptz then expiring_noted end`
}

/** Compare and set: false when somebody else has stored a newer one meanwhile, which then counts. */
export async function storeRenewed(
  parts: Pick<Parts, 'vault'>,
  query: RunQuery,
  owner: Owner,
  provider: Provider,
  credential: Credential,
  version: number,
): Promise<boolean> {
  const stored =
    await query(sql`update integrations set credential = ${sealCredential(parts, owner, credential)}, credential_version = ${version + 1},
      renew_due_at = ${renewalDue(provider, credential)}, ${grantColumns(provider, credential)}
    where organization_id = ${owner.organization_id} and id = ${owner.id} and credential_version = ${version} and credential is not null
    returning id`)
  if (stored.length === 1) return true
  // Deleted while it was renewed: the new tokens are the ones to revoke.
  await query(sql`update revocations set credential = ${sealForRevocation(parts, owner, credential)}, credential_version = ${version + 1}
    where organization_id = ${owner.organization_id} and id = ${owner.id} and credential_version = ${version}`)
  return false
}
