// Values that examples are put together from: the first week of one client, at one agency. Nothing here is, or looks like, a real secret.
//
// Keys are those of the descriptions. `undefined` leaves a field out.

const ID = {
  organization: '2f6c1f0e-8d0b-4a53-9c1e-6b7d3c5a9f01',
  workspace: '7b0d9c52-31e4-4f6a-8a2d-0c9f4e1b7a02',
  user: 'c4a81d36-5e7f-4b29-9d3c-1f8e6a2b5c03',
  integration: '9e3b7f14-6c2a-4d85-b1f0-8a5d2c7e4b04',
  apiKey: '51d7c8e9-0f3b-4a6e-8c94-7b2e9d1f6a05',
  webhook: 'd82f5a31-4c9e-4b07-95d8-2e6b0f7c3a07',
  delivery: '3ea6b9d0-1f57-4c82-9b4e-5c0d8f2a7e08',
  event: 'b5c0e7f2-9a3d-4861-8f2b-6d1e4a9c0b09',
  request: '08f4d6a5-2e7c-4b93-a6d1-9f3c5b8e7d10',
  item: '4d19b3e8-6f0a-4c75-b2e9-0a7d8c5f1e11',
  invitation: 'e17a5c9d-8b42-4f06-9e3a-7c2d0b6f4a12',
  session: 'a93d0f68-5b1e-4c27-8d94-3f6e2a7b0c13',
  check: '6c5e8b20-7d3f-4a91-b0c7-1e9f4d2a8b14',
  asked: '0c6d2b7e-94f1-4a38-8e5b-d7a0f3c1e916',
  call: 'f20b7d4e-3a96-4c58-95e1-8d6c0b3f7a15',
} as const

const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const PREVIOUS_HASH = '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752'
const TOKEN = 'EXAMPLE-TOKEN'
const SITE = 'https://adjoin.example'
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const KEY_PREFIX = 'adj_EXAMPLE0000'
const CAMPAIGNS = { query: 'SELECT campaign.id, campaign.name, campaign.status FROM campaign ORDER BY campaign.id' }

