import * as z from 'zod'
import {
  Challenge,
  Cursor,
  Email,
  Id,
  LinkToken,
  line,
  named,
  OlderCursor,
  OrganizationRole,
  Slug,
  Timestamp,
  WorkspaceRole,
} from './fields.ts'
import { quotas } from './limits.ts'
import { operation } from './operation.ts'

export const identityProviders = ['google', 'microsoft'] as const
export type IdentityProvider = (typeof identityProviders)[number]

export const notificationModes = ['now', 'daily', 'off'] as const

export const User = named(
  'User',
  z.object({
    id: Id,
    email: z.string().describe('Verified sign-in email; never changes through the API'),
    name: z.string(),
    emailVerified: z.boolean(),
    role: z.string().describe('Platform role; `user` for every regular account'),
    image: z.string().optional(),
    notifications: z
      .object({ mode: z.enum(notificationModes) })
      .describe('Emails about integrations that you look after: at once, once a day, or none'),
  }),
)

export const Session = named(
  'Session',
  z.object({
    id: Id,
    method: z.enum(['magic-link', ...identityProviders, 'device']).describe('How the person signed in'),
    current: z.boolean().describe('The session this request was made with'),
    ip: z.string().nullable(),
    userAgent: z.string().nullable(),
    createdAt: Timestamp,
    lastUsedAt: Timestamp,
    expiresAt: Timestamp,
  }),
)

export const invitationStatuses = ['pending', 'accepted', 'declined', 'canceled', 'expired'] as const
export const Invitation = named(
  'Invitation',
  z.object({
    id: Id,
    email: z.string(),
    role: OrganizationRole.describe('Organization role; for a workspace invitation, `guest` or the role the person already has'),
    status: z.enum(invitationStatuses),
    organization: z.object({ slug: z.string(), name: z.string() }),
    workspace: z.object({ slug: z.string(), name: z.string(), role: WorkspaceRole }).optional(),
    expiresAt: Timestamp,
    createdAt: Timestamp,
    inviterEmail: z.string(),
    inviterName: z.string(),
  }),
)

/** More than can be pending; the newest of those that have ended, which are kept for 90 days, fill the rest. */
export const listedInvitations = 1000
export const Invitations = z.object({ invitations: z.array(Invitation).max(listedInvitations), nextCursor: OlderCursor })
export const InvitationsQuery = z.strictObject({ status: z.enum(invitationStatuses).optional(), cursor: Cursor.optional() })
export const listsInvitations = `Lists every pending invitation, and the newest others up to ${listedInvitations}; older ones follow \`nextCursor\`.`

export const SignUpAcknowledgement = named(
  'SignUpAcknowledgement',
  z.object({
    email: z.string(),
    organizationSlug: z.string(),
    provider: z.enum(['magic-link', ...identityProviders]),
    challenge: Challenge.optional(),
  }),
)

const SignUp = named(
  'SignUp',
  z.strictObject({
    email: Email.describe('Work email; its domain becomes the organization’s domain'),
    name: line(1, 100),
    organizationName: line(1, 100),
    organizationSlug: Slug.describe('Part of its URLs: lowercase letters, digits and dashes. It can’t be changed later'),
    provider: z.enum(['magic-link', ...identityProviders]).describe('How to sign in'),
  }),
)

const inInvitation = z.object({ id: Id })

export const account = {
  signUp: operation({
    summary: 'Sign up for a new organization',
    description:
      'Keeps the request for 24 hours. The next sign-in with that address creates the organization, with the caller as admin. ' +
      '`magic-link` emails a sign-in link; for an identity provider, start its flow at `GET /v1/auth/{provider}`.',
    body: SignUp,
    accepted: SignUpAcknowledgement,
    records: { nothing: 'nothing exists yet; completing it writes organization.created' },
    refuses: ['public_mailbox', 'provider_unconfigured', 'domain_taken', 'slug_taken'],
  }),
  getMe: operation({ summary: 'Show my account', ok: User }),
  updateMe: operation({
    summary: 'Change my display name',
    body: named('UpdateMe', z.strictObject({ name: line(1, 255) })),
    ok: User,
    records: ['user.updated'],
  }),
  setMyNotifications: operation({
    summary: 'Choose when I am emailed about integrations',
    body: named('SetNotifications', z.strictObject({ mode: z.enum(notificationModes) })),
    ok: User,
    records: ['user.updated'],
  }),
  listMySessions: operation({ summary: 'List my active sessions', ok: z.object({ sessions: z.array(Session).max(quotas.sessions) }) }),
  revokeMySession: operation({
    summary: 'Sign out one of my sessions',
    params: z.object({ id: Id }),
    empty: true,
    records: ['user.signed_out'],
  }),
  listMyInvitations: operation({
    summary: 'List pending invitations to my address',
    ok: z.object({ invitations: z.array(Invitation) }),
  }),
  acceptInvitation: operation({
    summary: 'Accept an invitation to my address',
    params: inInvitation,
    ok: Invitation,
    records: ['invitation.accepted'],
    refuses: ['invitation_closed', 'quota_reached'],
  }),
  declineInvitation: operation({
    summary: 'Decline an invitation to my address',
    params: inInvitation,
    ok: Invitation,
    records: ['invitation.declined'],
    refuses: ['invitation_closed'],
  }),
  getInvitation: operation({
    summary: 'Show what an emailed invitation link is for',
    description: 'Reading the link never uses it up. The email address is masked.',
    params: z.object({ token: LinkToken }),
    ok: named('PublicInvitation', Invitation.omit({ inviterEmail: true })),
  }),
}
