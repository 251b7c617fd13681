import * as z from 'zod'
import { atMost, Email, Id, inWorkspace, line, named, normalized, SEEN, Text, Timestamp } from './fields.ts'
import { SentCallPolicy } from './gateway.ts'
import { isVisible } from './hidden-characters.ts'
import { MustAct } from './integration.ts'
import { ExpectedAccount, ReturnUrl, Settings } from './integration-fields.ts'
import { languages } from './languages.ts'
import { quotas } from './limits.ts'
import { operation } from './operation.ts'
import { connectItemStatuses, connectMissing, connectRequestStatuses, providerIds } from './providers.ts'

export const Language = named('Language', z.enum(languages))
export const ItemStatus = z.enum(connectItemStatuses)
export const Missing = z
  .enum(connectMissing)
  .nullable()
  .describe(
    'Of an unfinished item. `account`: to be chosen from those that the login reaches; `settings`: to be filled in; `access`: the client must give it ' +
      'again; `verification`: it goes on automatically, or the agency must act',
  )
const RequestStatus = z
  .enum(connectRequestStatuses)
  .describe(
    '`partial`: something is connected, unfinished or declined; `complete`: everything required is connected, and everything optional is connected or declined: perhaps all of it was declined',
  )

/** A day of UTC. */
export const Day = z.string().meta({ format: 'date' })
export const AccessUntil = z.iso
  .date()
  .describe('The day on which access ends automatically, such as 2027-01-31: at most 2 years from now. Only a new consent moves it')

const LINK = /\w:\/\/|\bwww\.|[\p{L}\p{N}-]\.\p{L}{2,}(?=[/:\s]|$)/iu
/** Words of the requester to the client; lines, but no way to lead anybody elsewhere. */
const MOST_WORDS = 1000
const Message = Text.max(MOST_WORDS)
  .trim()
  .overwrite(normalized(MOST_WORDS))
  .refine((text) => !/(?![\n\r\t])\p{Cc}/u.test(text), 'must not contain control characters')
  .refine((text) => text.length > MOST_WORDS || isVisible(text), SEEN)
  .refine((text) => !LINK.test(text), 'must not contain links or addresses')
const Title = line(1, 100).describe('What this is about, for the client')
const ClientEmail = Email.describe('Where the request, its reminders and the confirmation are emailed')

const Item = z
  .strictObject({
    provider: z.enum(providerIds).optional().describe('Creates an integration for this ad system'),
    integrationId: Id.optional().describe('Asks for an existing integration to be connected again, instead of creating one'),
    name: line(1, 100).optional().describe('Of the new integration; the name of the ad system if left out'),
    settings: Settings.optional(),
    expectedAccount: ExpectedAccount.optional(),
    callPolicy: SentCallPolicy.optional().describe('Default: read. Workspace admins may choose `full`.'),
    optional: z.boolean().default(false).describe('The client may decline it'),
    accessUntil: AccessUntil.optional(),
  })
  .refine(({ provider, integrationId }) => (provider === undefined) !== (integrationId === undefined), {
    message: 'needs either `provider`, for a new integration, or `integrationId`',
  })
  .refine((item) => item.integrationId === undefined || !(item.name ?? item.settings ?? item.expectedAccount ?? item.callPolicy), {
    message: 'names an existing integration, which keeps its name, settings, expected account and call policy',
  })

export const MOST_ITEMS = 20

const ConnectItem = named(
  'ConnectItem',
  z.object({
    id: Id,
    integrationId: Id,
    provider: z.string(),
    providerName: z.string(),
    name: z.string(),
    optional: z.boolean(),
    status: ItemStatus,
    connectedAccount: z.string().nullable(),
    reason: z.string().nullable().describe('Why the last attempt failed: a stable word from the table of reasons'),
    mustAct: MustAct,
    detail: z.string().nullable().describe('For people: why the last attempt failed'),
    missing: Missing,
    accessUntil: Day.nullable(),
    passedOn: z.boolean().describe('The client made a link for this item alone'),
    sentAt: Timestamp.nullable(),
    startedAt: Timestamp.nullable().describe('When the client first submitted something'),
    completedAt: Timestamp.nullable().describe('When it was connected or declined'),
  }),
)

