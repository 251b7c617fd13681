import { quotas } from '@adjoin/contract'
import { transact } from '../../audit/transact.ts'
import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'
import { lockOrganization } from '../organizations/lock.ts'
import { ownColumns, toWorkspace, type WorkspaceRow } from './workspace-row.ts'

export const createWorkspace: Handler<'createWorkspace'> = async (call) => {
  const { organization } = call
  const { name, slug } = call.body
  const row = await transact(call, async (query, record) => {
    await lockOrganization(query, organization.id)
    const [made] = await query<Omit<WorkspaceRow, 'counts'>>(sql`insert into workspaces as w (organization_id, slug, name)
      values (${organization.id}, ${slug}, ${name}) on conflict (organization_id, slug) do nothing returning ${ownColumns}`)
    if (!made) return refuse('slug_taken')
    const [all] = await query<{ count: number }>(sql`select count(*) as count from workspaces where organization_id = ${organization.id}`)
    if (all!.count > quotas.workspaces)
      refuse('quota_reached', { detail: `An organization can have at most ${quotas.workspaces} workspaces. Delete one first.` })
    record('workspace.created', { target: { type: 'workspace', id: made.id, name }, workspace: { id: made.id, slug, name } })
    return made
  })
  call.headers.location = `/v1/organizations/${organization.slug}/workspaces/${slug}`
  return toWorkspace({ ...row, counts: null }, { role: 'admin', access: 'inherited' })
}
