import type { Answer, OrganizationRole, WorkspaceRole } from '@adjoin/contract'
import type { Call } from '../../call.ts'
import { type Fragment, type RunQuery, sql } from '../../db/sql.ts'
import type { RoleOffer } from '../../domain/invitation.ts'
import { invitationMail } from '../../mail/messages.ts'
import { refuse } from '../../refusal.ts'
import { momentOf } from '../cursor.ts'
import { queueMail } from '../mails/queue-mail.ts'

type InvitationAnswer = Answer<'createOrganizationInvitation'>

export interface InvitationRow {
  organization_id: string
  id: string
  email: string
  role: OrganizationRole
  status: InvitationAnswer['status']
  organization_slug: string
  organization_name: string
  workspace_id: string | null
  workspace_slug: string
  workspace_name: string
  workspace_role: WorkspaceRole | null
  expires_at: Date
  created_at: Date
  inviter_id: string
  inviter_email: string
  inviter_name: string
  /** When it was created, for cursors. */
  moment: string
}

/** One place an invitation leads to: the organization itself, or a workspace of it. */
export interface InvitationPlace {
  readonly organization: { readonly id: string }
  readonly workspace?: { readonly id: string } | undefined
}

/** The organization role of a workspace invitation is what the invitee holds anyway, or will be: a guest. */
const columns = sql`i.organization_id, i.id, i.email, coalesce(i.role, m.role, 'guest') as role,
  case when i.status = 'pending' and i.expires_at <= now() then 'expired' else i.status end as status,
  o.slug as organization_slug, o.name as organization_name,
  i.workspace_id, w.slug as workspace_slug, w.name as workspace_name, i.workspace_role,
  i.expires_at, i.created_at, i.inviter_id, inviter.email as inviter_email, inviter.name as inviter_name,
  ${momentOf(sql`i.created_at`)}::text as moment`

export const invitationRows = sql`select ${columns} from invitations i
  join organizations o on o.id = i.organization_id
  join users inviter on inviter.id = i.inviter_id
  left join workspaces w on w.organization_id = i.organization_id and w.id = i.workspace_id
  left join users invitee on invitee.email = i.email
  left join members m on m.organization_id = i.organization_id and m.user_id = invitee.id`

/** An organization's own invitations are not found through a workspace, nor a workspace's through another. */
export const isInPlace = ({ organization, workspace }: InvitationPlace): Fragment =>
  sql`organization_id = ${organization.id} and workspace_id is not distinct from ${workspace?.id ?? null}`

export async function readInvitation(query: RunQuery, organizationId: string, id: string): Promise<InvitationRow> {
  const [row] = await query<InvitationRow>(sql`${invitationRows} where i.organization_id = ${organizationId} and i.id = ${id}`)
  return row ?? refuse('not_found')
}

export const toInvitation = (row: InvitationRow): InvitationAnswer => ({
  id: row.id,
  email: row.email,
  role: row.role,
  status: row.status,
  organization: { slug: row.organization_slug, name: row.organization_name },
  ...(row.workspace_role && { workspace: { slug: row.workspace_slug, name: row.workspace_name, role: row.workspace_role } }),
  expiresAt: row.expires_at,
  createdAt: row.created_at,
  inviterEmail: row.inviter_email,
  inviterName: row.inviter_name,
})

export const offerOf = (row: InvitationRow): RoleOffer =>
  row.workspace_role ? { workspaceRole: row.workspace_role } : { role: row.role as WorkspaceRole }

/** How the audit trail names it; the place is told even when the request's path names none. */
export const entryOf = (row: InvitationRow) => ({
  organizationId: row.organization_id,
  target: { type: 'invitation' as const, id: row.id, name: row.email },
  workspace: row.workspace_role && { id: row.workspace_id!, slug: row.workspace_slug, name: row.workspace_name },
})

export const tokenBinding = (organizationId: string, id: string) => ['invitations', organizationId, id, 'token']

type InvitingCall = Call<
  'createOrganizationInvitation' | 'createWorkspaceInvitation' | 'resendOrganizationInvitation' | 'resendWorkspaceInvitation'
>

/**
 * Counted with the mail itself. The token travels behind #,
 * which no browser sends to a server: it appears in no log and in no Referer.
 */
export async function mailInvitation(call: InvitingCall, query: RunQuery, row: InvitationRow, token: string): Promise<void> {
  const { id, parts, origin, caller, organization } = call
  const { config } = parts
  Object.assign(call.headers, await parts.limitDone(query, id, { ip: origin.ip, caller, at: { organization }, body: { email: row.email } }))
  const place = row.workspace_role ? `${row.workspace_name} (${row.organization_name})` : row.organization_name
  const mail = invitationMail(row.inviter_name, place, row.workspace_role ?? row.role, `${config.publicUrl}/invitation#token=${token}`)
  const reader = { power: 'invitee', organizationId: row.organization_id, invitationId: row.id } as const
  const queued = { to: row.email, mail, reader, until: row.expires_at.toISOString() }
  await queueMail(parts, query, 'invitationMail', queued, { organizationId: row.organization_id })
}
