import { transact } from '../../audit/transact.ts'
import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { isPublicMailbox } from '../../domain/mailbox-domain.ts'
import { refuse } from '../../refusal.ts'
import { lockOrganization } from './lock.ts'
import { type OrganizationRow, organizationColumns, toOrganization } from './organization-row.ts'

const fieldsOf = ({ name, auto_join }: OrganizationRow) => ({ name, autoJoin: auto_join })

export const updateOrganization: Handler<'updateOrganization'> = (call) =>
  transact(call, async (query, record) => {
    const { id, role } = call.organization
    await lockOrganization(query, id)
    const [old] = await query<OrganizationRow>(sql`select ${organizationColumns} from organizations o where o.id = ${id}`)
    const before = fieldsOf(old!)
    const after = { name: call.body.name ?? before.name, autoJoin: call.body.autoJoin ?? before.autoJoin }
    const changes = (['name', 'autoJoin'] as const).filter((field) => after[field] !== before[field])
    if (!changes.length) return toOrganization(old!, role)
    if (changes.includes('autoJoin') && after.autoJoin) refusePublicDomain(old!)
    const [row] = await query<OrganizationRow>(sql`update organizations o
      set name = ${after.name}, auto_join = ${after.autoJoin}, updated_at = now() where o.id = ${id} returning ${organizationColumns}`)
    record('organization.updated', {
      target: { type: 'organization', id, name: row!.name },
      changes: changes.map((field) => ({ field, from: before[field], to: after[field] })),
    })
    return toOrganization(row!, role)
  })

/** Where anybody gets a mailbox, whoever has one would be let in. */
function refusePublicDomain({ domain }: OrganizationRow): void {
  if (!domain || !isPublicMailbox(domain)) return
  const detail = `Anyone can get an email address at ${domain}, so people there can’t join automatically. Invite them instead.`
  refuse('public_mailbox', { detail, errors: [{ path: 'autoJoin', message: 'can’t be turned on for a public email domain' }] })
}
