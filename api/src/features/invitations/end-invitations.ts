// Invitations that end because of what became of a person.
// Under the organization's lock; the entry of that change names them.
import { type Fragment, type RunQuery, sql } from '../../db/sql.ts'

/** An invitation as an audit entry names it. */
export interface NamedInvitation {
  readonly id: string
  readonly email: string
}

export const ANYWHERE = sql`true`
export const INTO_ORGANIZATION = sql`i.workspace_id is null`
export const intoWorkspace = (id: string): Fragment => sql`i.workspace_id = ${id}`

/** An expired one could be sent again, so it ends too. */
const cancel = sql`update invitations i set status = 'canceled', closed_at = now(), token_sealed = null`
const isOpen = sql`i.status in ('pending', 'expired')`

/**
 * Those to a person's mailbox, under whatever tag:
 * whoever was removed must not come back by a link that is still in there.
 */
export const cancelInvitationsTo = (query: RunQuery, organizationId: string, userId: string, into: Fragment): Promise<NamedInvitation[]> =>
  query<NamedInvitation>(sql`${cancel} where i.organization_id = ${organizationId} and ${isOpen} and ${into}
    and canonical_mailbox(i.email) = (select canonical_mailbox(u.email) from users u where u.id = ${userId}) returning i.id, i.email`)

/**
 * Those that a person sent and could no longer send:
 * an invitation lives only while its inviter may invite there.
 */
export const cancelInvitationsBy = (query: RunQuery, organizationId: string, userId: string): Promise<NamedInvitation[]> =>
  query<NamedInvitation>(sql`${cancel} where i.organization_id = ${organizationId} and i.inviter_id = ${userId} and ${isOpen}
    and not exists (select 1 from members m
      left join workspace_members a on a.organization_id = m.organization_id and a.workspace_id = i.workspace_id and a.user_id = m.user_id
      where m.organization_id = ${organizationId} and m.user_id = ${userId} and (m.role = 'admin' or a.role = 'admin'))
    returning i.id, i.email`)

export interface EndedInvitations {
  readonly canceledInvitations: NamedInvitation[]
  readonly canceledSentInvitations: NamedInvitation[]
}

/** After a person lost a membership, an assignment, or a part of their role. */
export async function endInvitations(query: RunQuery, organizationId: string, userId: string, into: Fragment): Promise<EndedInvitations> {
  const canceledInvitations = await cancelInvitationsTo(query, organizationId, userId, into)
  return { canceledInvitations, canceledSentInvitations: await cancelInvitationsBy(query, organizationId, userId) }
}
