import type { Parts } from '../../call.ts'
import { enterInDirectory } from '../../db/directory.ts'
import { type Fragment, type RunQuery, sql } from '../../db/sql.ts'
import { newToken } from '../../vault/tokens.ts'
import { connectUrl, linkBinding } from './integration-row.ts'

/** At most one link lives: a new one takes its place, and with that the old one is gone on every replica. */
export async function newLink(
  parts: Parts,
  query: RunQuery,
  { organizationId, id }: { organizationId: string; id: string },
  expiresInDays: number,
): Promise<{ url: string; insert: Fragment }> {
  const token = newToken()
  const hash = parts.secrets.lookup('connect-link', token)
  await enterInDirectory(parts.db, query, organizationId, hash)
  const insert = sql`insert into connect_links (organization_id, integration_id, token_hash, token_sealed, expires_at)
    values (${organizationId}, ${id}, ${hash}, ${parts.vault.seal(token, linkBinding(organizationId, id))},
      now() + make_interval(days => ${expiresInDays}))
    on conflict (organization_id, integration_id) do update set token_hash = excluded.token_hash, token_sealed = excluded.token_sealed,
      created_at = excluded.created_at, expires_at = excluded.expires_at, started_at = null, expired_noted_at = null
    returning token_sealed, expires_at`
  return { url: connectUrl(parts, token), insert }
}
