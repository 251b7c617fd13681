import { cancelInvitation } from '../invitations/cancel-invitation.ts'
import { createInvitation } from '../invitations/create-invitation.ts'
import { listInvitations } from '../invitations/list-invitations.ts'
import { resendInvitation } from '../invitations/resend-invitation.ts'
import { createWorkspace } from './create-workspace.ts'
import { deleteWorkspace } from './delete-workspace.ts'
import { getWorkspace, listWorkspaceMembers, listWorkspaces } from './read.ts'
import { removeWorkspaceMember } from './remove-workspace-member.ts'
import { setWorkspaceMember } from './set-workspace-member.ts'
import { updateWorkspace } from './update-workspace.ts'

export const workspaces = {
  listWorkspaces,
  createWorkspace,
  getWorkspace,
  updateWorkspace,
  deleteWorkspace,
  listWorkspaceMembers,
  setWorkspaceMember,
  removeWorkspaceMember,
  listWorkspaceInvitations: listInvitations,
  createWorkspaceInvitation: createInvitation,
  cancelWorkspaceInvitation: cancelInvitation,
  resendWorkspaceInvitation: resendInvitation,
}
