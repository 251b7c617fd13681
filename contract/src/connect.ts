import * as z from 'zod'
import { ConnectAuthorization, ConnectOutcome, Failure, Name, ReceiptUrl, requestPage } from './connect-public.ts'
import { Day, Language, Missing } from './connect-requests.ts'
import { atMost, Id, LinkToken, line, named, Text, Timestamp } from './fields.ts'
import { CallPolicy } from './gateway.ts'
import { Field, Fields, ProviderDescriptor } from './integrations.ts'
import { operation } from './operation.ts'
import { receipts } from './receipts.ts'

const inLink = z.object({ token: LinkToken })
const inResult = z.object({ result: Text.max(480) })

const OtherIntegration = named('OtherIntegration', z.object({ id: Id, name: z.string(), workspace: Name, account: z.string().nullable() }))

const MOST_RENEWED = 200
const MOST_SETTINGS = 10

const ConnectAccountChoice = named(
  'ConnectAccountChoice',
  z
    .object({ connectedAccount: z.string().nullable(), detail: z.string().nullable(), ...Failure })
    .describe('`reason` is null after a success'),
)

export const connect = {
  getConnectLink: operation({
    summary: 'Show what a connect link asks for',
    description: 'Reading the link never uses it up.',
    params: inLink,
    ok: named(
      'ConnectLink',
      z.object({
        state: z.enum(['ready', 'expired']),
        organization: Name,
        workspace: Name,
        requester: Name.nullable().describe('Who created the integration'),
        name: z.string(),
        provider: ProviderDescriptor,
        expectedAccount: z.string().nullable(),
        callPolicy: CallPolicy,
        accessUntil: Day.nullable().describe('The day on which access ends automatically'),
        language: Language.nullable().describe('null: the language of the browser'),
        expiresAt: Timestamp,
      }),
    ),
  }),
  startConnectOAuth: operation({
    summary: 'Start consent at the ad system',
    description: 'Validates the connect fields and returns the consent-screen URL. The service seals the state; there are no cookies.',
    params: inLink,
    body: Fields,
    ok: ConnectAuthorization,
    records: ['connect_link.started'],
    refuses: ['link_expired', 'provider_unavailable'],
  }),
  submitConnectCredentials: operation({
    summary: 'Connect with the credentials form',
    params: inLink,
    body: Fields,
    ok: ConnectOutcome,
    records: ['connect_link.started', 'integration.connected', 'integration.connect_failed'],
    refuses: ['link_expired'],
  }),
  finishConnectOAuth: operation({
    summary: 'Complete consent at the ad system',
    description:
      'The ad system sends the client here. If consent was given, redirects to `returnUrl` with `status=connected|failed&integrationId=…` added, or to the result page. ' +
      'If it was declined or failed, always redirects to the result page, which links to `returnUrl`: anyone could make up such a callback.',
    // A browser brings whatever it was given: the verb takes what it can use and sends it on in any case.
    query: z.looseObject({ state: z.any().optional(), code: z.any().optional(), error: z.any().optional() }),
    redirect: true,
    records: ['integration.connected', 'integration.connect_failed'],
  }),
  getConnectResult: operation({
    summary: 'Show the outcome of a visit to the consent screen',
    description: 'For the result page, where clients land without a `returnUrl` or without consent. Readable for one hour.',
    params: inResult,
    ok: named(
      'ConnectResult',
      z.object({
        outcome: z.enum(['connected', 'failed', 'canceled']),
        organization: Name,
        workspace: Name,
        provider: z.string(),
        providerName: z.string(),
        connectedAccount: z.string().nullable(),
        detail: z.string().nullable(),
        ...Failure,
        connectUrl: z.string().nullable().describe('To try again, while the link is still valid'),
        returnUrl: z.string().nullable().describe('Where the client can continue, with the outcome added; null for an item of a request'),
        receiptUrl: ReceiptUrl,
        choosesAccount: z
          .boolean()
          .describe(
            'The account must still be chosen: by the client, with `listConnectAccounts` and `chooseConnectAccount`, or in the settings',
          ),
        missing: Missing,
        missingSettings: atMost(MOST_SETTINGS, Field).describe(
          'What the client can fill in with `submitConnectSettings`, while `missing` is `settings`',
        ),
        others: z
          .array(OtherIntegration)
          .describe('Connections of the same organization that stopped working and were made with this login: one click renews them'),
      }),
    ),
  }),
  takeConnectReturn: operation({
    summary: 'Take the way back from a complete connect request, once',
    description:
      'For the browser in which access was just given, within an hour, with the result that it came back with. Nobody else is sent to `returnUrl`: ' +
      'not who opens the link of a complete request, and not the same browser a second time.',
    params: inResult,
    ok: named(
      'ConnectReturn',
      z.object({
        returnUrl: z
          .string()
          .nullable()
          .describe('With the outcome added; null: not everything is done, there is none, or it was taken before'),
      }),
    ),
    records: { nothing: 'nothing of the organization changes' },
  }),
  renewWithSameLogin: operation({
    summary: 'Renew other connections that were made with the same login',
    description:
      'After a success, with what `others` of the result lists. Each is verified with the ad system before its credential is replaced, and stays ' +
      'as it is where account or permissions differ. `later`: there was no time for this one; ask for it again.',
    params: inResult,
    body: named('RenewWithSameLogin', z.strictObject({ integrationIds: z.array(Id).min(1).max(MOST_RENEWED) })),
    ok: z.object({ results: atMost(MOST_RENEWED, z.object({ id: Id, outcome: z.enum(['connected', 'failed', 'later']), ...Failure })) }),
    records: ['integration.connected', 'integration.connect_failed'],
  }),
  listConnectAccounts: operation({
    summary: 'List the accounts that the client can choose from',
    description:
      'Right after a consent that the ad system needs an account for, while `choosesAccount` of the result says so. At most 50, by name. ' +
      'While `listing` is true, the ad system is still being asked: read it again in a moment.',
    params: inResult,
    query: z.object({ search: line(0, 100).optional().describe('Part of a name or ID') }),
    ok: named(
      'ConnectAccounts',
      z.object({
        listing: z.boolean(),
        accounts: atMost(50, z.object({ id: z.string(), name: z.string() })),
        more: z.boolean().describe('There are more than are listed: `search` finds them'),
      }),
    ),
    refuses: ['account_chosen'],
  }),
  chooseConnectAccount: operation({
    summary: 'Choose the account of a new connection',
    description:
      'One of `listConnectAccounts`, by the client who has just given access. It is verified with the ad system first; one that does not work changes ' +
      'nothing, and another can be chosen. Choosing the same account again has the same answer.',
    params: inResult,
    body: named(
      'ChooseConnectAccount',
      z.strictObject({ accountId: Text.min(1).max(100).describe('The `id` of one of the listed accounts') }),
    ),
    ok: ConnectAccountChoice,
    records: ['integration.updated', 'integration.connect_failed'],
    refuses: ['account_chosen', 'check_running', 'organization_frozen'],
  }),
  submitConnectSettings: operation({
    summary: 'Fill in the settings that a new connection needs',
    description:
      'What `missingSettings` of the result lists, while `missing` is `settings`. They are verified with the ad system first; what does not work changes nothing, ' +
      'and can be sent again. The same values again have the same answer.',
    params: inResult,
    body: Fields,
    ok: ConnectAccountChoice,
    records: ['integration.updated', 'integration.connect_failed'],
    refuses: ['settings_complete', 'check_running', 'organization_frozen'],
  }),
  ...requestPage,
  ...receipts,
}
