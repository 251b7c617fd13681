import * as z from 'zod'
import { atMost, Cursor, Flag, Id, inOrganization, inWorkspace, Limit, named, page, Slug, Text } from './fields.ts'
import { Category, IntegrationWithHealth, Status } from './integration.ts'
import { operation } from './operation.ts'
import { actors, bulkActions, integrationOrders, providerIds } from './providers.ts'

const Day = z.string().meta({ format: 'date' })
/** A number of days, as a query writes it. */
const days = (most: number) => z.coerce.number().int().min(1).max(most)

const Counts = named(
  'IntegrationSelectionCounts',
  z.object({
    total: z.int(),
    byStatus: z.object({ pending: z.int(), active: z.int(), error: z.int(), disabled: z.int() }),
    byProvider: z.record(z.string(), z.int()),
    byMustAct: z
      .object({ client: z.int(), agency: z.int(), operator: z.int(), nobody: z.int() })
      .describe('Integrations for which nobody has anything to do are not counted here'),
  }),
)

const DayHealth = named(
  'OrganizationDay',
  z.object({
    day: Day.describe('Of UTC'),
    active: z.int(),
    error: z.int(),
    pending: z.int(),
    checks: z.array(z.object({ provider: z.string(), checks: z.int(), failures: z.int() })),
  }),
)

const BulkResult = named(
  'BulkResult',
  z.object({
    id: Id,
    outcome: z.enum(['done', 'queued', 'unchanged', 'refused']),
    code: z.string().optional().describe('Why it was refused: the code of the problem'),
    detail: z.string().optional().describe('For people: why it was refused'),
  }),
)

const FoundIntegration = named(
  'FoundIntegration',
  IntegrationWithHealth.extend({
    workspace: z.object({ slug: z.string(), name: z.string() }),
    sharedLogin: z
      .string()
      .nullable()
      .describe(
        'The same for integrations that stopped working and were connected with one login at the ad system: one new consent can renew all of them. ' +
          'Opaque; `null` for those that need a consent of their own, and for those that work',
      ),
  }),
)

const MOST_AT_ONCE = 200

/** Over all workspaces that the caller can see. */
export const overview = {
  listOrganizationIntegrations: operation({
    summary: 'Search the integrations of all workspaces that you can see',
    description:
      'A search, so it is paged. `sort=need` lists first what needs somebody: errors, then access that ends within 14 days, then those that wait ' +
      'for their client. `counts=true` adds totals of the whole selection.',
    params: inOrganization,
    query: z.strictObject({
      status: Status.optional(),
      provider: z.enum(providerIds).optional(),
      category: Category.optional(),
      workspace: Slug.optional().describe('Slug of a workspace'),
      mustAct: z.enum(actors).optional(),
      statusReason: Text.max(64).optional(),
      expiringWithin: days(90).optional().describe('Only those whose access ends within this many days'),
      q: Text.max(100).optional().describe('Words in name, account, workspace or ad system; case and accents don’t matter'),
      sort: z.enum(integrationOrders).default('need'),
      counts: Flag.default(false),
      cursor: Cursor.optional(),
      limit: Limit.default(50),
    }),
    ok: z.object({ integrations: page(FoundIntegration), nextCursor: z.string().nullable(), counts: Counts.optional() }),
    refuses: ['invalid_cursor'],
  }),
  bulkIntegrations: operation({
    summary: 'Verify, disable, enable, remind clients of or create new links for many integrations at once',
    description:
      'Each one is authorized, changed and recorded separately, so some can be refused while others are done. `verify` and `enable` have the ' +
      'ad systems asked soon, not before the answer. `remind` emails the open connect request that an integration is part of, once for all of ' +
      'its integrations. `dryRun` says what would happen and changes nothing.',
    params: inOrganization,
    body: named(
      'BulkIntegrations',
      z.strictObject({
        action: z.enum(bulkActions),
        ids: z.array(Id).min(1).max(MOST_AT_ONCE),
        dryRun: z.boolean().default(false),
      }),
    ),
    ok: z.object({ results: atMost(MOST_AT_ONCE, BulkResult) }),
    records: ['integration.verified', 'integration.disabled', 'integration.enabled', 'connect_link.issued', 'connect_request.sent'],
  }),
}

export const organizationHealth = {
  getOrganizationHealth: operation({
    summary: 'How the integrations of an organization were, day by day',
    description: 'The last entry is today. `failures` are checks that the ad system refused.',
    params: inOrganization,
    query: z.strictObject({ days: days(90).default(30) }),
    ok: z.object({ days: z.array(DayHealth) }),
  }),
}

const WorkspaceDay = named(
  'WorkspaceDay',
  z.object({ day: Day.describe('Of UTC'), verified: z.int(), rejected: z.int(), unreachable: z.int() }),
)

export const workspaceHealth = {
  getWorkspaceHealth: operation({
    summary: 'How the checks of a workspace’s integrations went, day by day',
    description: 'Oldest day first. Days without checks are left out.',
    params: inWorkspace,
    query: z.strictObject({ days: days(90).default(30) }),
    ok: z.object({ days: z.array(WorkspaceDay) }),
  }),
}
