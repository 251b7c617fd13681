import * as z from 'zod'
import { AccessUntil, connectRequests } from './connect-requests.ts'
import { Cursor, Id, inWorkspace, Limit, line, named, Text, Timestamp } from './fields.ts'
import { gatewayCalls, inIntegration, ProviderGateway, SentCallPolicy } from './gateway.ts'
import { DryRun } from './impact.ts'
import { AuthMethod, Category, Integration, IntegrationWithHealth, MustAct, Status, StatusReason } from './integration.ts'
import { ExpectedAccount, ReturnUrl, Settings } from './integration-fields.ts'
import { quotas } from './limits.ts'
import { operation } from './operation.ts'
import { overview } from './overview.ts'
import { providerIds } from './providers.ts'

const Provider = z.enum(providerIds)
export const Field = named(
  'ProviderField',
  z.object({
    name: z.string(),
    label: z.string(),
    type: z.enum(['text', 'password', 'textarea', 'select', 'date']),
    required: z.boolean(),
    secret: z.boolean(),
    pattern: z.string().nullable(),
    options: z.array(z.string()).nullable(),
    default: z.string().nullable(),
    help: z.string().nullable(),
  }),
)

export const ProviderDescriptor = named(
  'Provider',
  z.object({
    provider: Provider,
    providerName: z.string(),
    category: Category,
    authMethod: AuthMethod,
    available: z.boolean().describe('`false` until the operator configures an OAuth client'),
    connectFields: z.array(Field).describe('What the client enters; secret ones are sealed'),
    settingsFields: z.array(Field).describe('Non-secret configuration: the `settings` of an integration'),
    scopes: z.array(z.string()),
    documentationUrl: z.string(),
    gateway: ProviderGateway.nullable().describe('How programs call this ad system through Adjoin; `null` if they cannot'),
  }),
)

const LinkedIntegration = named(
  'LinkedIntegration',
  Integration.extend({ connectUrl: z.string().describe('The connect link for the client') }),
)

export const IntegrationCheck = named(
  'IntegrationCheck',
  z.object({
    id: Id,
    kind: z.enum(['connect', 'verify', 'check', 'refresh']),
    outcome: z.enum(['verified', 'rejected', 'unreachable']),
    reason: z.string().nullable().describe('A stable code; more may be added'),
    detail: z.string().nullable().describe('For people: what happened and what to do'),
    status: Status.describe('The status of the integration afterwards'),
    statusReason: StatusReason,
    mustAct: MustAct,
    durationMs: z.int(),
    checkedAt: Timestamp,
  }),
)

const ExpiresInDays = z.int().min(1).max(30).default(7).describe('Days until the connect link expires')
export const Fields = z.record(Text.max(64), z.unknown()).describe('The provider’s connect fields as entered')

