import { cancelInvitation } from '../invitations/cancel-invitation.ts'
import { createInvitation } from '../invitations/create-invitation.ts'
import { listInvitations } from '../invitations/list-invitations.ts'
import { resendInvitation } from '../invitations/resend-invitation.ts'
import { freezeOrganization, thawOrganization } from './freeze.ts'
import { listMemberWorkspaces } from './list-member-workspaces.ts'
import { getOrganization, listOrganizationMembers, listOrganizations } from './read.ts'
import { removeOrganizationMember } from './remove-organization-member.ts'
import { updateOrganization } from './update-organization.ts'
import { updateOrganizationMember } from './update-organization-member.ts'

export const organizations = {
  listOrganizations,
  getOrganization,
  updateOrganization,
  listOrganizationMembers,
  updateOrganizationMember,
  removeOrganizationMember,
  listMemberWorkspaces,
  listOrganizationInvitations: listInvitations,
  createOrganizationInvitation: createInvitation,
  cancelOrganizationInvitation: cancelInvitation,
  resendOrganizationInvitation: resendInvitation,
  freezeOrganization,
  thawOrganization,
}
