import { type Recorder, system } from '../../audit/transact.ts'
import type { Parts } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { thawedMail } from '../../mail/messages.ts'
import { startOver } from '../webhooks/start-over.ts'
import { lockOrganization } from './lock.ts'
import { mailAdmins } from './mail-admins.ts'
import { type OrganizationRow, organizationColumns } from './organization-row.ts'

export interface Thawing {
  readonly id: string
  /** Null: the operator of the service, who is nobody in the organization. */
  readonly by: { readonly name: string; readonly email: string } | null
}

/** Recorded and mailed to all admins; nothing of it where the organization is not frozen. */
export async function thaw(
  parts: Pick<Parts, 'jobs' | 'config'>,
  query: RunQuery,
  record: Recorder,
  { id, by }: Thawing,
): Promise<{ readonly row: OrganizationRow; readonly wasFrozen: boolean }> {
  await lockOrganization(query, id)
  const [old] = await query<OrganizationRow>(sql`select ${organizationColumns} from organizations o where o.id = ${id}`)
  if (!old!.frozen_at) return { row: old!, wasFrozen: false }
  const [row] =
    await query<OrganizationRow>(sql`update organizations o set frozen_at = null, frozen_by = null, frozen_reason = null, updated_at = now()
    where o.id = ${id} returning ${organizationColumns}`)
  await startOver(query, id)
  record('organization.thawed', {
    organizationId: id,
    ...(!by && { actor: system }),
    target: { type: 'organization', id, name: row!.name },
    metadata: { frozenAt: old!.frozen_at },
  })
  await mailAdmins(parts, query, row!, 'thawedMail', (link) => thawedMail({ organization: row!.name, by, link }))
  return { row: row!, wasFrozen: true }
}
