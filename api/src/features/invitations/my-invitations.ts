// The invited person's side. An address is proved by signing in with it;
// whoever holds the link without the address sees nothing here.
import { openToAll, organizationRoles, quotas } from '@adjoin/contract'
import { transact } from '../../audit/transact.ts'
import { type Call, type Handler, person } from '../../call.ts'
import { idHash, organizationOf } from '../../db/directory.ts'
import { type Fragment, type RunQuery, sql } from '../../db/sql.ts'
import { rolesAfter } from '../../domain/invitation.ts'
import { refuse } from '../../refusal.ts'
import { lockOrganization } from '../organizations/lock.ts'
import { close, refuseClosed } from './close-invitation.ts'
import { heldRolesOf } from './held-roles.ts'
import { entryOf, type InvitationRow, invitationRows, offerOf, readInvitation, toInvitation } from './invitation-row.ts'

const isToCaller = (call: Parameters<typeof person>[0]): Fragment =>
  sql`i.email = (select email from users where id = ${person(call).user.id} and email_verified)`

export const listMyInvitations: Handler<'listMyInvitations'> = async (call) => {
  const rows = await call.parts.db.query<InvitationRow>(sql`${invitationRows}
    where ${isToCaller(call)} and i.status = 'pending' and i.expires_at > now() order by i.created_at, i.id`)
  return { invitations: rows.map(toInvitation) }
}

export const acceptInvitation: Handler<'acceptInvitation'> = (call) =>
  transact(call, async (query, record) => {
    const invitation = await lockPending(query, call)
    const { organization_id: organizationId, workspace_id: workspaceId } = invitation
    const { user } = person(call)
    const held = await heldRolesOf(
      query,
      { organization: { id: organizationId }, workspace: workspaceId ? { id: workspaceId } : undefined },
      user.email,
    )
    const gets = rolesAfter(held, offerOf(invitation))
    if (!held.organization) await checkMemberQuota(query, invitation)
    // Compared once more by the statement itself: a sign-in by domain raises guests without the lock.
    await query(sql`insert into members as m (organization_id, user_id, role) values (${organizationId}, ${user.id}, ${gets.organization})
      on conflict (organization_id, user_id) do update set role = excluded.role
        where array_position(${organizationRoles}::text[], m.role) < array_position(${organizationRoles}::text[], excluded.role)`)
    if (workspaceId)
      await query(sql`insert into workspace_members (organization_id, workspace_id, user_id, role)
        values (${organizationId}, ${workspaceId}, ${user.id}, ${gets.assigned})
        on conflict (organization_id, workspace_id, user_id) do update set role = excluded.role`)
    await query(sql`delete from member_removals where organization_id = ${organizationId} and user_id = ${user.id}`)
    const row = await close(query, invitation, 'accepted')
    record('invitation.accepted', {
      ...entryOf(row),
      changes: [
        { field: 'role', from: held.organization, to: gets.organization },
        ...(workspaceId ? [{ field: 'workspaceRole', from: held.assigned, to: gets.assigned }] : []),
      ],
    })
    return toInvitation(row)
  })

export const declineInvitation: Handler<'declineInvitation'> = (call) =>
  transact(call, async (query, record) => {
    const row = await close(query, await lockPending(query, call), 'declined')
    record('invitation.declined', entryOf(row))
    return toInvitation(row)
  })

/**
 * Looked at once without the lock, so that a hundred late ones
 * do not queue for it, and once with it, so that one wins.
 */
async function lockPending(query: RunQuery, call: Call<'acceptInvitation'> | Call<'declineInvitation'>): Promise<InvitationRow> {
  const { id } = call.params
  const organizationId = await organizationOf({ query }, idHash(id))
  const [snapshot] = await query<InvitationRow>(
    sql`${invitationRows} where i.organization_id = ${organizationId} and i.id = ${id} and ${isToCaller(call)}`,
  )
  if (!snapshot) return refuse('not_found')
  refuseUnlessPending(snapshot)
  await lockOrganization(query, snapshot.organization_id)
  const row = await readInvitation(query, snapshot.organization_id, snapshot.id)
  refuseUnlessPending(row)
  return row
}

function refuseUnlessPending(row: InvitationRow): void {
  refuseClosed(row)
  if (row.status === 'expired')
    refuse('invitation_closed', { detail: `This invitation has expired. Ask ${row.inviter_name} to send it again.` })
}

/** The last tenth is for those whom an admin invites to the organization itself. */
async function checkMemberQuota(query: RunQuery, { organization_id, workspace_role }: InvitationRow): Promise<void> {
  const [members] = await query<{ count: number }>(sql`select count(*) as count from members where organization_id = ${organization_id}`)
  if (members!.count >= quotas.members)
    refuse('quota_reached', { detail: `The organization has ${quotas.members} members, the maximum. Ask an admin to make room.` })
  if (workspace_role && members!.count >= openToAll('members'))
    refuse('quota_reached', { detail: 'The organization is nearly full. Ask an admin to invite you to the organization itself.' })
}