export const integrations = {
  listProviders: operation({
    summary: 'List the ad systems that can be connected',
    ok: z.object({ providers: z.array(ProviderDescriptor).max(providerIds.length) }),
  }),
  getProvider: operation({
    summary: 'Show an ad system with its connect fields and settings fields',
    params: z.object({ provider: Provider }),
    ok: ProviderDescriptor,
  }),
  listIntegrations: operation({
    summary: 'List the integrations of a workspace, oldest first',
    description: 'Credentials are never included.',
    params: inWorkspace,
    query: z.strictObject({ status: Status.optional(), provider: Provider.optional() }),
    ok: z.object({ integrations: z.array(Integration).max(quotas.integrations) }),
  }),
  createIntegration: operation({
    summary: 'Create an integration and its connect link',
    params: inWorkspace,
    body: named(
      'CreateIntegration',
      z.strictObject({
        provider: Provider,
        name: line(1, 100),
        settings: Settings.optional(),
        returnUrl: ReturnUrl.optional(),
        expiresInDays: ExpiresInDays,
        expectedAccount: ExpectedAccount.optional(),
        callPolicy: SentCallPolicy.optional().describe('Default: read. Workspace admins may choose `full`.'),
        accessUntil: AccessUntil.optional(),
      }),
    ),
    created: LinkedIntegration,
    location: 'getIntegration',
    records: ['integration.created'],
    refuses: ['quota_reached', 'above_own_role', 'fence_unavailable', 'provider_unavailable'],
  }),
  getIntegration: operation({ summary: 'Show an integration', params: inIntegration, ok: IntegrationWithHealth }),
  updateIntegration: operation({
    summary: 'Rename or reconfigure an integration',
    description: 'Changed settings are verified with the ad system immediately.',
    params: inIntegration,
    body: named(
      'UpdateIntegration',
      z.strictObject({
        name: line(1, 100).optional(),
        settings: Settings.optional().describe('Replaces all settings'),
        returnUrl: ReturnUrl.nullable().optional().describe(ReturnUrl.description!),
        expectedAccount: ExpectedAccount.nullable().optional().describe(ExpectedAccount.description!),
        ownerId: Id.nullable().optional().describe('Who looks after it: someone who can see the workspace'),
      }),
    ),
    ok: Integration,
    records: ['integration.updated'],
    refuses: ['check_running'],
  }),
  deleteIntegration: operation({
    summary: 'Delete an integration',
    description: 'Revokes access at the ad system if it supports that, and destroys the sealed credential.',
    preview: true,
    params: inIntegration,
    query: z.strictObject({ dryRun: DryRun }),
    empty: true,
    records: ['integration.deleted'],
  }),
  submitIntegrationCredentials: operation({
    summary: 'Connect with the credentials form, without a connect link',
    description: 'The fields are verified with the ad system and stored sealed. If that succeeds, the active connect link is used up.',
    params: inIntegration,
    body: Fields,
    ok: Integration,
    records: ['integration.connected', 'integration.connect_failed'],
  }),
  verifyIntegration: operation({
    summary: 'Verify an integration with the ad system now',
    params: inIntegration,
    ok: Integration,
    records: ['integration.verified'],
    refuses: ['integration_disabled', 'integration_unconnected', 'check_running'],
  }),
  disableIntegration: operation({
    summary: 'Disable an integration: stop its checks and close its connect link',
    preview: true,
    params: inIntegration,
    query: z.strictObject({ dryRun: DryRun }),
    ok: Integration,
    records: ['integration.disabled'],
  }),
  enableIntegration: operation({
    summary: 'Verify an integration and resume its checks',
    params: inIntegration,
    ok: Integration,
    records: ['integration.enabled'],
    refuses: ['check_running'],
  }),
  issueConnectLink: operation({
    summary: 'Issue a connect link, replacing any active one',
    params: inIntegration,
    body: named('IssueConnectLink', z.strictObject({ expiresInDays: ExpiresInDays }).prefault({})),
    created: LinkedIntegration,
    location: 'getIntegration',
    records: ['connect_link.issued'],
    refuses: ['integration_disabled', 'provider_unavailable'],
  }),
  revokeConnectLink: operation({
    summary: 'Revoke the connect link',
    params: inIntegration,
    empty: true,
    records: ['connect_link.revoked'],
  }),
  listIntegrationChecks: operation({
    summary: 'List the checks of the last 90 days, newest first',
    description: 'Returns the whole list. With `limit` or `cursor`, returns one page and `nextCursor`.',
    params: inIntegration,
    query: z.strictObject({ cursor: Cursor.optional(), limit: Limit.optional() }),
    ok: z.object({ checks: z.array(IntegrationCheck), nextCursor: z.string().nullable().optional() }),
    refuses: ['invalid_cursor'],
  }),
  setIntegrationCallPolicy: operation({
    summary: 'Decide what programs may do through an integration',
    description: 'For people alone: software does not decide what software may do.',
    params: inIntegration,
    body: named('SetCallPolicy', SentCallPolicy),
    ok: Integration,
    records: ['integration.call_policy_changed'],
    refuses: ['fence_unavailable'],
  }),
  ...gatewayCalls,
  ...overview,
  ...connectRequests,
}
