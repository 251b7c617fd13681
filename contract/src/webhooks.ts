import * as z from 'zod'
import { EventType } from './events.ts'
import { atMost, Cursor, Id, inOrganization, Limit, line, named, page, SentTime, Slug, Timestamp, Url } from './fields.ts'
import { quotas } from './limits.ts'
import { operation } from './operation.ts'

const inWebhook = inOrganization.extend({ id: Id })

export const webhookStatuses = ['active', 'disabled', 'failing'] as const
export const deliveryOutcomes = ['delivered', 'failed', 'set_aside'] as const
export const deliveryKinds = ['event', 'test', 'redelivery'] as const

const fields = {
  id: Id,
  url: z.string().describe('The origin, followed by `/…`: the whole address is not shown again'),
  description: z.string().nullable(),
  types: z.array(z.string()).describe('Event types and groups; empty: all'),
  workspaceSlug: z.string().nullable().describe('Only events of this workspace'),
  status: z.enum(webhookStatuses).describe('`failing`: deliveries fail and are retried; nothing is skipped'),
  statusDetail: z.string().nullable(),
  owner: z
    .object({ name: z.string(), email: z.string() })
    .describe('The person who last set the address or the secret, or enabled it. Events are sent while they are an organization admin'),
  createdAt: Timestamp,
  lastSuccessAt: Timestamp.nullable(),
  lastFailureAt: Timestamp.nullable(),
  behind: z.int().describe('Entries of the audit trail that were not looked at yet'),
}

export const Webhook = named('Webhook', z.object(fields))
export const WebhookWithSecret = named('WebhookWithSecret', z.object({ ...fields, secret: z.string().describe('`whsec_…`; shown once') }))

export const WebhookDelivery = named(
  'WebhookDelivery',
  z.object({
    id: Id,
    at: Timestamp,
    kind: z.enum(deliveryKinds),
    eventId: Id.describe('`webhook-id`; the same over all tries of an event'),
    sequence: z.int().nullable(),
    type: z.string(),
    attempt: z.int(),
    outcome: z
      .enum(deliveryOutcomes)
      .nullable()
      .describe('`set_aside`: refused five times and passed over; null: under way, or the process ended before it knew'),
    status: z.int().nullable().describe('What your server answered with'),
    error: z.string().nullable(),
    durationMs: z.int().nullable(),
    answer: z.string().nullable().describe('The first 16 KiB of the answer, without anything that looks like a secret'),
  }),
)

const Types = z
  .array(EventType)
  .max(100)
  .describe('Event types such as `integration.connected`, and groups such as `integration.*`; empty: all')
const SentUrl = Url.describe('An https address; http only on localhost, in development')

const ONE_TRY = { refuses: ['webhook_disabled', 'organization_frozen'] } as const

/** Webhooks: events that come to you, signed as Standard Webhooks says. */
export const webhooks = {
  listWebhooks: operation({
    summary: 'List webhooks of the organization',
    params: inOrganization,
    ok: z.object({ webhooks: atMost(quotas.webhooks, Webhook) }),
  }),
  createWebhook: operation({
    summary: 'Create a webhook',
    description: `Events from now on are sent to the address, one at a time and in order, signed as Standard Webhooks says. An organization can have ${quotas.webhooks}.`,
    params: inOrganization,
    body: named(
      'CreateWebhook',
      z.strictObject({
        url: SentUrl,
        description: line(0, 200).optional(),
        types: Types.default([]),
        workspaceSlug: Slug.nullable().default(null),
      }),
    ),
    created: WebhookWithSecret,
    location: 'getWebhook',
    shownOnce: ['secret'],
    records: ['webhook.created'],
    refuses: ['quota_reached'],
  }),
  getWebhook: operation({ summary: 'Get a webhook', params: inWebhook, ok: Webhook }),
  updateWebhook: operation({
    summary: 'Change a webhook',
    description: 'If you change its address, you become its owner.',
    params: inWebhook,
    body: named(
      'UpdateWebhook',
      z.strictObject({
        url: SentUrl.optional(),
        description: line(0, 200).nullable().optional(),
        types: Types.optional(),
        workspaceSlug: Slug.nullable().optional(),
      }),
    ),
    ok: Webhook,
    records: ['webhook.updated'],
  }),
  deleteWebhook: operation({ summary: 'Delete a webhook', params: inWebhook, empty: true, records: ['webhook.deleted'] }),
  rotateWebhookSecret: operation({
    summary: 'Rotate the secret of a webhook',
    description: 'For 24 hours deliveries carry a signature of the new and one of the old secret. You become the owner of the webhook.',
    params: inWebhook,
    ok: WebhookWithSecret,
    shownOnce: ['secret'],
    records: ['webhook.secret_rotated'],
  }),
  enableWebhook: operation({
    summary: 'Enable a webhook',
    description: 'It continues where it stopped. You become its owner.',
    params: inWebhook,
    ok: Webhook,
    records: ['webhook.enabled'],
  }),
  disableWebhook: operation({ summary: 'Disable a webhook', params: inWebhook, ok: Webhook, records: ['webhook.disabled'] }),
  testWebhook: operation({
    ...ONE_TRY,
    summary: 'Send a test event now',
    description: 'Sends an event of type `webhook.test`, once, and answers with what your server said.',
    params: inWebhook,
    ok: WebhookDelivery,
    records: ['webhook.tested'],
  }),
  replayWebhook: operation({
    summary: 'Send events again from a time on',
    description: 'At most 30 days back. Events keep their ids, so that your server can tell that it has seen them.',
    params: inWebhook,
    body: named('ReplayWebhook', z.strictObject({ from: SentTime })),
    ok: Webhook,
    records: ['webhook.replayed'],
  }),
  listWebhookDeliveries: operation({
    summary: 'List deliveries of a webhook, newest first',
    description: 'Each try is one; kept for 30 days.',
    params: inWebhook,
    query: z.strictObject({
      outcome: z.enum(deliveryOutcomes).optional(),
      cursor: Cursor.optional(),
      limit: Limit.default(50),
    }),
    ok: z.object({ deliveries: page(WebhookDelivery), nextCursor: z.string().nullable() }),
    refuses: ['invalid_cursor'],
  }),
  redeliverWebhook: operation({
    ...ONE_TRY,
    summary: 'Send the event of a delivery again now',
    params: inWebhook.extend({ deliveryId: Id }),
    ok: WebhookDelivery,
    records: ['webhook.redelivered'],
  }),
}