// biome-ignore format: a table
export const samples: Readonly<Record<string, unknown>> = {
  // People and places.
  'User.id': ID.user, userId: ID.user, 'OrganizationMember.id': 'c0f1a2d3-4e5b-4c6d-8e7f-9a0b1c2d3e16',
  name: 'Ada Byron', email: 'ada@agency.example', emailVerified: true, 'User.role': 'user', image: undefined,
  mode: 'now', inviterEmail: 'ada@agency.example', inviterName: 'Ada Byron', creatorEmail: 'ada@agency.example', createdByEmail: 'ada@agency.example',
  'Organization.id': ID.organization, organizationId: ID.organization, 'Organization.slug': 'agency', 'Organization.name': 'Agency', orgSlug: 'agency',
  'organization.slug': 'agency', 'organization.name': 'Agency', organizationSlug: 'agency', organizationName: 'Agency',
  'UpdateOrganization.name': 'Agency', domain: 'agency.example', autoJoin: true, frozen: null, 'FreezeOrganization.reason': 'A laptop was stolen',
  'Workspace.id': ID.workspace, workspaceId: ID.workspace, 'workspace.id': ID.workspace,
  'Workspace.slug': 'client-a', 'Workspace.name': 'Client A', 'workspace.slug': 'client-a', 'workspace.name': 'Client A', workspaceSlug: 'client-a',
  'MemberWorkspace.slug': 'client-a', 'MemberWorkspace.name': 'Client A', 'CreateWorkspace.name': 'Client A', 'CreateWorkspace.slug': 'client-a',
  'UpdateWorkspace.name': 'Client A', role: 'member', access: 'inherited', 'Organization.role': 'admin', 'OrganizationMember.role': 'admin',
  'Invitation.id': ID.invitation, 'Invitation.email': 'grace@agency.example', 'Invitation.workspace': undefined, 'Invitation.status': 'pending', 'PublicInvitation.email': 'g***@agency.example',
  'CreateOrganizationInvitation.email': 'grace@agency.example', 'CreateWorkspaceInvitation.email': 'client@brand.example',
  'integrationCounts.pending': 1, 'integrationCounts.active': 4, 'integrationCounts.error': 0, 'integrationCounts.disabled': 0,

  // Times. What happened, happened on one morning.
  createdAt: '2026-03-02T09:15:00.000Z', updatedAt: '2026-03-02T09:30:00.000Z', expiresAt: '2026-03-09T09:15:00.000Z',
  lastUsedAt: '2026-03-03T08:05:00.000Z', connectedAt: '2026-03-02T09:30:00.000Z', at: '2026-03-03T08:05:00.000Z', since: '2026-03-02T09:30:00.000Z',
  statusCheckedAt: '2026-03-03T06:00:00.000Z', checkedAt: '2026-03-03T06:00:00.000Z', refreshedAt: '2026-03-03T06:00:00.000Z', from: '2026-03-02T00:00:00.000Z',
  sentAt: '2026-03-02T09:20:00.000Z', startedAt: null, completedAt: null, endsAt: '2026-03-04T08:00:00.000Z',
  canceledAt: null, endedAt: null, builtAt: '2026-03-01T12:00:00.000Z', day: '2026-03-02', accessUntil: '2027-01-31', month: '2026-03', last: '2026-03-03T08:00:00.000Z',
  'DeviceLogin.expiresAt': '2026-03-02T09:25:00.000Z', 'SignInLink.expiresAt': '2026-03-02T09:25:00.000Z', 'Session.expiresAt': '2026-04-01T09:15:00.000Z', 'SignedIn.expiresAt': '2026-04-01T09:15:00.000Z',
  lastSuccessAt: '2026-03-03T08:05:00.000Z', lastFailureAt: null,

  // Sign-in.
  token: TOKEN, code: '123456', challenge: 'EXAMPLE-CHALLENGE', callbackURL: `${SITE}/agency`, signUp: 'completed', signUpReason: undefined, completeSignUp: true,
  'Session.id': ID.session, method: 'POST', 'Session.method': 'magic-link', current: true, ip: '203.0.113.7', userAgent: AGENT,
  'SignUp.provider': 'magic-link', 'SignUpAcknowledgement.provider': 'magic-link', deviceCode: 'EXAMPLE-DEVICE-CODE', userCode: 'BCDFGHJK',
  verificationUri: `${SITE}/device`, verificationUriComplete: `${SITE}/device?code=BCDFGHJK`, expiresIn: 600, interval: 5,
  'StartDeviceLogin.clientName': 'Adjoin CLI', 'DeviceLogin.clientName': 'Adjoin CLI', 'DeviceLogin.status': 'pending', 'SignInLink.organization': null,

  // API keys.
  'ApiKey.id': ID.apiKey, 'ApiKey.name': 'Nightly report', 'CreateApiKey.name': 'Nightly report', 'UpdateApiKey.name': 'Weekly report',
  prefix: KEY_PREFIX, keyPrefix: null, level: 'workspace', 'ApiKey.workspace': 'Client A', 'ApiKey.status': 'active', 'ApiKey.expiresAt': '2026-05-31T09:15:00.000Z',
  lastRequest: '2026-03-03T08:05:00.000Z', replacedAt: undefined, replacedBy: undefined, key: `${KEY_PREFIX}-NOT-A-REAL-KEY`, expiresInDays: 14, graceHours: 24,
  effectiveRole: 'member', tool: 'find_integrations', 'ApiKeyUsage.workspace': 'client-a', 'ApiKeyUsage.outcome': 'ok', 'ApiKeyUsage.calls': 12, lastRequestIp: '203.0.113.7',

  // The audit trail, events and webhooks.
  'AuditEntry.id': ID.event, 'Event.id': ID.event, eventId: ID.event, sequence: 42, action: 'integration.connected', type: 'integration.connected',
  'AuditEntry.outcome': 'success', 'actor.type': 'user', 'actor.id': ID.user, 'target.type': 'integration', 'target.id': ID.integration, 'target.name': 'Search',
  'changes.field': 'status', 'changes.from': 'pending', 'changes.to': 'active', via: 'session', requestId: ID.asked, metadata: {},
  hash: HASH, previousHash: PREVIOUS_HASH, publicKey: 'EXAMPLE-PUBLIC-KEY', signature: 'EXAMPLE-SIGNATURE', nextCursor: null, 'listApiKeys.nextCursor': undefined, 'listOrganizationInvitations.nextCursor': undefined, 'listWorkspaceInvitations.nextCursor': undefined, next: 'EXAMPLE-PLACE-43', head: 'EXAMPLE-PLACE-43',
  'data.target': undefined, 'data.expiresAt': undefined, 'data.days': undefined,
  'Webhook.id': ID.webhook, 'Webhook.url': 'https://hooks.agency.example/…', url: 'https://hooks.agency.example/adjoin', 'Webhook.description': 'Tells our chat',
  'CreateWebhook.description': 'Tells our chat', 'UpdateWebhook.description': 'Tells our chat', types: ['integration.*'], 'Webhook.workspaceSlug': null,
  'CreateWebhook.workspaceSlug': null, 'UpdateWebhook.workspaceSlug': null, 'Webhook.status': 'active', statusDetail: null, behind: 0, secret: 'whsec_EXAMPLE',
  'WebhookDelivery.id': ID.delivery, kind: 'event', attempt: 1, 'WebhookDelivery.outcome': 'delivered', 'WebhookDelivery.status': 200, error: null, durationMs: 184, answer: 'OK',
  'ReplayWebhook.from': '2026-03-02T09:00:00Z',
}

