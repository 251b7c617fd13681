/**
 * The ad systems, as values of `provider`.
 * The service's catalogue and its stand-ins have one entry for each, or do not compile.
 */
export const providerIds = [
  'google_ads',
  'meta_ads',
  'microsoft_ads',
  'amazon_ads',
  'tiktok_ads',
  'linkedin_ads',
  'pinterest_ads',
  'snapchat_ads',
  'reddit_ads',
  'display_video_360',
  'the_trade_desk',
  'criteo',
  'stackadapt',
  'adform',
  'google_ad_manager',
  'campaign_manager_360',
  'xandr',
  'magnite',
  'pubmatic',
  'freewheel',
] as const

export type ProviderId = (typeof providerIds)[number]

export const integrationStatuses = ['pending', 'active', 'error', 'disabled'] as const
export type IntegrationStatus = (typeof integrationStatuses)[number]

/** The first that applies, read from the right: a canceled request is not complete, however much is connected. */
export const connectRequestStatuses = ['open', 'partial', 'expired', 'complete', 'canceled'] as const
export type ConnectRequestStatus = (typeof connectRequestStatuses)[number]
/** `failed`: the last attempt; the next may succeed. */
export const connectItemStatuses = ['pending', 'unfinished', 'connected', 'declined', 'failed'] as const
/** What an unfinished item lacks. */
export const connectMissing = ['account', 'settings', 'access', 'verification'] as const
export type ConnectMissing = (typeof connectMissing)[number]

export type ConnectItemStatus = (typeof connectItemStatuses)[number]

/** Who must act on an integration. `nobody`: it is tried again without anybody. */
export const actors = ['client', 'agency', 'operator', 'nobody'] as const
/** How a list over all workspaces is sorted: first what needs somebody, or by a column. */
export const integrationOrders = ['need', 'name', 'workspace', 'status', 'grantEndsAt'] as const
/** What is done to many at once. */
export const bulkActions = ['verify', 'disable', 'enable', 'issueConnectLink', 'remind'] as const
export type BulkAction = (typeof bulkActions)[number]
export type MustAct = (typeof actors)[number]

/** What programs may do at the ad system through an integration. */
export const callModes = ['off', 'read', 'full'] as const
export type CallMode = (typeof callModes)[number]

export const callEffects = ['read', 'change'] as const
export type CallEffect = (typeof callEffects)[number]

/**
 * How a call through the gateway ended:
 * `failed` is the ad system's own refusal or error, `canceled` a caller who hung up.
 */
export const callOutcomes = ['ok', 'failed', 'throttled', 'credential_refused', 'unreachable', 'timeout', 'canceled'] as const
export type CallOutcome = (typeof callOutcomes)[number]
