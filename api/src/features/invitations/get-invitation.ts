import { maskEmail } from '@adjoin/contract'
import type { Handler } from '../../call.ts'
import { organizationOf } from '../../db/directory.ts'
import { sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'
import { type InvitationRow, invitationRows, toInvitation } from './invitation-row.ts'

/**
 * For the page behind the mailed link, before anyone has signed in.
 * It changes nothing; a closed one says what became of it.
 */
export const getInvitation: Handler<'getInvitation'> = async ({ parts, params }) => {
  const hash = parts.secrets.lookup('invitation', params.token)
  const [row] = await parts.db.query<InvitationRow>(
    sql`${invitationRows} where i.organization_id = ${await organizationOf(parts.db, hash)} and i.token_hash = ${hash}`,
  )
  if (!row) return refuse('not_found')
  return { ...toInvitation(row), email: maskEmail(row.email) }
}
