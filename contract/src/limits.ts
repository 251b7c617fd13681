import type { OperationId } from './paths.ts'

/** `by` names what is counted: the client's address (IPv6 by /64), the mailbox of an email (whatever its tag), another field of the request, or the key that calls. */
export type Limit = {
  readonly bucket: string
  readonly by: 'address' | 'email' | 'token' | 'key' | 'invitation' | 'integration'
  readonly limit: number
  readonly seconds: number
}

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400
const per = (bucket: string, by: Limit['by'], limit: number, seconds: number): Limit => ({ bucket, by, limit, seconds })

const invitations = [per('invitations', 'key', 30, MINUTE), per('invitations', 'key', 300, DAY)]
const deviceCodes = [per('device-codes', 'address', 60, MINUTE)] // nobody guesses at the codes that others are typing
const resends = [per('resends', 'invitation', 5, HOUR)]

const TEN_MINUTES = 600
const connectReads = [per('connect-reads', 'address', 60, MINUTE), per('connect-reads', 'token', 30, MINUTE)]
const connectSubmits = [per('connect-submits', 'address', 20, TEN_MINUTES), per('connect-submits', 'token', 10, TEN_MINUTES)]
const vendorCalls = [per('vendor-calls', 'integration', 10, TEN_MINUTES)]

/** THE LIMITS, counted across replicas. An operation without a row has none. */
export const limits: { readonly [Id in OperationId]?: readonly Limit[] } = {
  sendSignInLink: [
    per('sign-in-mails', 'email', 3, MINUTE),
    per('sign-in-mails', 'email', 10, HOUR),
    per('sign-in-mails', 'address', 10, MINUTE),
    per('sign-in-mails', 'address', 60, HOUR),
  ],
  signUp: [per('sign-ups', 'email', 3, HOUR), per('sign-ups', 'address', 10, HOUR)],
  createOrganizationInvitation: invitations,
  createWorkspaceInvitation: invitations,
  resendOrganizationInvitation: resends,
  resendWorkspaceInvitation: resends,
  startDeviceLogin: [per('device-starts', 'address', 10, MINUTE)],
  getDeviceLogin: deviceCodes,
  approveDeviceLogin: deviceCodes,
  denyDeviceLogin: deviceCodes,
  getSignInLink: [per('sign-in-link-reads', 'address', 60, MINUTE)],
  submitIntegrationCredentials: vendorCalls,
  verifyIntegration: vendorCalls,
  enableIntegration: vendorCalls,
  getConnectLink: connectReads,
  startConnectOAuth: connectSubmits,
  submitConnectCredentials: connectSubmits,
  finishConnectOAuth: [per('connect-reads', 'address', 60, MINUTE)],
  getConnectResult: [per('connect-reads', 'address', 60, MINUTE)],
  getInvitation: [per('invitation-reads', 'address', 60, MINUTE)],
}

/** What keeps whole collections bounded; past it: 409 `quota_reached`. */
export const quotas = {
  workspaces: 500,
  members: 5000,
  liveApiKeys: 200,
  pendingInvitations: 200,
  integrations: 1000,
  sessions: 50,
} as const
