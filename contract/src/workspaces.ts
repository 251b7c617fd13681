import * as z from 'zod'
import { Invitation, Invitations, InvitationsQuery, listsInvitations } from './account.ts'
import { AccessKind, Email, Flag, Id, inOrganization, inWorkspace, line, named, Slug, Timestamp, WorkspaceRole } from './fields.ts'
import { DryRun } from './impact.ts'
import { quotas, shareOf } from './limits.ts'
import { operation } from './operation.ts'
import { workspaceHealth } from './overview.ts'

export const Workspace = named(
  'Workspace',
  z.object({
    id: Id,
    slug: z.string(),
    name: z.string(),
    role: WorkspaceRole.describe('The caller’s effective role'),
    access: AccessKind.describe('`assigned` if the caller has an assignment, otherwise `inherited`'),
    integrationCounts: z.object({ pending: z.int(), active: z.int(), error: z.int(), disabled: z.int() }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)

export const WorkspaceMember = named(
  'WorkspaceMember',
  z.object({ userId: Id, email: z.string(), name: z.string(), role: WorkspaceRole, access: AccessKind, createdAt: Timestamp }),
)

const inMember = inWorkspace.extend({ userId: Id })
const inInvitation = inWorkspace.extend({ id: Id })

export const workspaces = {
  listWorkspaces: operation({
    summary: 'List the workspaces I can see, oldest first',
    params: inOrganization,
    ok: z.object({ workspaces: z.array(Workspace).max(quotas.workspaces) }),
  }),
  createWorkspace: operation({
    summary: 'Create a workspace',
    params: inOrganization,
    body: named('CreateWorkspace', z.strictObject({ name: line(1, 100), slug: Slug })),
    created: Workspace,
    location: 'getWorkspace',
    records: ['workspace.created'],
    refuses: ['slug_taken', 'quota_reached'],
  }),
  getWorkspace: operation({ summary: 'Show a workspace', params: inWorkspace, ok: Workspace }),
  updateWorkspace: operation({
    summary: 'Rename a workspace',
    params: inWorkspace,
    body: named('UpdateWorkspace', z.strictObject({ name: line(1, 100) })),
    ok: Workspace,
    records: ['workspace.updated'],
  }),
  deleteWorkspace: operation({
    summary: 'Delete a workspace and everything in it',
    description:
      'Revokes its keys, cancels its invitations and removes its assignments immediately. A guest left without an assignment loses all keys and the membership. ' +
      'Access is revoked in the background at the ad systems that support it: until that is done, or for 48 hours, the sealed credential is kept for this alone. All others are destroyed immediately.',
    preview: true,
    endsPlace: true,
    params: inWorkspace,
    query: z.strictObject({
      dryRun: DryRun,
      force: Flag.optional().describe('Delete it even if it has active integrations; a dry run never needs it'),
    }),
    empty: true,
    records: ['workspace.deleted'],
    refuses: ['workspace_in_use'],
  }),
  ...workspaceHealth,
  listWorkspaceMembers: operation({
    summary: 'List the people who can see the workspace',
    description: 'Guests and workspace keys only see assigned members.',
    params: inWorkspace,
    ok: z.object({ members: z.array(WorkspaceMember).max(quotas.members) }),
  }),
  setWorkspaceMember: operation({
    summary: 'Assign a member to a workspace, or change their role there',
    params: inMember,
    body: named('SetWorkspaceMember', z.strictObject({ role: WorkspaceRole })),
    ok: WorkspaceMember,
    records: ['workspace_member.assigned', 'workspace_member.updated'],
  }),
  removeWorkspaceMember: operation({
    summary: 'Remove a person from a workspace, or leave it',
    description:
      'Revokes that person’s keys for this workspace. A guest left without an assignment loses all keys and the membership. Inherited access has no assignment: 404.',
    preview: true,
    endsPlace: true,
    params: inMember,
    query: z.strictObject({ dryRun: DryRun }),
    empty: true,
    records: ['workspace_member.removed'],
  }),
  listWorkspaceInvitations: operation({
    summary: 'List invitations to the workspace, oldest first, including expired ones',
    description: `Accepted, declined, canceled and expired invitations are kept for 90 days. ${listsInvitations}`,
    params: inWorkspace,
    query: InvitationsQuery,
    ok: Invitations,
    refuses: ['invalid_cursor'],
  }),
  createWorkspaceInvitation: operation({
    summary: 'Invite a person to the workspace',
    description: `Someone from outside the organization becomes a guest when they accept. ${shareOf('pendingInvitations', 'pending invitations')}`,
    params: inWorkspace,
    body: named('CreateWorkspaceInvitation', z.strictObject({ email: Email, role: WorkspaceRole })),
    created: Invitation,
    records: ['invitation.created'],
    refuses: ['role_held', 'invitation_pending', 'quota_reached'],
  }),
  cancelWorkspaceInvitation: operation({
    summary: 'Cancel an invitation',
    params: inInvitation,
    empty: true,
    records: ['invitation.canceled'],
    refuses: ['invitation_closed'],
  }),
  resendWorkspaceInvitation: operation({
    summary: 'Email the same invitation link again',
    description: 'Extends the expiry by 48 hours. An expired invitation becomes valid again.',
    params: inInvitation,
    ok: Invitation,
    records: ['invitation.resent'],
    refuses: ['invitation_closed', 'invitation_pending', 'invitation_too_far', 'quota_reached'],
  }),
}
