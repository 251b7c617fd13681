import * as z from 'zod'
import { Invitation, Invitations, InvitationsQuery, listsInvitations } from './account.ts'
import { AccessKind, Email, Id, inOrganization, line, named, OrganizationRole, Timestamp, WorkspaceRole } from './fields.ts'
import { DryRun } from './impact.ts'
import { quotas, shareOf } from './limits.ts'
import { operation } from './operation.ts'
import { organizationHealth } from './overview.ts'

export const Organization = named(
  'Organization',
  z.object({
    id: Id,
    slug: z.string(),
    name: z.string(),
    role: OrganizationRole.describe('The caller’s role'),
    domain: z.string().optional().describe('Email domain that auto-provisions members'),
    autoJoin: z.boolean().describe('Whether people who verify an address at the domain become members when they sign in'),
    frozen: z
      .object({ at: Timestamp, by: z.string().describe('Email address of the admin'), reason: z.string() })
      .nullable()
      .describe('Set: nothing is sent to ad systems until an admin unfreezes the organization'),
    createdAt: Timestamp,
  }),
)

export const OrganizationMember = named(
  'OrganizationMember',
  z.object({ id: Id, userId: Id, email: z.string(), name: z.string(), role: OrganizationRole, createdAt: Timestamp }),
)

const MemberWorkspace = named(
  'MemberWorkspace',
  z.object({
    slug: z.string(),
    name: z.string(),
    role: WorkspaceRole.describe('The member’s effective role'),
    access: AccessKind.describe('`assigned` if the member has an assignment, otherwise `inherited`'),
  }),
)

const inMember = inOrganization.extend({ userId: Id })
const inInvitation = inOrganization.extend({ id: Id })
const InvitableRole = z.enum(['viewer', 'member', 'admin'])

export const organizations = {
  listOrganizations: operation({
    summary: 'List my organizations (an API key has exactly one)',
    ok: z.object({ organizations: z.array(Organization) }),
  }),
  getOrganization: operation({ summary: 'Show an organization', params: inOrganization, ok: Organization }),
  updateOrganization: operation({
    summary: 'Rename an organization, or turn automatic joining on or off',
    description:
      'Slug and domain never change. With `autoJoin` off, people at the domain can only join by invitation; existing members stay. ' +
      'It can’t be turned on for a domain where anyone can get an email address.',
    params: inOrganization,
    body: named(
      'UpdateOrganization',
      z.strictObject({
        name: line(1, 100).optional(),
        autoJoin: z.boolean().optional().describe('Let people who verify an address at the domain join as members'),
      }),
    ),
    ok: Organization,
    records: ['organization.updated'],
    refuses: ['public_mailbox'],
  }),
  freezeOrganization: operation({
    summary: 'Stop everything that is sent to ad systems',
    description:
      'From the answer on, no replica sends calls, checks, renewals or logins, and connect links answer 404. People and keys can still read. ' +
      'Connections that must be renewed may expire meanwhile. Frozen again with another reason, only the reason changes.',
    params: inOrganization,
    body: named('FreezeOrganization', z.strictObject({ reason: line(1, 500) })),
    ok: Organization,
    records: ['organization.frozen'],
  }),
  thawOrganization: operation({
    summary: 'Unfreeze the organization',
    params: inOrganization,
    ok: Organization,
    records: ['organization.thawed'],
  }),
  listOrganizationMembers: operation({
    summary: 'List the members with their roles',
    params: inOrganization,
    ok: z.object({ members: z.array(OrganizationMember).max(quotas.members) }),
  }),
  updateOrganizationMember: operation({
    summary: 'Change a member’s role',
    params: inMember,
    body: named('UpdateOrganizationMember', z.strictObject({ role: InvitableRole })),
    ok: OrganizationMember,
    records: ['member.updated'],
    refuses: ['last_admin'],
  }),
  removeOrganizationMember: operation({
    summary: 'Remove a member, or leave',
    description:
      'Admins can remove anyone; everyone can remove themselves. The person immediately loses access, assignments, and user and workspace keys. Pending invitations to their mailbox, and those they sent, are canceled. ' +
      'Organization keys that the person created keep working unless you send `organizationKeys=revoke`, but can’t invite anyone until an admin rotates them. The audit entry names every key and invitation.',
    preview: true,
    endsPlace: true,
    params: inMember,
    query: z.strictObject({
      dryRun: DryRun,
      organizationKeys: z
        .enum(['keep', 'revoke'])
        .default('keep')
        .describe('What happens to the organization keys that the person created'),
    }),
    empty: true,
    records: ['member.removed'],
    refuses: ['last_admin'],
  }),
  listMemberWorkspaces: operation({
    summary: 'List the workspaces that a member can see, with their role in each',
    description: 'A role in the organization above guest is inherited in every workspace, unless the person is assigned a higher one.',
    params: inMember,
    ok: z.object({ workspaces: z.array(MemberWorkspace).max(quotas.workspaces) }),
  }),
  listOrganizationInvitations: operation({
    summary: 'List invitations to the organization, oldest first, including expired ones',
    description: `Accepted, declined, canceled and expired invitations are kept for 90 days. ${listsInvitations} Workspace invitations are listed per workspace.`,
    params: inOrganization,
    query: InvitationsQuery,
    ok: Invitations,
    refuses: ['invalid_cursor'],
  }),
  createOrganizationInvitation: operation({
    summary: 'Invite a person to the organization',
    description: `Emails an acceptance link that is valid for 48 hours. ${shareOf('pendingInvitations', 'pending invitations')}`,
    params: inOrganization,
    body: named('CreateOrganizationInvitation', z.strictObject({ email: Email, role: InvitableRole })),
    created: Invitation,
    records: ['invitation.created'],
    refuses: ['role_held', 'invitation_pending', 'quota_reached'],
  }),
  cancelOrganizationInvitation: operation({
    summary: 'Cancel an invitation',
    params: inInvitation,
    empty: true,
    records: ['invitation.canceled'],
    refuses: ['invitation_closed'],
  }),
  resendOrganizationInvitation: operation({
    summary: 'Email the same invitation link again',
    description: 'Extends the expiry by 48 hours. An expired invitation becomes valid again.',
    params: inInvitation,
    ok: Invitation,
    records: ['invitation.resent'],
    refuses: ['invitation_closed', 'invitation_pending', 'invitation_too_far', 'quota_reached'],
  }),
  ...organizationHealth,
}
