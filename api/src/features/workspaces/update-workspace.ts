import { transact } from '../../audit/transact.ts'
import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { lockWorkspace } from '../organizations/lock.ts'
import { readWorkspace } from './workspace-row.ts'

export const updateWorkspace: Handler<'updateWorkspace'> = (call) =>
  transact(call, async (query, record) => {
    const { organization, workspace } = call
    const { name } = call.body
    await lockWorkspace(query, organization.id, workspace.id)
    const [old] = await query<{ name: string }>(
      sql`select name from workspaces where organization_id = ${organization.id} and id = ${workspace.id}`,
    )
    if (old!.name !== name) {
      await query(
        sql`update workspaces set name = ${name}, updated_at = now() where organization_id = ${organization.id} and id = ${workspace.id}`,
      )
      record('workspace.updated', {
        target: { type: 'workspace', id: workspace.id, name },
        workspace: { id: workspace.id, slug: workspace.slug, name },
        changes: [{ field: 'name', from: old!.name, to: name }],
      })
    }
    return readWorkspace(query, organization.id, workspace)
  })
