import * as z from 'zod'
import { Cursor, Id, inWorkspace, Limit, line, named, page, SentTime, Text, Timestamp } from './fields.ts'
import { operation } from './operation.ts'
import { pagingKinds } from './paging.ts'
import { callEffects, callModes, callOutcomes } from './providers.ts'

export const inIntegration = inWorkspace.extend({ id: Id })

export const CallPolicy = named(
  'CallPolicy',
  z.object({
    mode: z.enum(callModes).describe('What programs may do at the ad system through this integration: nothing, read, or read and change'),
    accounts: z.array(z.string()).nullable().describe('The only accounts that calls may name; null: all that the connection reaches'),
  }),
)

export const SentCallPolicy = z.strictObject({
  mode: z.enum(callModes),
  accounts: z
    .array(line(1, 64))
    .min(1)
    .max(1000)
    .nullable()
    .default(null)
    .describe('The only accounts that calls may name; null: all that the connection reaches'),
})

const ProviderExample = named(
  'ProviderExample',
  z.object({
    title: z.string(),
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    path: z.string().describe('What follows `/proxy/`, with its query'),
    body: z.record(z.string(), z.unknown()).nullable().describe('Sent as JSON'),
    effect: z.enum(callEffects),
  }),
)

const ProviderPaging = named(
  'ProviderPaging',
  z.object({
    by: z
      .enum(pagingKinds)
      .describe('What leads to the next page: an address or a token in the answer, the number of a page or row, or a GraphQL cursor'),
    at: z
      .string()
      .nullable()
      .describe(
        'The field of the answer with that address or token, or with the number of pages or rows; null: a page that is not full is the last',
      ),
    parameter: z.string().nullable().describe('What asks for the next page, in the query or in the JSON body'),
    size: z.string().nullable().describe('What says how many rows a page has'),
    first: z.int().describe('The number of the first page or row'),
    drop: z.array(z.string()).describe('Parameters to take out of the next page’s address'),
    untilEmpty: z.boolean().describe('A page without rows is the last, whatever it says'),
  }),
)

export const ProviderGateway = named(
  'ProviderGateway',
  z.object({
    hosts: z.array(z.string()).describe('Where calls may go; regions and environments have their own. The first is the default.'),
    fence: z.boolean().describe('Whether calls can be limited to chosen accounts'),
    headers: z.array(z.string()).describe('The ad system’s headers that callers may set'),
    paging: z.array(ProviderPaging).describe('How its lists go on, the first that applies; empty where they don’t'),
    accountSettings: z
      .array(z.object({ setting: z.string(), kind: z.string() }))
      .describe('Settings whose value can be picked from the list of accounts, and the kind of account that each takes'),
    examples: z.array(ProviderExample).describe('First calls to try, with an account ID to replace'),
  }),
)

export const IntegrationCall = named(
  'IntegrationCall',
  z.object({
    id: Id,
    at: Timestamp,
    callerType: z.enum(['user', 'apiKey']),
    callerName: z.string(),
    method: z.string(),
    host: z.string(),
    path: z.string(),
    effect: z.enum(callEffects),
    account: z.string().nullable().describe('The accounts that it named; null: none, or the ad system’s calls don’t'),
    outcome: z.enum(callOutcomes).nullable().describe('null: still under way, or the process ended before it knew'),
    status: z.int().nullable().describe('What the ad system answered with'),
    durationMs: z.int().nullable(),
    vendorRequestId: z.string().nullable(),
    requestId: z.string(),
  }),
)

export const IntegrationUsage = named(
  'IntegrationUsage',
  z.object({
    from: Timestamp,
    effect: z.enum(callEffects),
    outcome: z.enum(callOutcomes),
    calls: z.int(),
  }),
)

export const IntegrationAccount = named(
  'IntegrationAccount',
  z.object({
    id: z.string(),
    name: z.string(),
    kind: z.string().describe('The ad system’s word for it: account, manager, advertiser, partner, profile …'),
    parentId: z.string().nullable().describe('The account that this one is below'),
    currency: z.string().nullable(),
    timeZone: z.string().nullable().describe('As the ad system writes it'),
    status: z.string().nullable().describe('In the ad system’s own words'),
    inFence: z.boolean().describe('Whether the call policy lets calls name it'),
  }),
)

