import { transact } from '../../audit/transact.ts'
import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { lockOrganization } from './lock.ts'
import { type OrganizationRow, organizationColumns, toOrganization } from './organization-row.ts'

export const updateOrganization: Handler<'updateOrganization'> = (call) =>
  transact(call, async (query, record) => {
    const { id, role } = call.organization
    await lockOrganization(query, id)
    const [old] = await query<OrganizationRow>(sql`select ${organizationColumns} from organizations o where o.id = ${id}`)
    if (old!.name === call.body.name) return toOrganization(old!, role)
    const [row] = await query<OrganizationRow>(sql`update organizations o set name = ${call.body.name}, updated_at = now()
      where o.id = ${id} returning ${organizationColumns}`)
    record('organization.updated', {
      target: { type: 'organization', id, name: row!.name },
      changes: [{ field: 'name', from: old!.name, to: row!.name }],
    })
    return toOrganization(row!, role)
  })
