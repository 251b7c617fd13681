/**
 * THE PATHS: operation id → method and path. No zod here:
 * this table and the client are all that a browser needs.
 */
const O = '/v1/organizations/{orgSlug}'
const W = `${O}/workspaces/{workspaceSlug}` as const

// biome-ignore format: a table
export const paths = {
  getHealth: 'GET /health',
  getLiveness: 'GET /health/live',
  getVersion: 'GET /version',
  getOpenApi: 'GET /openapi.json',

  signUp: 'POST /v1/signup',
  getMe: 'GET /v1/me',
  updateMe: 'PATCH /v1/me',
  setMyNotifications: 'PUT /v1/me/notifications',
  listMySessions: 'GET /v1/me/sessions',
  revokeMySession: 'DELETE /v1/me/sessions/{id}',
  listMyInvitations: 'GET /v1/me/invitations',
  acceptInvitation: 'POST /v1/me/invitations/{id}/accept',
  declineInvitation: 'POST /v1/me/invitations/{id}/decline',
  getInvitation: 'GET /v1/invitations/{token}',

  sendSignInLink: 'POST /v1/auth/magic-link',
  getSignInLink: 'GET /v1/auth/magic-link/{token}',
  verifySignIn: 'POST /v1/auth/magic-link/verify',
  getSession: 'GET /v1/auth/session',
  signOut: 'POST /v1/auth/sign-out',
  signOutEverywhere: 'POST /v1/auth/sign-out-everywhere',
  startDeviceLogin: 'POST /v1/auth/device',
  pollDeviceLogin: 'POST /v1/auth/device/token',
  getDeviceLogin: 'GET /v1/auth/device/{userCode}',
  approveDeviceLogin: 'POST /v1/auth/device/{userCode}/approve',
  denyDeviceLogin: 'POST /v1/auth/device/{userCode}/deny',
  startProviderSignIn: 'GET /v1/auth/{provider}',
  finishProviderSignIn: 'GET /v1/auth/{provider}/callback',

  listOrganizations: 'GET /v1/organizations',
  getOrganization: `GET ${O}`,
  updateOrganization: `PATCH ${O}`,
  listOrganizationMembers: `GET ${O}/members`,
  updateOrganizationMember: `PATCH ${O}/members/{userId}`,
  removeOrganizationMember: `DELETE ${O}/members/{userId}`,
  listMemberWorkspaces: `GET ${O}/members/{userId}/workspaces`,
  listOrganizationInvitations: `GET ${O}/invitations`,
  createOrganizationInvitation: `POST ${O}/invitations`,
  cancelOrganizationInvitation: `DELETE ${O}/invitations/{id}`,
  resendOrganizationInvitation: `POST ${O}/invitations/{id}/resend`,
  freezeOrganization: `POST ${O}/freeze`,
  thawOrganization: `POST ${O}/thaw`,
  getOrganizationHealth: `GET ${O}/health`,

  listWorkspaces: `GET ${O}/workspaces`,
  createWorkspace: `POST ${O}/workspaces`,
  getWorkspace: `GET ${W}`,
  updateWorkspace: `PATCH ${W}`,
  deleteWorkspace: `DELETE ${W}`,
  getWorkspaceHealth: `GET ${W}/health`,
  listWorkspaceMembers: `GET ${W}/members`,
  setWorkspaceMember: `PUT ${W}/members/{userId}`,
  removeWorkspaceMember: `DELETE ${W}/members/{userId}`,
  listWorkspaceInvitations: `GET ${W}/invitations`,
  createWorkspaceInvitation: `POST ${W}/invitations`,
  cancelWorkspaceInvitation: `DELETE ${W}/invitations/{id}`,
  resendWorkspaceInvitation: `POST ${W}/invitations/{id}/resend`,

  getCurrentApiKey: 'GET /v1/api-keys/self',
  listApiKeys: `GET ${O}/api-keys`,
  createApiKey: `POST ${O}/api-keys`,
  getApiKey: `GET ${O}/api-keys/{id}`,
  getApiKeyUsage: `GET ${O}/api-keys/{id}/usage`,
  updateApiKey: `PATCH ${O}/api-keys/{id}`,
  revokeApiKey: `DELETE ${O}/api-keys/{id}`,
  disableApiKey: `POST ${O}/api-keys/{id}/disable`,
  enableApiKey: `POST ${O}/api-keys/{id}/enable`,
  rotateApiKey: `POST ${O}/api-keys/{id}/rotate`,

  listAuditLogs: `GET ${O}/audit-logs`,
  exportAuditLogs: `GET ${O}/audit-logs/export`,
  getAuditCheckpoint: `GET ${O}/audit-logs/checkpoint`,
  listEvents: `GET ${O}/events`,
  listWorkspaceEvents: `GET ${W}/events`,
  listWebhooks: `GET ${O}/webhooks`,
  createWebhook: `POST ${O}/webhooks`,
  getWebhook: `GET ${O}/webhooks/{id}`,
  updateWebhook: `PATCH ${O}/webhooks/{id}`,
  deleteWebhook: `DELETE ${O}/webhooks/{id}`,
  rotateWebhookSecret: `POST ${O}/webhooks/{id}/rotate-secret`,
  enableWebhook: `POST ${O}/webhooks/{id}/enable`,
  disableWebhook: `POST ${O}/webhooks/{id}/disable`,
  testWebhook: `POST ${O}/webhooks/{id}/test`,
  replayWebhook: `POST ${O}/webhooks/{id}/replay`,
  listWebhookDeliveries: `GET ${O}/webhooks/{id}/deliveries`,
  redeliverWebhook: `POST ${O}/webhooks/{id}/deliveries/{deliveryId}/redeliver`,

  listProviders: 'GET /v1/integrations/providers',
  getProvider: 'GET /v1/integrations/providers/{provider}',
  listIntegrations: `GET ${W}/integrations`,
  createIntegration: `POST ${W}/integrations`,
  getIntegration: `GET ${W}/integrations/{id}`,
  updateIntegration: `PATCH ${W}/integrations/{id}`,
  deleteIntegration: `DELETE ${W}/integrations/{id}`,
  submitIntegrationCredentials: `POST ${W}/integrations/{id}/credentials`,
  verifyIntegration: `POST ${W}/integrations/{id}/verify`,
  disableIntegration: `POST ${W}/integrations/{id}/disable`,
  enableIntegration: `POST ${W}/integrations/{id}/enable`,
  issueConnectLink: `POST ${W}/integrations/{id}/connect-link`,
  revokeConnectLink: `DELETE ${W}/integrations/{id}/connect-link`,
  listIntegrationChecks: `GET ${W}/integrations/{id}/checks`,
  setIntegrationCallPolicy: `PUT ${W}/integrations/{id}/call-policy`,
  proxyGet: `GET ${W}/integrations/{id}/proxy/{path}`,
  proxyPost: `POST ${W}/integrations/{id}/proxy/{path}`,
  proxyPut: `PUT ${W}/integrations/{id}/proxy/{path}`,
  proxyPatch: `PATCH ${W}/integrations/{id}/proxy/{path}`,
  proxyDelete: `DELETE ${W}/integrations/{id}/proxy/{path}`,
  listIntegrationAccounts: `GET ${W}/integrations/{id}/accounts`,
  refreshIntegrationAccounts: `POST ${W}/integrations/{id}/accounts/refresh`,
  listIntegrationCalls: `GET ${W}/integrations/{id}/calls`,
  getIntegrationUsage: `GET ${W}/integrations/{id}/usage`,
  listOrganizationIntegrations: `GET ${O}/integrations`,
  bulkIntegrations: `POST ${O}/integrations/bulk`,

  listConnectRequests: `GET ${W}/connect-requests`,
  createConnectRequest: `POST ${W}/connect-requests`,
  getConnectRequest: `GET ${W}/connect-requests/{requestId}`,
  updateConnectRequest: `PATCH ${W}/connect-requests/{requestId}`,
  cancelConnectRequest: `DELETE ${W}/connect-requests/{requestId}`,
  sendConnectRequest: `POST ${W}/connect-requests/{requestId}/send`,
  renewConnectRequest: `POST ${W}/connect-requests/{requestId}/renew`,

  getConnectLink: 'GET /v1/connect/{token}',
  startConnectOAuth: 'POST /v1/connect/{token}/oauth',
  submitConnectCredentials: 'POST /v1/connect/{token}/credentials',
  finishConnectOAuth: 'GET /v1/connect/oauth/callback',
  getConnectResult: 'GET /v1/connect/results/{result}',
  takeConnectReturn: 'POST /v1/connect/results/{result}/return',
  renewWithSameLogin: 'POST /v1/connect/results/{result}/renew-others',
  listConnectAccounts: 'GET /v1/connect/results/{result}/accounts',
  chooseConnectAccount: 'POST /v1/connect/results/{result}/account',
  submitConnectSettings: 'POST /v1/connect/results/{result}/settings',
  askForNewConnectLink: 'POST /v1/connect/{token}/ask',
  getPublicConnectRequest: 'GET /v1/connect/requests/{token}',
  askForNewRequestLink: 'POST /v1/connect/requests/{token}/ask',
  startConnectItemOAuth: 'POST /v1/connect/requests/{token}/items/{itemId}/oauth',
  submitConnectItemCredentials: 'POST /v1/connect/requests/{token}/items/{itemId}/credentials',
  declineConnectItem: 'POST /v1/connect/requests/{token}/items/{itemId}/decline',
  passOnConnectItem: 'POST /v1/connect/requests/{token}/items/{itemId}/pass-on',
  stopClientMails: 'POST /v1/connect/mails/{token}/stop',
  getReceipt: 'GET /v1/connect/receipts/{token}',
  disconnectByReceipt: 'POST /v1/connect/receipts/{token}/disconnect',
} as const

