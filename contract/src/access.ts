import type { EveryOperation, OperationId, paths } from './paths.ts'
import type { OrganizationRole } from './roles.ts'

/**
 * The least role a class of credential needs.
 * In a workspace it is the effective workspace role, unless it says `organization admin`.
 * `any`: being signed in is enough · `itself`:
 * a key, about itself · `-`: that class of credential is refused (401).
 */
export type Least = OrganizationRole | 'any' | 'itself' | 'organization admin' | '-'
export type Access = {
  /** What the path names, and so what the caller must be able to see. */
  readonly in: 'platform' | 'organization' | 'workspace'
  readonly session: Least
  readonly userKey: Least
  readonly organizationKey: Least
  readonly workspaceKey: Least
}
export type CredentialClass = 'session' | 'userKey' | 'organizationKey' | 'workspaceKey'

const row = <const I extends Access['in'], const K extends Least>(
  place: I,
  session: Least,
  userKey: Least,
  organizationKey: K,
  workspaceKey: Least,
) => ({ in: place, session, userKey, organizationKey, workspaceKey }) as const

const people = row('platform', 'any', '-', '-', '-')

/**
 * THE MATRIX. `public`: credentials, if sent, are ignored.
 * Finer rules (whose key, one's own assignment) are in the verbs, and named here.
 */
