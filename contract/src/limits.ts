import type { OperationId } from './paths.ts'

/**
 * `by` names what is counted: the client's address (IPv6 by /64, and by /48 at eight times that),
 * a mailbox (whatever its tag), another field, who calls, or where.
 */
export type Limit = {
  readonly bucket: string
  readonly by: 'address' | 'email' | 'token' | 'key' | 'person' | 'organization' | 'invitation' | 'integration' | 'webhook' | 'request'
  readonly limit: number
  readonly seconds: number
  /** Counted by the verb, with what it does: a refused request uses nothing up. Else counted at once. */
  readonly when?: 'done'
  /** What whoever is past it reads, before how long to wait. */
  readonly says?: string
}

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400
const per = (bucket: string, by: Limit['by'], limit: number, seconds: number): Limit => ({ bucket, by, limit, seconds })

const invitations = [per('invitations', 'key', 30, MINUTE), per('invitations', 'key', 300, DAY)]
/**
 * New ones and resends, by people and by keys alike:
 * what leaves is a mail to somebody who may not have asked for it.
 */
const invitationMails: readonly Limit[] = [
  { ...per('invitation-mails', 'person', 60, HOUR), when: 'done', says: 'You’ve reached the hourly limit for invitations.' },
  {
    ...per('invitation-mails', 'organization', 500, DAY),
    when: 'done',
    says: 'Your organization has reached its daily limit for invitations.',
  },
  { ...per('invitation-mails', 'email', 5, DAY), when: 'done', says: 'No more invitations can be emailed to this address today.' },
]
// Nobody guesses at the codes that others are typing.
const deviceCodes = [per('device-codes', 'address', 60, MINUTE)]
const resends = [per('resends', 'invitation', 5, HOUR)]

