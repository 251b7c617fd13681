import { randomUUID } from 'node:crypto'
import type { Answer } from '@adjoin/contract'
import { transact } from '../../audit/transact.ts'
import type { Call } from '../../call.ts'
import { enterInDirectory, idHash } from '../../db/directory.ts'
import { sql } from '../../db/sql.ts'
import { alreadyHolds, firstExpiry } from '../../domain/invitation.ts'
import { refuse } from '../../refusal.ts'
import { newToken } from '../../vault/tokens.ts'
import { lockOrganization, lockWorkspace } from '../organizations/lock.ts'
import { heldRolesOf } from './held-roles.ts'
import { entryOf, mailInvitation, readInvitation, toInvitation, tokenBinding } from './invitation-row.ts'
import { checkPendingQuota, expireLapsed } from './open-invitations.ts'

type CreateCall = Call<'createOrganizationInvitation'> | Call<'createWorkspaceInvitation'>

/**
 * Into the organization or, when the path names one, into a workspace.
 * Through a key, its creator is the inviter.
 */
export const createInvitation = async (call: CreateCall): Promise<Answer<CreateCall['id']>> => {
  const { parts, organization, workspace, now } = call
  const { email, role } = call.body
  const id = randomUUID()
  const token = newToken()
  const row = await transact(call, async (query, record) => {
    await (workspace ? lockWorkspace(query, organization.id, workspace.id) : lockOrganization(query, organization.id))
    if (alreadyHolds(await heldRolesOf(query, call, email), workspace ? { workspaceRole: role } : { role })) refuse('role_held')
    await expireLapsed(query, call, email)
    const hash = parts.secrets.lookup('invitation', token)
    await enterInDirectory(parts.db, query, organization.id, hash, idHash(id))
    const [made] = await query(sql`
      insert into invitations (organization_id, id, workspace_id, email, role, workspace_role, token_hash, token_sealed, inviter_id, expires_at)
      values (${organization.id}, ${id}, ${workspace?.id ?? null}, ${email}, ${workspace ? null : role}, ${workspace ? role : null},
        ${hash}, ${parts.vault.seal(token, tokenBinding(organization.id, id))}, ${call.caller.user.id}, ${firstExpiry(now)})
      on conflict do nothing returning id`)
    if (!made) refuse('invitation_pending')
    await checkPendingQuota(query, call)
    const row = await readInvitation(query, organization.id, id)
    await mailInvitation(call, query, row, token)
    record('invitation.created', { ...entryOf(row), metadata: { role, expiresAt: row.expires_at } })
    return row
  })
  return toInvitation(row)
}