// biome-ignore format: a table
export const integrationSamples: Readonly<Record<string, unknown>> = {
  // Ad systems and integrations.
  provider: 'google_ads', providerName: 'Google Ads', category: 'wg', authMethod: 'oauth', available: true,
  connectFields: [], 'ProviderField.name': 'customerId', label: 'Customer ID', 'ProviderField.type': 'text', required: true, 'ProviderField.secret': false,
  pattern: '^[0-9]{10}$', options: null, default: null, help: '10 digits, as shown at the top of Google Ads. Dashes are fine.',
  scopes: ['https://www.googleapis.com/auth/adwords'], documentationUrl: 'https://developers.google.com/google-ads/api/docs/start',
  'ProviderExample.title': 'Campaigns', path: 'v25/customers/1234567890/googleAds:search', body: CAMPAIGNS, effect: 'read',
  'ProviderPaging.by': 'token', 'ProviderPaging.at': 'nextPageToken', parameter: 'pageToken', size: null, first: 0, drop: [], untilEmpty: false,
  hosts: ['googleads.googleapis.com'], fence: true, headers: ['login-customer-id'], 'accountSettings.setting': 'customerId', 'accountSettings.kind': 'account',
  'Integration.id': ID.integration, integrationId: ID.integration, 'integrations.id': ID.integration, 'Integration.name': 'Search', 'CreateIntegration.name': 'Search', 'UpdateIntegration.name': 'Search',
  'Integration.status': 'active', 'EventIntegration.status': 'active', 'ConnectOutcome.status': 'active', 'IntegrationCheck.status': 'active', statusReason: null, mustAct: null, lastError: null, lastErrorAt: null, settings: { customerId: '1234567890' },
  connectedAccount: 'Client A (1234567890)', expectedAccount: '1234567890', returnUrl: 'https://agency.example/thanks', callPolicy: { mode: 'read', accounts: null },
  'CallPolicy.mode': 'read', 'SetCallPolicy.mode': 'read', 'CallPolicy.accounts': null, 'SetCallPolicy.accounts': ['1234567890'],
  connectLink: null, owner: null, ownerId: ID.user, connectUrl: `${SITE}/connect/${TOKEN}`, 'Webhook.owner': { name: 'Ada Byron', email: 'ada@agency.example' },
  'LinkedIntegration.status': 'pending', 'LinkedIntegration.mustAct': 'client', 'LinkedIntegration.connectedAt': null, 'LinkedIntegration.connectedAccount': null,
  'LinkedIntegration.statusCheckedAt': null, 'LinkedIntegration.connectLink': { connectUrl: `${SITE}/connect/${TOKEN}`, expiresAt: '2026-03-09T09:15:00.000Z', expired: false },
  uptime30d: 0.998, grantEndsAt: null, grantEnd: 'never', connectRequestId: null, sharedLogin: null,
  'EventIntegration.id': ID.integration, 'EventIntegration.name': 'Search', 'IntegrationCheck.id': ID.check, 'IntegrationCheck.kind': 'check', 'IntegrationCheck.outcome': 'verified', reason: null, detail: null,
  'Ending.id': ID.apiKey, 'Ending.name': 'Nightly report', 'wouldEnd.integrations': [], connectLinks: [], 'wouldEnd.invitations': [], 'wouldEnd.webhooks': [], 'wouldEnd.providerAccess': [],

  // Over all workspaces.
  total: 5, pending: 1, active: 4, 'byStatus.error': 0, 'OrganizationDay.error': 0, disabled: 0, byProvider: { google_ads: 3, meta_ads: 2 },
  'byMustAct.client': 1, 'byMustAct.agency': 0, 'byMustAct.operator': 0, 'byMustAct.nobody': 0, 'checks.checks': 16, 'checks.failures': 0,
  verified: 16, rejected: 0, unreachable: 0, 'BulkIntegrations.action': 'verify', ids: [ID.integration], dryRun: false, 'BulkResult.id': ID.integration, 'BulkResult.outcome': 'queued',
  'BulkResult.code': undefined, 'BulkResult.detail': undefined,

  // The gateway.
  'IntegrationCall.id': ID.call, callerType: 'apiKey', callerName: 'Nightly report', host: 'googleads.googleapis.com', 'IntegrationCall.path': '/v25/customers/1234567890/campaigns:mutate', 'IntegrationCall.effect': 'change',
  account: '1234567890', 'IntegrationCall.outcome': 'ok', 'IntegrationCall.status': 200, vendorRequestId: 'EXAMPLE-VENDOR-REQUEST', 'IntegrationUsage.outcome': 'ok', 'IntegrationUsage.calls': 240,
  'IntegrationAccount.id': '1234567890', 'IntegrationAccount.name': 'Client A', 'IntegrationAccount.kind': 'account', parentId: null, currency: 'EUR', timeZone: 'Europe/Berlin',
  'IntegrationAccount.status': 'ENABLED', inFence: true, listed: true, complete: true, 'SharedQuota.calls': 1500, used: 240, left: 1260,

  // Connecting.
  'ConnectRequest.id': ID.request, 'connect-requests.requestId': ID.request, title: 'Your ad accounts', message: 'Please connect these so that we can start reporting.', language: 'en', clientName: 'Grace', clientEmail: 'client@brand.example',
  mailsStopped: false, 'ConnectRequest.status': 'open', reminders: true, 'ConnectItem.id': ID.item, itemId: ID.item, 'PublicConnectItem.id': ID.item, optional: false,
  'ConnectItem.name': 'Search', 'PublicConnectItem.name': 'Search', 'ConnectItem.status': 'pending', 'PublicConnectItem.status': 'pending', 'ConnectItem.connectedAccount': null, 'PublicConnectItem.account': null, 'PublicConnectItem.connectedAt': null, passedOn: false,
  'items.integrationId': undefined, 'ConnectItem.integrationId': ID.integration, 'items.name': 'Search', 'items.expectedAccount': undefined,
  'ConnectLink.state': 'ready', 'ConnectLink.name': 'Search', 'PublicConnectRequest.state': 'ready', 'Receipt.state': 'connected', 'Receipt.name': 'Search',
  authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth?client_id=EXAMPLE', receiptUrl: `${SITE}/connect/receipt/${TOKEN}`, result: 'EXAMPLE-RESULT',
  'ConnectResult.outcome': 'connected', 'ConnectResult.connectUrl': null, choosesAccount: false, others: [], integrationIds: [ID.integration], 'results.id': ID.integration, 'results.outcome': 'connected',
  'ConnectResult.returnUrl': `https://agency.example/thanks?status=connected&integrationId=${ID.integration}`,
  'ConnectOutcome.returnUrl': `https://agency.example/thanks?status=connected&integrationId=${ID.integration}`,
  listing: false, 'accounts.id': '1234567890', 'accounts.name': 'Client A', more: false, accountId: '1234567890', permissions: ['See and manage campaigns, budgets and reports in Google Ads'],
  reads: 240, 'usage.changes': 2, 'lastChanges.outcome': 'ok', 'lastChanges.path': '/v25/customers/1234567890/campaigns:mutate',

  // Parameters.
  'sessions.id': ID.session, 'invitations.id': ID.invitation, 'api-keys.id': ID.apiKey, 'webhooks.id': ID.webhook, deliveryId: ID.delivery, 'auth.provider': 'google',

  // The service itself.
  'Health.status': 'ok', 'checks.database': 'ok', 'checks.mailer': 'ok', 'checks.jobs': 'ok', version: '0.1.0', commit: '29fa8520d1c4', apiVersion: '0.1.0', signInProviders: ['google', 'microsoft'],
}