const TEN_MINUTES = 600
const connectReads = [per('connect-reads', 'address', 60, MINUTE), per('connect-reads', 'token', 30, MINUTE)]
const connectSubmits = [per('connect-submits', 'address', 20, TEN_MINUTES), per('connect-submits', 'token', 10, TEN_MINUTES)]
const asks: readonly Limit[] = [
  ...connectSubmits,
  { ...per('link-asks', 'token', 1, DAY), when: 'done', says: 'You already asked for a new link today.' },
]
const requestMails = [per('request-mails', 'request', 5, HOUR)]
/** Changes are counted once it is known that a call makes one: a search by POST uses none of them up. */
const proxied: readonly Limit[] = [
  per('proxy', 'integration', 1200, MINUTE),
  per('proxy', 'organization', 6000, MINUTE),
  { ...per('proxy-changes', 'integration', 120, MINUTE), when: 'done', says: 'This integration has reached its limit for changes.' },
  {
    ...per('proxy-changes', 'organization', 600, MINUTE),
    when: 'done',
    says: 'Your organization has reached its limit for changes at ad systems.',
  },
]
const webhookTries = [per('webhook-tries', 'webhook', 10, MINUTE)]
const freezes = [per('freezes', 'organization', 10, HOUR)]
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
  createOrganizationInvitation: [...invitations, ...invitationMails],
  createWorkspaceInvitation: [...invitations, ...invitationMails],
  resendOrganizationInvitation: [...resends, ...invitationMails],
  resendWorkspaceInvitation: [...resends, ...invitationMails],
  startDeviceLogin: [per('device-starts', 'address', 10, MINUTE)],
  getDeviceLogin: deviceCodes,
  approveDeviceLogin: deviceCodes,
  denyDeviceLogin: deviceCodes,
  startProviderSignIn: [per('provider-starts', 'address', 30, MINUTE)],
  finishProviderSignIn: [per('provider-callbacks', 'address', 30, MINUTE)],
  getSignInLink: [per('sign-in-link-reads', 'address', 60, MINUTE)],
  submitIntegrationCredentials: vendorCalls,
  verifyIntegration: vendorCalls,
  enableIntegration: vendorCalls,
  bulkIntegrations: [per('bulk', 'person', 10, TEN_MINUTES), ...invitationMails],
  setIntegrationCallPolicy: [per('call-policies', 'integration', 30, HOUR)],
  refreshIntegrationAccounts: [per('account-lists', 'integration', 10, TEN_MINUTES)],
  proxyGet: proxied,
  proxyPost: proxied,
  proxyPut: proxied,
  proxyPatch: proxied,
  proxyDelete: proxied,
  rotateWebhookSecret: [per('webhook-secrets', 'webhook', 10, HOUR)],
  enableWebhook: [per('webhook-switches', 'webhook', 10, HOUR)],
  disableWebhook: [per('webhook-switches', 'webhook', 10, HOUR)],
  testWebhook: webhookTries,
  redeliverWebhook: webhookTries,
  replayWebhook: [per('webhook-replays', 'webhook', 1, TEN_MINUTES)],
  freezeOrganization: freezes,
  thawOrganization: freezes,
  sendConnectRequest: [...requestMails, ...invitationMails],
  renewConnectRequest: [...requestMails, ...invitationMails],
  getPublicConnectRequest: connectReads,
  startConnectItemOAuth: connectSubmits,
  submitConnectItemCredentials: connectSubmits,
  declineConnectItem: connectSubmits,
  passOnConnectItem: connectSubmits,
  askForNewConnectLink: asks,
  askForNewRequestLink: asks,
  stopClientMails: [per('mail-stops', 'address', 20, TEN_MINUTES)],
  getReceipt: connectReads,
  disconnectByReceipt: connectSubmits,
  takeConnectReturn: [per('connect-submits', 'address', 20, TEN_MINUTES)],
  renewWithSameLogin: [per('connect-submits', 'address', 20, TEN_MINUTES)],
  listConnectAccounts: [per('connect-reads', 'address', 60, MINUTE)],
  chooseConnectAccount: [per('connect-submits', 'address', 20, TEN_MINUTES)],
  submitConnectSettings: [per('connect-submits', 'address', 20, TEN_MINUTES)],
  getConnectLink: connectReads,
  startConnectOAuth: connectSubmits,
  submitConnectCredentials: connectSubmits,
  // Its own: whoever comes back from a consent screen is not kept
  // out by those who read pages behind the same address.
  finishConnectOAuth: [per('connect-callbacks', 'address', 60, MINUTE)],
  getConnectResult: [per('connect-reads', 'address', 60, MINUTE)],
  getInvitation: [per('invitation-reads', 'address', 60, MINUTE)],
}

/**
 * What may be under way at once in one process, so that no client keeps
 * others from being answered. Past one: in turn, for a moment, then 503
 * `too_much_at_once`; connections past theirs, and requests that pile up on one, are cut.
 * `LIMITS_FACTOR` multiplies all but the first.
 */
export const atOnce = {
  pipelined: 32,
  connections: 512,
  address: 64,
  caller: 16,
  organization: 64,
  /** Requests that wait for news: they use none of the above. Past it: 429 `too_many_waits`. */
  callerWaits: 4,
  organizationWaits: 20,
} as const

/** What keeps whole collections bounded; past it: 409 `quota_reached`. */
export const quotas = {
  workspaces: 500,
  members: 5000,
  liveApiKeys: 200,
  pendingInvitations: 200,
  integrations: 1000,
  sessions: 50,
  webhooks: 20,
  openConnectRequests: 200,
} as const

/** What one person may take of a quota that all need. */
export const shares = { liveApiKeys: 20, pendingInvitations: 50 } as const

/** Filled by many: the last tenth is the admins', so that nobody keeps them out. */
export const reserved = ['members', 'liveApiKeys', 'pendingInvitations', 'integrations'] as const

export const openToAll = (quota: (typeof reserved)[number]): number => Math.ceil(quotas[quota] * 0.9)

/** How the API document says it. */
export const shareOf = (quota: keyof typeof shares, things: string): string =>
  `A person can have at most ${shares[quota]} ${things} in an organization; the last ${quotas[quota] - openToAll(quota)} of its ${quotas[quota]} are reserved for admins.`
