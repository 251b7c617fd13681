import { atLeast, type WorkspaceRole } from '@adjoin/contract'
import { transact } from '../../audit/transact.ts'
import type { Call, GuardedVerb } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'
import { revokeKeysOf } from '../api-keys/keys-of-creator.ts'
import { dropOwnership } from '../integrations/owner.ts'
import { endInvitations, intoWorkspace } from '../invitations/end-invitations.ts'
import { lockWorkspace } from '../organizations/lock.ts'
import { endStrandedGuests } from './stranded-guests.ts'

/**
 * Admins remove anyone's assignment, people their own.
 * Inherited access has none: it ends with the organization role.
 */
export const removeWorkspaceMember: GuardedVerb<'removeWorkspaceMember'> = {
  may: mayRemove,
  run: (call) =>
    transact(call, async (query, record) => {
      const { organization, workspace } = call
      const { userId } = call.params
      const leaves = mayRemove(call)
      await lockWorkspace(query, organization.id, workspace.id)
      const [removed] = await query<{ role: WorkspaceRole; name: string; email: string }>(sql`delete from workspace_members a using users u
      where a.organization_id = ${organization.id} and a.workspace_id = ${workspace.id} and a.user_id = ${userId} and u.id = a.user_id
      returning a.role, u.name, u.email`)
      if (!removed) return refuse('not_found')
      const keys = { organizationId: organization.id, userId, workspaceId: workspace.id, levels: ['workspace'] as const }
      const revokedHere = await revokeKeysOf(query, keys)
      const here = await endInvitations(query, organization.id, userId, intoWorkspace(workspace.id))
      await dropOwnership(query, organization.id, userId)
      const [ended] = await endStrandedGuests(query, organization.id, [userId])
      record('workspace_member.removed', {
        target: { type: 'workspace_member', id: userId, name: removed.name },
        changes: [{ field: 'role', from: removed.role, to: null }],
        metadata: {
          email: removed.email,
          left: leaves,
          revokedKeys: [...revokedHere, ...(ended?.revokedKeys ?? [])],
          canceledInvitations: [...here.canceledInvitations, ...(ended?.canceledInvitations ?? [])],
          canceledSentInvitations: [...here.canceledSentInvitations, ...(ended?.canceledSentInvitations ?? [])],
          membershipEnded: ended !== undefined,
          ...(ended && { organizationKeys: ended.organizationKeys }),
        },
      })
      return undefined
    }),
}

/** Only a person can leave: a key cannot do it for its creator. */
function mayRemove({ caller, params, workspace }: Call<'removeWorkspaceMember'>): boolean {
  const own = caller.user.id === params.userId
  if (own && caller.class !== 'session')
    refuse('credential_refused', {
      detail: 'An API key can’t leave a workspace for the person who created it. Sign in and use your session.',
      headers: { 'www-authenticate': 'Bearer realm="adjoin"' },
    })
  if (!own && !atLeast(workspace.role, 'admin'))
    refuse('role_too_low', { detail: 'Only workspace admins can remove other people. You can remove yourself.' })
  return own
}
