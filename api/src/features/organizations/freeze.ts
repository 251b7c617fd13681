import { setTimeout as sleep } from 'node:timers/promises'
import { transact } from '../../audit/transact.ts'
import { type Handler, person } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { frozenMail } from '../../mail/messages.ts'
import { startOver } from '../webhooks/start-over.ts'
import { FREEZE_SETTLES_MS } from './frozen.ts'
import { lockOrganization } from './lock.ts'
import { mailAdmins } from './mail-admins.ts'
import { type OrganizationRow, organizationColumns, toOrganization } from './organization-row.ts'
import { thaw } from './thaw.ts'

/** Frozen again: it stays frozen since the first time, by the first person; another reason takes the place of the first. */
export const freezeOrganization: Handler<'freezeOrganization'> = async (call) => {
  const { id, role } = call.organization
  const row = await transact(call, async (query, record) => {
    await lockOrganization(query, id)
    const [old] = await query<OrganizationRow>(sql`select ${organizationColumns} from organizations o where o.id = ${id}`)
    const { reason } = call.body
    if (old!.frozen_reason === reason) return old!
    const { email } = person(call).user
    const [frozen] = await query<OrganizationRow>(sql`update organizations o set frozen_at = least(frozen_at, now()),
      frozen_by = coalesce(frozen_by, ${email}), frozen_reason = ${reason}, updated_at = now() where o.id = ${id} returning ${organizationColumns}`)
    await startOver(query, id)
    record('organization.frozen', {
      target: { type: 'organization', id, name: frozen!.name },
      ...(old!.frozen_at && { changes: [{ field: 'frozen.reason', from: old!.frozen_reason, to: reason }] }),
      metadata: { reason },
    })
    await mailAdmins(call.parts, query, frozen!, 'frozenMail', (link) =>
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
    const { row } = await thaw(call.parts, query, record, { id, by: person(call).user })
    return toOrganization(row, role)
  })
