import * as z from 'zod'
import { LinkToken, named, Text, Timestamp } from './fields.ts'
import { CallPolicy } from './gateway.ts'
import { MustAct } from './integration.ts'
import { Fields, ProviderDescriptor } from './integrations.ts'
import { operation } from './operation.ts'
import { integrationStatuses } from './providers.ts'

const inLink = z.object({ token: LinkToken })
const Name = z.object({ name: z.string() })

/** So that a page can word for the client what the detail words for everyone. */
const Failure = {
  reason: z.string().nullable().describe('Why this attempt failed: a stable word from the table of reasons'),
  mustAct: MustAct.describe('Who must act before another attempt can succeed; `nobody`: trying again later is enough'),
}

const ConnectOutcome = named(
  'ConnectOutcome',
  z.object({
    status: z.enum(integrationStatuses),
    connectedAccount: z.string().nullable(),
    statusDetail: z.string().nullable(),
    lastError: z.string().nullable(),
    ...Failure,
    returnUrl: z.string().nullable().describe('Where to send the client, with the outcome added'),
  }),
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
        expiresAt: Timestamp,
      }),
    ),
  }),
  startConnectOAuth: operation({
    summary: 'Start consent at the ad system',
    description: 'Validates the connect fields and returns the consent-screen URL. The service seals the state; there are no cookies.',
    params: inLink,
    body: Fields,
    ok: named('ConnectAuthorization', z.object({ authorizationUrl: z.string() })),
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
    params: z.object({ result: Text.max(480) }),
    ok: named(
      'ConnectResult',
      z.object({
        outcome: z.enum(['connected', 'failed', 'canceled']),
        organization: Name,
        workspace: Name,
        providerName: z.string(),
        connectedAccount: z.string().nullable(),
        detail: z.string().nullable(),
        ...Failure,
        connectUrl: z.string().nullable().describe('To try again, while the link is still valid'),
        returnUrl: z.string().nullable().describe('Where the client can continue, with the outcome added'),
      }),
    ),
  }),
}