// biome-ignore format: a table
const matrix = {
  //                                   in              session   user key  org. key  workspace key
  getHealth: 'public',
  getLiveness: 'public',
  getVersion: 'public',
  getOpenApi: 'public',

  signUp: 'public',
  getMe: people,
  updateMe: people,
  setMyNotifications: people,
  listMySessions: people,
  revokeMySession: people,
  listMyInvitations: people,
  acceptInvitation: people,
  declineInvitation: people,
  getInvitation: 'public',

  sendSignInLink: 'public',
  getSignInLink: 'public',
  verifySignIn: 'public',
  startProviderSignIn: 'public',
  finishProviderSignIn: 'public',
  getSession: people,
  signOut: people,
  signOutEverywhere: people,
  startDeviceLogin: 'public',
  pollDeviceLogin: 'public',
  getDeviceLogin: people,
  approveDeviceLogin: people,
  denyDeviceLogin: people,

  listOrganizations:            row('platform',     'any',    'any',    'any',    '-'),
  getOrganization:              row('organization', 'guest',  'guest',  'viewer', '-'),
  updateOrganization:           row('organization', 'admin',  '-',      '-',      '-'),
  listOrganizationMembers:      row('organization', 'viewer', 'viewer', 'viewer', '-'),
  updateOrganizationMember:     row('organization', 'admin',  '-',      '-',      '-'),
  // Admins remove anyone, anyone removes themselves.
  removeOrganizationMember:     row('organization', 'guest',  '-',      '-',      '-'),
  listMemberWorkspaces:         row('organization', 'viewer', 'viewer', 'viewer', '-'),
  listOrganizationInvitations:  row('organization', 'admin',  'admin',  'admin',  '-'),
  createOrganizationInvitation: row('organization', 'admin',  'admin',  'admin',  '-'),
  cancelOrganizationInvitation: row('organization', 'admin',  'admin',  'admin',  '-'),
  resendOrganizationInvitation: row('organization', 'admin',  'admin',  'admin',  '-'),
  freezeOrganization:           row('organization', 'admin',  '-',      '-',      '-'),
  thawOrganization:             row('organization', 'admin',  '-',      '-',      '-'),
  getOrganizationHealth:        row('organization', 'viewer', 'viewer', 'viewer', '-'),

  listWorkspaces:               row('organization', 'guest',  'guest',  'viewer', '-'),
  createWorkspace:              row('organization', 'admin',  'admin',  'admin',  '-'),
  getWorkspace:                 row('workspace',    'viewer', 'viewer', 'viewer', 'viewer'),
  updateWorkspace:              row('workspace',    'admin',  'admin',  'admin',  'admin'),
  deleteWorkspace:              row('workspace',    'organization admin', '-', '-', '-'),
  getWorkspaceHealth:           row('workspace',    'viewer', 'viewer', 'viewer', 'viewer'),
  // Guests and workspace keys: assigned members only.
  listWorkspaceMembers:         row('workspace',    'viewer', 'viewer', 'viewer', 'viewer'),
  setWorkspaceMember:           row('workspace',    'admin',  '-',      '-',      '-'),
  // People remove their own assignment with any role.
  removeWorkspaceMember:        row('workspace',    'viewer', 'admin',  'admin',  'admin'),
  listWorkspaceInvitations:     row('workspace',    'admin',  'admin',  'admin',  'admin'),
  createWorkspaceInvitation:    row('workspace',    'admin',  'admin',  'admin',  'admin'),
  cancelWorkspaceInvitation:    row('workspace',    'admin',  'admin',  'admin',  'admin'),
  resendWorkspaceInvitation:    row('workspace',    'admin',  'admin',  'admin',  'admin'),

  getCurrentApiKey:             row('platform',     '-',      'any',    'any',    'any'),
  // Each sees the keys they may manage.
  listApiKeys:                  row('organization', 'guest',  'guest',  'admin',  '-'),
  // User keys by anyone, others by admins of their scope.
  createApiKey:                 row('organization', 'guest',  '-',      '-',      '-'),
  getApiKey:                    row('organization', 'guest',  'guest',  'admin',  '-'),
  getApiKeyUsage:               row('organization', 'guest',  'guest',  'admin',  '-'),
  updateApiKey:                 row('organization', 'guest',  '-',      '-',      '-'),
  revokeApiKey:                 row('organization', 'guest',  '-',      '-',      '-'),
  disableApiKey:                row('organization', 'guest',  '-',      '-',      '-'),
  enableApiKey:                 row('organization', 'guest',  '-',      '-',      '-'),
  // An organization key: as admin any, else itself; user keys by their creator.
  rotateApiKey:                 row('organization', 'guest',  'guest',  'viewer', 'itself'),

  listAuditLogs:                row('organization', 'admin',  'admin',  'admin',  '-'),
  exportAuditLogs:              row('organization', 'admin',  'admin',  'admin',  '-'),
  getAuditCheckpoint:           row('organization', 'admin',  'admin',  'admin',  '-'),
  // Organization admins see all kinds, others what happens to integrations and workspaces that they can see.
  listEvents:                   row('organization', 'guest',  'guest',  'viewer', '-'),
  listWorkspaceEvents:          row('workspace',    'viewer', 'viewer', 'viewer', 'viewer'),
  listWebhooks:                 row('organization', 'admin',  'admin',  'admin',  '-'),
  createWebhook:                row('organization', 'admin',  '-',      '-',      '-'),
  getWebhook:                   row('organization', 'admin',  'admin',  'admin',  '-'),
  updateWebhook:                row('organization', 'admin',  '-',      '-',      '-'),
  deleteWebhook:                row('organization', 'admin',  '-',      '-',      '-'),
  rotateWebhookSecret:          row('organization', 'admin',  '-',      '-',      '-'),
  enableWebhook:                row('organization', 'admin',  '-',      '-',      '-'),
  disableWebhook:               row('organization', 'admin',  '-',      '-',      '-'),
  testWebhook:                  row('organization', 'admin',  '-',      '-',      '-'),
  replayWebhook:                row('organization', 'admin',  '-',      '-',      '-'),
  listWebhookDeliveries:        row('organization', 'admin',  'admin',  'admin',  '-'),
  redeliverWebhook:             row('organization', 'admin',  '-',      '-',      '-'),

  listProviders:                row('platform',     'any',    'any',    'any',    'any'),
  getProvider:                  row('platform',     'any',    'any',    'any',    'any'),
  listIntegrations:             row('workspace',    'viewer', 'viewer', 'viewer', 'viewer'),
  createIntegration:            row('workspace',    'member', '-',      '-',      '-'),
  getIntegration:               row('workspace',    'viewer', 'viewer', 'viewer', 'viewer'),
  updateIntegration:            row('workspace',    'member', 'member', 'member', 'member'),
  deleteIntegration:            row('workspace',    'admin',  '-',      '-',      '-'),
  submitIntegrationCredentials: row('workspace',    'member', 'member', 'member', 'member'),
  verifyIntegration:            row('workspace',    'member', 'member', 'member', 'member'),
  disableIntegration:           row('workspace',    'member', 'member', 'member', 'member'),
  enableIntegration:            row('workspace',    'member', 'member', 'member', 'member'),
  issueConnectLink:             row('workspace',    'member', '-',      '-',      '-'),
  revokeConnectLink:            row('workspace',    'member', '-',      '-',      '-'),
  listIntegrationChecks:        row('workspace',    'viewer', 'viewer', 'viewer', 'viewer'),
  setIntegrationCallPolicy:     row('workspace',    'admin',  '-',      '-',      '-'),
  // Whatever its method: a call that changes something needs a member.
  proxyGet:                     row('workspace',    'viewer', 'viewer', 'viewer', 'viewer'),
  proxyPost:                    row('workspace',    'viewer', 'viewer', 'viewer', 'viewer'),
  proxyPut:                     row('workspace',    'viewer', 'viewer', 'viewer', 'viewer'),
  proxyPatch:                   row('workspace',    'viewer', 'viewer', 'viewer', 'viewer'),
  proxyDelete:                  row('workspace',    'viewer', 'viewer', 'viewer', 'viewer'),
  listIntegrationAccounts:      row('workspace',    'viewer', 'viewer', 'viewer', 'viewer'),
  refreshIntegrationAccounts:   row('workspace',    'member', 'member', 'member', 'member'),
  listIntegrationCalls:         row('workspace',    'viewer', 'viewer', 'viewer', 'viewer'),
  getIntegrationUsage:          row('workspace',    'viewer', 'viewer', 'viewer', 'viewer'),
  // Of the workspaces that the caller can see.
  listOrganizationIntegrations: row('organization', 'guest',  'guest',  'viewer', '-'),
  // Members of the integration's workspace; each integration is judged separately.
  bulkIntegrations:             row('organization', 'guest',  '-',      '-',      '-'),

  // The link and the client's address are shown to workspace members by session.
  listConnectRequests:          row('workspace',    'viewer', 'viewer', 'viewer', 'viewer'),
  createConnectRequest:         row('workspace',    'member', '-',      '-',      '-'),
  getConnectRequest:            row('workspace',    'viewer', 'viewer', 'viewer', 'viewer'),
  updateConnectRequest:         row('workspace',    'member', '-',      '-',      '-'),
  cancelConnectRequest:         row('workspace',    'member', '-',      '-',      '-'),
  sendConnectRequest:           row('workspace',    'member', '-',      '-',      '-'),
  renewConnectRequest:          row('workspace',    'member', '-',      '-',      '-'),

  getConnectLink: 'public',
  startConnectOAuth: 'public',
  submitConnectCredentials: 'public',
  finishConnectOAuth: 'public',
  getConnectResult: 'public',
  takeConnectReturn: 'public',
  renewWithSameLogin: 'public',
  listConnectAccounts: 'public',
  chooseConnectAccount: 'public',
  submitConnectSettings: 'public',
  askForNewConnectLink: 'public',
  getPublicConnectRequest: 'public',
  askForNewRequestLink: 'public',
  startConnectItemOAuth: 'public',
  submitConnectItemCredentials: 'public',
  declineConnectItem: 'public',
  passOnConnectItem: 'public',
  stopClientMails: 'public',
  getReceipt: 'public',
  disconnectByReceipt: 'public',
} as const satisfies Record<OperationId, Access | 'public'>
export const access = matrix as EveryOperation<typeof matrix, Access>

