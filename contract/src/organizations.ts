import * as z from 'zod'
import { Invitation, Invitations } from './account.ts'
import { Email, Id, inOrganization, line, named, OrganizationRole, Timestamp } from './fields.ts'
import { quotas, shareOf } from './limits.ts'
import { operation } from './operation.ts'

export const Organization = named(
  'Organization',
  z.object({
    id: Id,
    slug: z.string(),
    name: z.string(),
    role: OrganizationRole.describe('The caller’s role'),
    domain: z.string().optional().describe('Email domain that auto-provisions members'),
    autoJoin: z.boolean().describe('Whether people who verify an address of the domain become members at sign-in'),
    frozen: z
      .object({ at: Timestamp, by: z.string().describe('Address of the admin'), reason: z.string() })
      .nullable()
      .describe('Set: nothing is sent to ad systems until an admin thaws the organization'),
    createdAt: Timestamp,
  }),
)

export const OrganizationMember = named(
  'OrganizationMember',
  z.object({ id: Id, userId: Id, email: z.string(), name: z.string(), role: OrganizationRole, createdAt: Timestamp }),
)

const inMember = inOrganization.extend({ userId: Id })
const inInvitation = inOrganization.extend({ id: Id })
const InvitableRole = z.enum(['viewer', 'member', 'admin'])

export const organizations = {
  listOrganizations: operation({
    summary: 'The organizations I belong to; for a key, its own',
    ok: z.object({ organizations: z.array(Organization) }),
  }),
  getOrganization: operation({ summary: 'One organization', params: inOrganization, ok: Organization }),
  updateOrganization: operation({
    summary: 'Rename an organization, or switch automatic joining on or off',
    description:
      'Slug and domain never change. With `autoJoin` off, people of the domain join by invitation only; members stay. ' +
      'It cannot be switched on for a domain where anyone can get a mailbox.',
    params: inOrganization,
    body: named(
      'UpdateOrganization',
      z.strictObject({
        name: line(1, 100).optional(),
        autoJoin: z.boolean().optional().describe('Let people who verify an address of the domain join as members'),
      }),
    ),
    ok: Organization,
    records: ['organization.updated'],
    refuses: ['public_mailbox'],
  }),
  freezeOrganization: operation({
    summary: 'Stop everything that is sent to ad systems',
    description:
      'No calls, checks, renewals or logins, over all replicas, from the answer on; connect links answer 404. People and keys still read. ' +
      'Access may lapse meanwhile where it must be renewed.',
    params: inOrganization,
    body: named('FreezeOrganization', z.strictObject({ reason: line(1, 500) })),
    ok: Organization,
    records: ['organization.frozen'],
  }),
  thawOrganization: operation({
    summary: 'Take up again what was frozen',
    params: inOrganization,
    ok: Organization,
    records: ['organization.thawed'],
  }),
  listOrganizationMembers: operation({
    summary: 'Every membership with its role',
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
      'Admins remove anyone; anyone removes themselves. Ends the person’s access, assignments, user and workspace keys at once, and cancels the open invitations to their mailbox and those they sent. ' +
      'Organization keys that the person created keep working unless `organizationKeys=revoke` ends them too, but can no longer invite until an admin rotates them. The audit entry names every key and invitation.',
    params: inMember,
    query: z.strictObject({
      organizationKeys: z
        .enum(['keep', 'revoke'])
        .default('keep')
        .describe('What becomes of the organization keys that the person created'),
    }),
    empty: true,
    records: ['member.removed'],
    refuses: ['last_admin'],
  }),
  listOrganizationInvitations: operation({
    summary: 'Invitations to the organization, oldest first, expired ones included',
    description: 'Accepted, declined and canceled ones stay listed for 90 days. Invitations to workspaces are listed there.',
    params: inOrganization,
    ok: Invitations,
  }),
  createOrganizationInvitation: operation({
    summary: 'Invite a person to the organization',
    description: `Mails an acceptance link, valid for 48 hours. ${shareOf('pendingInvitations', 'pending invitations')}`,
    params: inOrganization,
    body: named('CreateOrganizationInvitation', z.strictObject({ email: Email, role: InvitableRole })),
    created: Invitation,
    records: ['invitation.created'],
    refuses: ['role_held', 'invitation_pending', 'quota_reached'],
  }),
  cancelOrganizationInvitation: operation({
    summary: 'Withdraw an invitation',
    params: inInvitation,
    empty: true,
    records: ['invitation.canceled'],
    refuses: ['invitation_closed'],
  }),
  resendOrganizationInvitation: operation({
    summary: 'Mail the same link again',
    description: 'Extends the expiry by 48 hours; an expired invitation comes back to life.',
    params: inInvitation,
    ok: Invitation,
    records: ['invitation.resent'],
    refuses: ['invitation_closed', 'invitation_pending', 'invitation_too_far', 'quota_reached'],
  }),
}
