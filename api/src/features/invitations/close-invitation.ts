import { type RunQuery, sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'
import { type InvitationPlace, type InvitationRow, invitationRows, readInvitation } from './invitation-row.ts'

type ClosedStatus = 'accepted' | 'declined' | 'canceled'

const SENTENCES: Record<ClosedStatus, string> = {
  accepted: 'This invitation has already been accepted. There is nothing left to do.',
  declined: 'This invitation was declined. Ask for a new one, or send one.',
  canceled: 'This invitation was canceled. Ask for a new one, or send one.',
}

export function refuseClosed({ status }: InvitationRow): void {
  if (status === 'accepted' || status === 'declined' || status === 'canceled') refuse('invitation_closed', { detail: SENTENCES[status] })
}

/** The one the path names, under the organization's lock: pending or expired, or refused. */
export async function openInvitation(
  query: RunQuery,
  { organization, workspace, params }: InvitationPlace & { params: { id: string } },
): Promise<InvitationRow> {
  const [row] = await query<InvitationRow>(sql`${invitationRows} where i.organization_id = ${organization.id} and i.id = ${params.id}
    and i.workspace_id is not distinct from ${workspace?.id ?? null}`)
  if (!row) return refuse('not_found')
  refuseClosed(row)
  return row
}

/**
 * The link must never be mailed again, so the sealed copy of its token goes;
 * the hash stays, to tell whoever opens it what happened.
 */
export async function close(query: RunQuery, { organization_id, id }: InvitationRow, status: ClosedStatus): Promise<InvitationRow> {
  await query(sql`update invitations set status = ${status}, closed_at = now(), token_sealed = null
    where organization_id = ${organization_id} and id = ${id}`)
  return readInvitation(query, organization_id, id)
}