export const IntegrationAccounts = named(
  'IntegrationAccounts',
  z.object({
    accounts: z.array(IntegrationAccount).max(10_000),
    listed: z.boolean().describe('false: this ad system has no list of accounts; the account is the one in the settings'),
    complete: z.boolean().describe('false: there are more than 10,000'),
    refreshedAt: Timestamp.nullable().describe('null: not listed yet'),
  }),
)

export const SharedQuota = named(
  'SharedQuota',
  z
    .object({
      calls: z.int().describe('What your organization may use of the day’s calls to this ad system'),
      used: z.int().describe('What it has used today, over all of its integrations; a few are counted ahead'),
      left: z.int().describe('What is left of it, and of what all organizations share'),
      endsAt: Timestamp.describe('When the ad system’s next day begins'),
      timeZone: z.string().describe('The time zone of the ad system’s day'),
    })
    .describe('The organization’s share of the calls that the ad system allows this service in a day'),
)

const MEBIBYTE = 1 << 20

const PROXY = {
  description:
    'The ad system’s own API, unchanged: `path` is its path as its documentation writes it, with the host as first segment where there are ' +
    'several. Adjoin adds the credentials, refuses what the caller may not do, and passes the answer on with `Adjoin-Answer: <provider>`; what ' +
    'Adjoin refuses itself comes with `Adjoin-Answer: adjoin`. An Idempotency-Key is never sent twice.',
  params: inIntegration.extend({ path: Text.max(4096) }),
  verbatim: { mostBytes: MEBIBYTE },
  stream: ['*/*'],
  refuses: [
    'path_invalid',
    'change_refused',
    'calls_off',
    'path_refused',
    'account_outside',
    'integration_disabled',
    'integration_unconnected',
    'organization_frozen',
    'gateway_unavailable',
    'already_sent',
    'vendor_throttled',
    'quota_share',
    'vendor_busy',
    'vendor_refused_credential',
    'vendor_unreachable',
    'vendor_answer_unusable',
    'vendor_timeout',
  ],
} as const
const CHANGE = { ...PROXY, records: ['integration.change_sent'] } as const
const BODY = { ...CHANGE, verbatim: { mostBytes: MEBIBYTE, sends: 'bytes' } } as const

/** The gateway: an ad system's own API, called through an integration. */
export const gatewayCalls = {
  proxyGet: operation({ ...PROXY, summary: 'Read from the ad system, by GET' }),
  proxyPost: operation({ ...BODY, summary: 'Call the ad system, by POST' }),
  proxyPut: operation({ ...BODY, summary: 'Call the ad system, by PUT' }),
  proxyPatch: operation({ ...BODY, summary: 'Call the ad system, by PATCH' }),
  proxyDelete: operation({ ...CHANGE, summary: 'Call the ad system, by DELETE' }),
  listIntegrationAccounts: operation({
    summary: 'The accounts that the connection reaches at the ad system',
    description: 'With the managers, partners and businesses above them. Listed after connecting, and once a day.',
    params: inIntegration,
    ok: IntegrationAccounts,
  }),
  refreshIntegrationAccounts: operation({
    summary: 'List the accounts at the ad system now',
    params: inIntegration,
    ok: IntegrationAccounts,
    records: ['integration.accounts_changed'],
    refuses: [
      'integration_disabled',
      'integration_unconnected',
      'organization_frozen',
      'accounts_unlisted',
      'check_running',
      'vendor_throttled',
      'vendor_refused_credential',
      'vendor_unreachable',
    ],
  }),
  listIntegrationCalls: operation({
    summary: 'Changes that were sent to the ad system, and calls that failed, newest first',
    description: 'Kept for 90 days. Reads that went well are counted in the usage, not listed.',
    params: inIntegration,
    query: z.strictObject({ cursor: Cursor.optional(), limit: Limit.default(50) }),
    ok: z.object({ calls: page(IntegrationCall), nextCursor: z.string().nullable() }),
    refuses: ['invalid_cursor'],
  }),
  getIntegrationUsage: operation({
    summary: 'How much an integration was called, by hour or day',
    params: inIntegration,
    query: z.strictObject({
      from: SentTime.optional().describe('Default: 7 days ago'),
      to: SentTime.optional().describe('Default: now'),
      by: z.enum(['hour', 'day']).default('day'),
    }),
    ok: z.object({
      usage: z.array(IntegrationUsage),
      quota: SharedQuota.nullable().describe('null: no daily limit is known'),
    }),
  }),
}