/** The row of an operation; null where it is public. */
export const accessOf = (id: OperationId): Access | null => (access[id] === 'public' ? null : access[id])

export type Place<Id extends OperationId> = (typeof access)[Id] extends { in: infer P } ? P : 'public'

type ChangeByOrganizationKey = {
  [Id in OperationId]: (typeof access)[Id] extends 'public' | { organizationKey: '-' }
    ? never
    : (typeof paths)[Id] extends `GET ${string}`
      ? never
      : Id
}[OperationId]

/**
 * Does the change let people in? An organization key outlives its creator,
 * but does not invite in the name of someone who has left (403
 * `creator_gone`). Every change that such a key may make says so here, or the compiler asks.
 */
export const grants = {
  createOrganizationInvitation: true,
  cancelOrganizationInvitation: false,
  resendOrganizationInvitation: true,
  createWorkspace: false,
  updateWorkspace: false,
  removeWorkspaceMember: false,
  createWorkspaceInvitation: true,
  cancelWorkspaceInvitation: false,
  resendWorkspaceInvitation: true,
  rotateApiKey: false, // a key renews itself; the verb refuses others' keys
  updateIntegration: false,
  submitIntegrationCredentials: false,
  verifyIntegration: false,
  disableIntegration: false,
  enableIntegration: false,
  refreshIntegrationAccounts: false,
  proxyPost: false,
  proxyPut: false,
  proxyPatch: false,
  proxyDelete: false,
} as const satisfies Record<ChangeByOrganizationKey, boolean>

export const grantsPower = (id: OperationId): boolean => (grants as { readonly [Id in OperationId]?: boolean })[id] === true