export const ConnectRequest = named(
  'ConnectRequest',
  z.object({
    id: Id,
    workspaceId: Id,
    title: z.string(),
    message: z.string().nullable(),
    language: Language.nullable().describe('null: the language of the client’s browser'),
    clientName: z.string().nullable(),
    clientEmail: z.string().nullable().describe('For workspace members by session; null for viewers and keys'),
    mailsStopped: z.boolean().describe('The client asked for no more emails from this organization'),
    status: RequestStatus,
    reminders: z.boolean(),
    returnUrl: z.string().nullable(),
    connectUrl: z
      .string()
      .nullable()
      .describe(
        'The link for the client. For workspace members by session; null for viewers and keys, and once the link has ended for good',
      ),
    expiresAt: Timestamp,
    items: atMost(MOST_ITEMS, ConnectItem),
    sentAt: Timestamp.nullable().describe('When it was first emailed'),
    startedAt: Timestamp.nullable().describe('When the client first submitted something'),
    completedAt: Timestamp.nullable(),
    canceledAt: Timestamp.nullable(),
    createdByEmail: z.string().nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)

const ExpiresInDays = z.int().min(1).max(30).default(14).describe('Days until the link expires')
const inRequest = inWorkspace.extend({ requestId: Id })

export const connectRequests = {
  listConnectRequests: operation({
    summary: 'List the connect requests of a workspace, newest first',
    description: 'Complete, canceled and expired requests stay in the list for 90 days.',
    params: inWorkspace,
    query: z.strictObject({ status: RequestStatus.optional() }),
    ok: z.object({ connectRequests: z.array(ConnectRequest) }),
  }),
  createConnectRequest: operation({
    summary: 'Ask a client to connect several ad systems with one link',
    description: `Creates the integrations that it names. Nothing is emailed until it is sent. A workspace can have at most ${quotas.openConnectRequests} open requests.`,
    params: inWorkspace,
    body: named(
      'CreateConnectRequest',
      z.strictObject({
        title: Title,
        message: Message.optional().describe('Plain text without links'),
        language: Language.optional(),
        clientEmail: ClientEmail.optional(),
        clientName: line(1, 100).optional(),
        expiresInDays: ExpiresInDays,
        returnUrl: ReturnUrl.optional(),
        reminders: z.boolean().default(true).describe('Remind the client after 2 and 5 days, and a day before the link expires'),
        items: z.array(Item).min(1).max(MOST_ITEMS),
      }),
    ),
    created: ConnectRequest,
    location: 'getConnectRequest',
    records: ['connect_request.created', 'integration.created'],
    refuses: ['quota_reached', 'above_own_role', 'fence_unavailable', 'provider_unavailable', 'integration_disabled', 'request_open'],
  }),
  getConnectRequest: operation({ summary: 'Show a connect request', params: inRequest, ok: ConnectRequest }),
  updateConnectRequest: operation({
    summary: 'Change what a connect request says, or who gets it',
    params: inRequest,
    body: named(
      'UpdateConnectRequest',
      z.strictObject({
        title: Title.optional(),
        message: Message.nullable().optional(),
        language: Language.nullable().optional(),
        clientEmail: ClientEmail.nullable().optional(),
        clientName: line(1, 100).nullable().optional(),
        returnUrl: ReturnUrl.nullable().optional(),
        reminders: z.boolean().optional(),
      }),
    ),
    ok: ConnectRequest,
    records: ['connect_request.updated'],
    refuses: ['request_closed'],
  }),
  cancelConnectRequest: operation({
    summary: 'Cancel a connect request',
    description:
      'Its links stop working. The integrations stay as they are. A complete request stays complete: this ends its link, which would otherwise work until it expires.',
    params: inRequest,
    empty: true,
    records: ['connect_request.canceled', 'connect_request.link_ended'],
    refuses: ['request_closed'],
  }),
  sendConnectRequest: operation({
    summary: 'Email a connect request to the client, the first time or again',
    params: inRequest,
    ok: ConnectRequest,
    records: ['connect_request.sent'],
    refuses: ['request_closed', 'request_expired', 'client_email_missing', 'client_done', 'mails_stopped'],
  }),
  renewConnectRequest: operation({
    summary: 'Replace the link of a connect request, with a later expiry',
    description:
      'The old link stops working, as do the links for single items that were passed on from it. If the request was emailed before, and the client has something left to do, the new link is emailed, too.',
    params: inRequest,
    body: named('RenewConnectRequest', z.strictObject({ expiresInDays: ExpiresInDays }).prefault({})),
    ok: ConnectRequest,
    records: ['connect_request.renewed'],
    refuses: ['request_closed', 'request_open'],
  }),
}
