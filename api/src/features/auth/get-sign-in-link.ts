import { trustedUrl } from '@adjoin/contract/trusted-url'
import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'
import { digest } from '../../vault/tokens.ts'

/** What the mailed link will do, for the page that asks for the click. It consumes nothing. */
export const getSignInLink: Handler<'getSignInLink'> = async ({ parts, params }) => {
  const [row] = await parts.db.query<{
    email: string
    callback_url: string | null
    expires_at: Date
    slug: string | null
    name: string | null
  }>(sql`
    select l.email, l.callback_url, l.expires_at, s.organization_slug as slug, s.organization_name as name
    from sign_in_links l left join sign_ups s on s.email = l.email and s.expires_at > now()
    where l.token_hash = ${digest(params.token)} and l.used_at is null and l.expires_at > now()`)
  if (!row) return refuse('not_found', { detail: 'This sign-in link is unknown, already used or expired. Request a new one.' })
  return {
    email: row.email,
    organization: row.slug && row.name ? { slug: row.slug, name: row.name } : null,
    callbackURL: row.callback_url && trustedUrl(row.callback_url, parts.config),
    expiresAt: row.expires_at,
  }
}
