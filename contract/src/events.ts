import * as z from 'zod'
import { type AuditKind, auditEvents } from './audit-events.ts'
import { Id, inOrganization, inWorkspace, Limit, named, page, Text, Timestamp } from './fields.ts'
import { operation } from './operation.ts'
import { actors, integrationStatuses } from './providers.ts'

const kinds = Object.keys(auditEvents) as AuditKind[]

/** What people who are no organization admins learn of, in workspaces that they can see. */
export const openGroups = ['integration', 'connect_link', 'connect_request', 'workspace'] as const

const groupOf = (kind: string) => kind.split('.')[0]!

export const isOpenKind = (kind: string): boolean => (openGroups as readonly string[]).includes(groupOf(kind))

const isType = (text: string) => kinds.some((kind) => kind === text || text === `${groupOf(kind)}.*`)

/** `['integration.*', 'api_key.created']` → the kinds. */
export const kindsIn = (types: readonly string[]): AuditKind[] =>
  kinds.filter((kind) => types.includes(kind) || types.includes(`${groupOf(kind)}.*`))

export const EventType = Text.max(64).refine(
  isType,
  'must be an event type such as `integration.connected`, or a group such as `integration.*`',
)

export const EventIntegration = named(
  'EventIntegration',
  z.object({
    id: Id,
    name: z.string(),
    provider: z.string(),
    status: z.enum(integrationStatuses),
    statusReason: z.string().nullable(),
    mustAct: z.enum(actors).nullable(),
    connectedAccount: z.string().nullable(),
  }),
)
export type EventIntegration = z.output<typeof EventIntegration>

const Changes = z.array(z.object({ field: z.string(), from: z.unknown(), to: z.unknown() }))

export const Event = named(
  'Event',
  z.object({
    id: Id.describe('The id of the audit entry; the same in the feed and in every delivery'),
    sequence: z.int().describe('Its number in the audit trail of the organization'),
    type: z.string().describe('An audit kind such as `integration.connected`; more may be added'),
    createdAt: Timestamp,
    organization: z.object({ slug: z.string() }),
    workspace: z
      .object({
        id: Id.nullable().describe('null for entries that were written before events existed'),
        slug: z.string(),
        name: z.string(),
      })
      .nullable(),
    actor: z.object({ type: z.enum(['user', 'apiKey', 'client', 'system']), name: z.string().nullable() }),
    data: z.object({
      integration: EventIntegration.optional().describe('Of `integration.*` and `connect_link.*`: as it was at that moment'),
      target: z
        .object({ type: z.string(), id: z.string(), name: z.string().nullable() })
        .optional()
        .describe('Of other types: what it is about'),
      expiresAt: z.iso.datetime().optional().describe('Of types that tell of an expiry: when'),
      days: z.int().optional().describe('Of `integration.expiring` and `api_key.expiring`: how many days before'),
      changes: Changes,
    }),
  }),
)
export type Event = z.output<typeof Event>

const FEED = {
  query: z.strictObject({
    after: Text.max(512)
      .optional()
      .describe('`next` of the previous page; `start` for the beginning, or a time such as 2026-01-31T12:00:00Z. Default: from now on'),
    types: Text.max(2000)
      .refine(
        (text) => text.split(',').every(isType),
        'must be event types such as `integration.connected`, or groups such as `integration.*`, separated by commas',
      )
      .optional()
      .describe('Event types such as `integration.connected`, or groups such as `integration.*`, separated by commas'),
    limit: Limit.default(100),
    wait: z.coerce.number().int().min(0).max(25).default(0).describe('Seconds to wait for an event where there is none yet'),
  }),
  wait: { mostSeconds: 25 },
  ok: z.object({
    events: page(Event),
    next: z.string().describe('`after` of the next page'),
    head: z.string().describe('Where the feed ends now: equal to `next` when there is nothing left to read'),
  }),
  refuses: ['invalid_cursor'],
} as const

const PROMISE =
  'A reader that follows `next` gets every event it may see exactly once, in order. A page may be empty although `next` moved on: types that were not asked ' +
  'for are passed over. With `wait` the answer comes as soon as there is an event, or after that many seconds without one.'

export const events = {
  listEvents: operation({
    ...FEED,
    summary: 'List events of the organization, oldest first',
    description: `${PROMISE} Organization admins get all types; others get \`${openGroups.join('.*`, `')}.*\` of the workspaces they can see.`,
    params: inOrganization,
  }),
  listWorkspaceEvents: operation({
    ...FEED,
    summary: 'List events of a workspace, oldest first',
    description: `${PROMISE} Organization admins get all types that concern the workspace; others get \`${openGroups.join('.*`, `')}.*\`.`,
    params: inWorkspace,
  }),
}
