import { transact } from '../../audit/transact.ts'
import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'
import { type NamedKey, namedKeyColumns } from '../api-keys/keys-of-creator.ts'
import { queueRevocations, revocable } from '../integrations/queue-revocations.ts'
import { lockWorkspace } from '../organizations/lock.ts'
import { type CountsRow, countsColumn, toCounts } from './integration-counts.ts'
import { type EndedGuest, endStrandedGuests } from './stranded-guests.ts'

/** As the trail names each integration that goes with its workspace, since nobody can list them now. */
interface DeletedIntegration {
  id: string
  name: string
  provider: string
  connectedAccount: string | null
  revokedAtProvider: 'unsupported' | 'best_effort'
}

/**
 * Everything in it goes with its row: integrations and their sealed credentials, links, keys, invitations, assignments.
 * Guests who were only here go too. Access that an ad system can end is ended afterwards: a thousand do not fit in a request.
 */
export const deleteWorkspace: Handler<'deleteWorkspace'> = (call) =>
  transact(call, async (query, record) => {
    const { organization, workspace } = call
    await lockWorkspace(query, organization.id, workspace.id)
    // None comes, and none turns active, between the look and the deletion.
    await query(sql`select from workspaces where organization_id = ${organization.id} and id = ${workspace.id} for update`)
    const deletedIntegrations = await query<DeletedIntegration>(sql`select id, name, provider, connected_account as "connectedAccount",
        case when credential is not null and provider = any(${revocable}) then 'best_effort' else 'unsupported' end as "revokedAtProvider"
      from integrations where organization_id = ${organization.id} and workspace_id = ${workspace.id} order by id for update`)
    const [row] = await query<CountsRow>(
      sql`select ${countsColumn(organization.id)} from workspaces w where w.organization_id = ${organization.id} and w.id = ${workspace.id}`,
    )
    const integrations = toCounts(row!)
    if (integrations.active > 0 && !call.query.force && !call.preview) refuse('workspace_in_use')
    const here = await query<{ user_id: string }>(
      sql`select user_id from workspace_members where organization_id = ${organization.id} and workspace_id = ${workspace.id} order by user_id`,
    )
    // They go with the workspace they were for; the trail keeps their names, since nobody can list them now.
    const revokedKeys = await query<NamedKey>(
      sql`delete from api_keys where organization_id = ${organization.id} and workspace_id = ${workspace.id} returning ${namedKeyColumns}`,
    )
    await queueRevocations(call.parts, query, { organizationId: organization.id, workspaceId: workspace.id })
    await query(sql`delete from workspaces where organization_id = ${organization.id} and id = ${workspace.id}`)
    const guests = await endStrandedGuests(
      query,
      organization.id,
      here.map(({ user_id }) => user_id),
    )
    record('workspace.deleted', {
      target: { type: 'workspace', id: workspace.id, name: workspace.name },
      metadata: { integrations, deletedIntegrations, revokedKeys, endedMemberships: guests.map(namedGuest) },
    })
    return undefined
  })

const namedGuest = ({ userId, email, canceledInvitations, canceledSentInvitations }: EndedGuest) => ({
  userId,
  email,
  canceledInvitations,
  canceledSentInvitations,
})
