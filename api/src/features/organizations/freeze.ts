import { setTimeout as sleep } from 'node:timers/promises'
import { transact } from '../../audit/transact.ts'
import { type Handler, person } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { frozenMail, thawedMail } from '../../mail/messages.ts'
import { FREEZE_SETTLES_MS } from './frozen.ts'
import { lockOrganization } from './lock.ts'
import { mailAdmins } from './mail-admins.ts'
import { type OrganizationRow, organizationColumns, toOrganization } from './organization-row.ts'

/** Frozen again: the same answer, with the first reason. */
export const freezeOrganization: Handler<'freezeOrganization'> = async (call) => {
  const { id, role } = call.organization
  const row = await transact(call, async (query, record) => {
    await lockOrganization(query, id)
    const [old] = await query<OrganizationRow>(sql`select ${organizationColumns} from organizations o where o.id = ${id}`)
    if (old!.frozen_at) return old!
    const { reason } = call.body
    const [frozen] = await query<OrganizationRow>(sql`update organizations o set frozen_at = now(), frozen_by = ${person(call).user.email},
      frozen_reason = ${reason}, updated_at = now() where o.id = ${id} returning ${organizationColumns}`)
    record('organization.frozen', { target: { type: 'organization', id, name: frozen!.name }, metadata: { reason } })
    await mailAdmins(call.parts, query, frozen!, 'settings', (link) =>
      frozenMail({ organization: frozen!.name, by: person(call).user, reason, link }),
    )
    return frozen!
  })
  // From this answer on nothing more begins, on no replica.
  await sleep(FREEZE_SETTLES_MS)
  return toOrganization(row, role)
}

export const thawOrganization: Handler<'thawOrganization'> = (call) =>
  transact(call, async (query, record) => {
    const { id, role } = call.organization
    await lockOrganization(query, id)
    const [old] = await query<OrganizationRow>(sql`select ${organizationColumns} from organizations o where o.id = ${id}`)
    if (!old!.frozen_at) return toOrganization(old!, role)
    const [row] =
      await query<OrganizationRow>(sql`update organizations o set frozen_at = null, frozen_by = null, frozen_reason = null, updated_at = now()
      where o.id = ${id} returning ${organizationColumns}`)
    record('organization.thawed', { target: { type: 'organization', id, name: row!.name }, metadata: { frozenAt: old!.frozen_at } })
    await mailAdmins(call.parts, query, row!, 'settings', (link) => thawedMail({ organization: row!.name, by: person(call).user, link }))
    return toOrganization(row!, role)
  })
