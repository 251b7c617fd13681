import * as z from 'zod'
import { identityProviders, Session, User } from './account.ts'
import { Challenge, Email, LinkToken, line, named, Text, Timestamp, Url } from './fields.ts'
import { operation } from './operation.ts'
import { signInErrors } from './sign-in-errors.ts'

const Provider = z.object({ provider: z.enum(identityProviders) })
const CallbackURL = Url.describe('Where to go after signing in; must be on a trusted origin')

const SignedIn = named(
  'SignedIn',
  z.object({
    token: z.string().optional().describe('The session as a bearer token; left out for browsers, which get the cookie'),
    expiresAt: Timestamp,
    user: User,
    organizationSlug: z.string().optional().describe('The organization that this sign-in created'),
    signUp: z.enum(['completed', 'refused']).optional().describe('The outcome of a pending sign-up'),
    signUpReason: z.string().optional().describe('Why it was refused: `slug_taken`, `domain_taken` or `public_mailbox`'),
  }),
)

export const UserCode = z
  .string()
  .max(16)
  .overwrite((code) => code.toUpperCase().replace(/[^A-Z0-9]/g, ''))

const DeviceLogin = named(
  'DeviceLogin',
  z.object({
    userCode: z.string(),
    clientName: z.string(),
    ip: z.string().nullable().describe('Where the request came from'),
    userAgent: z.string().nullable(),
    status: z.enum(['pending', 'approved', 'denied']),
    createdAt: Timestamp,
    expiresAt: Timestamp,
  }),
)

const inDevice = z.object({ userCode: UserCode })

export const auth = {
  sendSignInLink: operation({
    summary: 'Email a sign-in link and code',
    description:
      'The response is the same whether or not the address is known. The link and the 6-digit code are valid for 10 minutes and work once; ' +
      'the code also needs the `challenge` from this response. After 20 wrong codes in a day, only links work for the address, for 24 hours.',
    body: named('SendSignInLink', z.strictObject({ email: Email, callbackURL: CallbackURL.optional() })),
    accepted: named('SignInLinkSent', z.object({ email: z.string(), challenge: Challenge.optional() })),
    records: { nothing: 'nothing changes until the link is used' },
    refuses: ['untrusted_url'],
  }),
  getSignInLink: operation({
    summary: 'Show what an emailed sign-in link will do',
    description: 'Reading the link never uses it up: the page it opens shows this, and only a click signs in.',
    params: z.object({ token: LinkToken }),
    ok: named(
      'SignInLink',
      z.object({
        email: z.string(),
        organization: z.object({ slug: z.string(), name: z.string() }).nullable().describe('The organization that signing in will create'),
        callbackURL: z.string().nullable(),
        expiresAt: Timestamp,
      }),
    ),
  }),
  verifySignIn: operation({
    summary: 'Sign in with an emailed link or code',
    body: named(
      'VerifySignIn',
      z.union([
        z.strictObject({ token: LinkToken.describe('The last part of the emailed link'), completeSignUp: z.boolean().default(true) }),
        z.strictObject({
          email: Email,
          code: z
            .string()
            .regex(/^\d{6}$/, 'must be the 6-digit code from the email')
            .meta({ minLength: 6, maxLength: 6 })
            .describe('The 6-digit code from the email'),
          challenge: Challenge.optional(),
          completeSignUp: z.boolean().default(true).describe('`false` signs in without creating the organization from the sign-up'),
        }),
      ]),
    ),
    ok: SignedIn,
    records: ['user.signed_in', 'organization.created', 'member.provisioned'],
    refuses: ['sign_in_invalid', 'origin_refused'],
  }),
  startProviderSignIn: operation({
    summary: 'Sign in with an identity provider',
    description:
      'Opened in a browser: redirects to the provider’s consent page and sets the cookie that the callback needs. ' +
      'If the provider can’t be reached, redirects to the portal’s error page.',
    params: Provider,
    query: z.strictObject({
      callbackURL: CallbackURL.optional(),
      loginHint: Email.optional().describe('Email address to preselect at the provider'),
    }),
    redirect: true,
    refuses: ['untrusted_url', 'not_found'],
  }),
  finishProviderSignIn: operation({
    summary: 'Complete sign-in with an identity provider',
    description:
      'The provider sends the browser here. Redirects to `callbackURL` with the session cookie; after a sign-up, `signUp`, `organizationSlug` and `signUpReason` are added to it. ' +
      'If the provider has not verified the address, an emailed code confirms it first: redirects to `/signin#confirm=<address>`. ' +
      `Failures redirect to \`/error?code=…\` with one of: ${Object.entries(signInErrors)
        .map(([code, why]) => `\`${code}\` (${why[0]!.toLowerCase()}${why.slice(1)})`)
        .join('; ')}.`,
    params: Provider,
    query: z.looseObject({
      state: Text.max(4096).optional(),
      code: Text.max(4096).optional(),
      error: Text.max(512).optional(),
      iss: Text.max(2048).optional(),
    }),
    redirect: true,
    records: ['user.signed_in', 'organization.created', 'member.provisioned'],
    refuses: ['not_found'],
  }),
  getSession: operation({ summary: 'Show my current session', ok: named('CurrentSession', z.object({ user: User, session: Session })) }),
  signOut: operation({ summary: 'Sign out of this session', empty: true, records: ['user.signed_out'] }),
  signOutEverywhere: operation({ summary: 'Sign out of all my sessions', empty: true, records: ['user.signed_out'] }),
  startDeviceLogin: operation({
    summary: 'Start a login on a device without a browser (RFC 8628)',
    body: named(
      'StartDeviceLogin',
      z.strictObject({ clientName: line(1, 100).default('Adjoin CLI').describe('What the approval page calls this device') }),
    ),
    ok: named(
      'DeviceAuthorization',
      z.object({
        deviceCode: z.string(),
        userCode: z.string(),
        verificationUri: z.string(),
        verificationUriComplete: z.string(),
        expiresIn: z.int(),
        interval: z.int(),
      }),
    ),
    records: { nothing: 'nothing changes until a person approves' },
  }),
  pollDeviceLogin: operation({
    summary: 'Check whether the login was approved',
    description:
      'Problems carry the `error` member of RFC 8628: `authorization_pending`, `slow_down`, `access_denied` or `expired_token`. ' +
      'The first two also carry `interval`, the seconds to wait before polling again.',
    body: named('PollDeviceLogin', z.strictObject({ deviceCode: z.string().min(1).max(128).describe('From the start of the login') })),
    ok: SignedIn,
    records: ['user.signed_in'],
    refuses: ['device_pending', 'device_slow_down', 'device_denied', 'device_expired', 'origin_refused'],
  }),
  getDeviceLogin: operation({ summary: 'Show which device asks to sign in, and from where', params: inDevice, ok: DeviceLogin }),
  approveDeviceLogin: operation({
    summary: 'Let the device sign in as me',
    params: inDevice,
    ok: DeviceLogin,
    records: { nothing: 'the device’s sign-in writes user.signed_in' },
    refuses: ['device_closed'],
  }),
  denyDeviceLogin: operation({
    summary: 'Deny the device',
    params: inDevice,
    ok: DeviceLogin,
    records: { nothing: 'nothing changes for the person' },
    refuses: ['device_closed'],
  }),
}