export type OperationId = keyof typeof paths

/** A table with a row for every operation. Where one is missing, the compiler names it once, and not wherever the table is read. */
export type EveryOperation<Rows, Row> = Rows & { readonly [Id in Exclude<OperationId, keyof Rows>]: Row }

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** `PATCH /v1/me` → `['PATCH', '/v1/me']` */
export const route = (id: OperationId): readonly [Method, string] => routes.get(id)!

const routes = new Map(Object.entries(paths).map(([id, path]) => [id as OperationId, path.split(' ') as [Method, string]]))

/**
 * The rest of the path, as it was written, is its last parameter; the request is passed on as it was sent.
 */
export const isVerbatim = (id: OperationId): boolean => route(id)[1].endsWith('/{path}')

export const isChange = (id: OperationId): boolean => route(id)[0] !== 'GET'

/** Changes that act on what the path names and take no body. */
export const bodiless: ReadonlySet<OperationId> = new Set<OperationId>([
  'acceptInvitation',
  'declineInvitation',
  'signOut',
  'signOutEverywhere',
  'approveDeviceLogin',
  'denyDeviceLogin',
  'resendOrganizationInvitation',
  'resendWorkspaceInvitation',
  'disableApiKey',
  'enableApiKey',
  'verifyIntegration',
  'disableIntegration',
  'enableIntegration',
  'refreshIntegrationAccounts',
  'thawOrganization',
  'rotateWebhookSecret',
  'enableWebhook',
  'disableWebhook',
  'testWebhook',
  'redeliverWebhook',
  'sendConnectRequest',
  'askForNewConnectLink',
  'askForNewRequestLink',
  'declineConnectItem',
  'passOnConnectItem',
  'stopClientMails',
  'disconnectByReceipt',
  'takeConnectReturn',
])

/** Posted by mail programs as a form, which says nothing that the address does not (RFC 8058). */
export const oneClick: ReadonlySet<OperationId> = new Set<OperationId>(['stopClientMails'])

/** Reads without a path parameter that take a query. */
export const queried: ReadonlySet<OperationId> = new Set<OperationId>(['finishConnectOAuth'])

export const takesParams = (id: OperationId): boolean => route(id)[1].includes('{') || queried.has(id)
export const takesBody = (id: OperationId): boolean => isChange(id) && route(id)[0] !== 'DELETE' && !bodiless.has(id)
