import * as z from 'zod'
import { Day, ItemStatus, Language, Missing, MOST_ITEMS } from './connect-requests.ts'
import { atMost, Id, LinkToken, named, Timestamp } from './fields.ts'
import { CallPolicy } from './gateway.ts'
import { MustAct } from './integration.ts'
import { Fields, ProviderDescriptor } from './integrations.ts'
import { operation } from './operation.ts'
import { integrationStatuses } from './providers.ts'

export const Name = z.object({ name: z.string() })
const inRequest = z.object({ token: LinkToken })
const inItem = inRequest.extend({ itemId: Id })

/** So that a page can word for the client what the detail words for everyone. */
export const Failure = {
  reason: z.string().nullable().describe('Why this attempt failed: a stable word from the table of reasons'),
  mustAct: MustAct.describe('Who must act before another attempt can succeed; `nobody`: trying again later is enough'),
}
export const ReceiptUrl = z.string().nullable().describe('Where the client sees what they connected and can disconnect it; after a success')

export const ConnectOutcome = named(
  'ConnectOutcome',
  z.object({
    status: z.enum(integrationStatuses),
    connectedAccount: z.string().nullable(),
    statusDetail: z.string().nullable(),
    lastError: z.string().nullable(),
    ...Failure,
    returnUrl: z.string().nullable().describe('Where to send the client, with the outcome added; null for an item of a request'),
    receiptUrl: ReceiptUrl,
    result: z.string().describe('Names this outcome for `getConnectResult`, for one hour'),
  }),
)
export const ConnectAuthorization = named('ConnectAuthorization', z.object({ authorizationUrl: z.string() }))

const PublicConnectItem = named(
  'PublicConnectItem',
  z.object({
    id: Id,
    name: z.string(),
    provider: named('ConnectProvider', ProviderDescriptor.omit({ gateway: true })),
    optional: z.boolean(),
    status: ItemStatus,
    account: z.string().nullable().describe('What was connected'),
    connectedAt: Timestamp.nullable(),
    ...Failure,
    detail: z.string().nullable().describe('For the client: why the last attempt failed, and what to do'),
    missing: Missing,
    result: z
      .string()
      .nullable()
      .describe(
        'Of an unfinished item whose client can go on: names the connection for `getConnectResult` and what it offers, for one hour',
      ),
    reconnects: z.boolean().describe('Unfinished, and access can be given again'),
    expectedAccount: z.string().nullable(),
    callPolicy: CallPolicy,
    accessUntil: Day.nullable().describe('The day on which access ends automatically'),
    passedOn: z.boolean().describe('There is a link for this item alone'),
  }),
)

export const requestPage = {
  getPublicConnectRequest: operation({
    summary: 'Show what a connect request asks for',
    description: 'Reading it never uses it up. An expired request names who asked and nothing else. A canceled one is not found.',
    params: inRequest,
    ok: named(
      'PublicConnectRequest',
      z.object({
        state: z.enum(['ready', 'complete', 'expired']),
        organization: Name,
        requester: Name.nullable().describe('Who created the request'),
        language: Language.nullable().describe('null: the language of the browser'),
        request: z
          .object({
            workspace: Name,
            title: z.string(),
            message: z.string().nullable(),
            clientName: z.string().nullable(),
            expiresAt: Timestamp,
            returnUrl: z.string().nullable().describe('Always null: `takeConnectReturn` hands it out, once, to who has given access'),
            items: atMost(MOST_ITEMS, PublicConnectItem),
          })
          .nullable()
          .describe('null: expired'),
      }),
    ),
  }),
  startConnectItemOAuth: operation({
    summary: 'Start consent at the ad system for an item of a connect request',
    description: 'As with a single link. Afterwards the client comes back to the request’s page, with `#result=…` of `getConnectResult`.',
    params: inItem,
    body: Fields,
    ok: ConnectAuthorization,
    records: ['connect_link.started'],
    refuses: ['link_expired', 'provider_unavailable', 'item_closed'],
  }),
  submitConnectItemCredentials: operation({
    summary: 'Connect an item of a connect request with the credentials form',
    params: inItem,
    body: Fields,
    ok: ConnectOutcome,
    records: ['connect_link.started', 'integration.connected', 'integration.connect_failed'],
    refuses: ['link_expired', 'item_closed'],
  }),
  declineConnectItem: operation({
    summary: 'Decline an optional item of a connect request',
    params: inItem,
    ok: PublicConnectItem,
    records: ['connect_request.item_declined'],
    refuses: ['link_expired', 'item_closed', 'item_required'],
  }),
  passOnConnectItem: operation({
    summary: 'Get a link for one item of a connect request, to pass on',
    description:
      'A connect link like any other: it shows nothing of the other items, and ends when the item is connected or declined, or the request ends or is renewed. ' +
      'Asked again, it answers with the same link. At most 5 items of a request can be passed on.',
    params: inItem,
    ok: named('PassedOnConnectItem', z.object({ connectUrl: z.string(), expiresAt: Timestamp })),
    records: ['connect_request.item_passed_on'],
    refuses: ['link_expired', 'item_closed', 'quota_reached'],
  }),
  askForNewRequestLink: operation({
    summary: 'Ask for a new link where that of a connect request has expired',
    description: 'Emails the person who created the request, at most once a day.',
    params: inRequest,
    empty: true,
    records: ['connect_link.asked_for'],
    refuses: ['link_live'],
  }),
  askForNewConnectLink: operation({
    summary: 'Ask for a new link where a connect link has expired',
    description: 'Emails the person who looks after the integration, at most once a day.',
    params: inRequest,
    empty: true,
    records: ['connect_link.asked_for'],
    refuses: ['link_live'],
  }),
  stopClientMails: operation({
    summary: 'Stop all emails of an organization to a client',
    description:
      'One click, as RFC 8058 has it; `List-Unsubscribe` names this address. The link in the text of an email leads to the page `/connect/stop/{token}`.',
    params: inRequest,
    ok: named('ClientMailsStopped', z.object({ organization: Name })),
    records: ['connect_request.mails_stopped'],
  }),
}
