import { type Answer, listedInvitations } from '@adjoin/contract'
import type { Call } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { isBehind, pageOf, readCursor, writeCursor } from '../cursor.ts'
import { type InvitationRow, invitationRows, isInPlace, toInvitation } from './invitation-row.ts'

type ListCall = Call<'listOrganizationInvitations'> | Call<'listWorkspaceInvitations'>

const isOpen = sql`(status = 'pending' and expires_at > now())`
const effectiveStatus = sql`case when status = 'pending' and expires_at <= now() then 'expired' else status end`

/**
 * Closed ones stay listed, so that inviters see what became of them, until they are swept;
 * open ones never make room for closed ones, and a cursor leads to those that had none.
 */
export const listInvitations = async (call: ListCall): Promise<Answer<ListCall['id']>> => {
  const { parts, organization, query } = call
  const list = `invitations|${organization.id}|${call.workspace?.id ?? ''}|${query.status ?? ''}`
  const after = readCursor(parts.secrets, list, query.cursor)
  const rows = await parts.db.query<InvitationRow>(sql`${invitationRows}
    join (select id, ${isOpen} as open from invitations where ${isInPlace(call)}
        ${query.status ? sql`and ${effectiveStatus} = ${query.status}` : sql``}
        ${after ? sql`and not ${isOpen} and ${isBehind(sql`created_at`, sql`id`, after)}` : sql``}
      order by open desc, created_at desc, id desc limit ${listedInvitations + 1}) listed on listed.id = i.id
    where i.organization_id = ${organization.id} order by listed.open desc, i.created_at desc, i.id desc`)
  const { page, nextCursor } = pageOf(rows, listedInvitations, ({ moment, id }) => writeCursor(parts.secrets, list, `${moment}_${id}`))
  const oldestFirst = page.reverse().sort((one, other) => one.created_at.getTime() - other.created_at.getTime())
  return { invitations: oldestFirst.map(toInvitation), ...(nextCursor && { nextCursor }) }
}
