// Who may do what, written down a second time and apart from
// contract/src/access.ts, so that the two check each other.
import type { OperationId, OrganizationRole, WorkspaceRole } from '@adjoin/contract'

/**
 * The least role; `ws …` and `org …` where the two could be confused.
 * `key rules`: see `keyRule` below. `-`: that class of credential is refused.
 */
type LeastRole = 'any' | '-' | 'key rules' | OrganizationRole | `ws ${WorkspaceRole}` | 'org admin'

type Row = [operations: string, session: LeastRole, userKey: LeastRole, organizationKey: LeastRole, workspaceKey: LeastRole]

// biome-ignore format: a table
const rows = [
  ['getMe updateMe setMyNotifications listMySessions revokeMySession listMyInvitations acceptInvitation declineInvitation', 'any', '-', '-', '-'],
  ['getSession signOut signOutEverywhere getDeviceLogin approveDeviceLogin denyDeviceLogin', 'any', '-', '-', '-'],
  ['listOrganizations', 'any', 'any', 'any', '-'],
  ['getOrganization', 'guest', 'guest', 'viewer', '-'],
  ['updateOrganization freezeOrganization thawOrganization', 'admin', '-', '-', '-'],
  ['listOrganizationMembers listMemberWorkspaces getOrganizationHealth', 'viewer', 'viewer', 'viewer', '-'],
  ['updateOrganizationMember removeOrganizationMember', 'admin', '-', '-', '-'],
  ['listOrganizationInvitations createOrganizationInvitation resendOrganizationInvitation cancelOrganizationInvitation', 'admin', 'admin', 'admin', '-'],
  ['listWorkspaces listOrganizationIntegrations', 'guest', 'guest', 'viewer', '-'],
  // Whose roles decide are those in each integration's workspace: what they do not allow is refused in the answer.
  ['bulkIntegrations', 'guest', '-', '-', '-'],
  ['createWorkspace', 'admin', 'admin', 'admin', '-'],
  ['getWorkspace getWorkspaceHealth listWorkspaceMembers', 'ws viewer', 'ws viewer', 'ws viewer', 'ws viewer'],
  ['updateWorkspace', 'ws admin', 'ws admin', 'ws admin', 'ws admin'],
  ['deleteWorkspace', 'org admin', '-', '-', '-'],
  ['setWorkspaceMember', 'ws admin', '-', '-', '-'],
  ['removeWorkspaceMember', 'ws admin', 'ws admin', 'ws admin', 'ws admin'],
  ['listWorkspaceInvitations createWorkspaceInvitation resendWorkspaceInvitation cancelWorkspaceInvitation', 'ws admin', 'ws admin', 'ws admin', 'ws admin'],
  ['createApiKey updateApiKey disableApiKey enableApiKey revokeApiKey', 'key rules', '-', '-', '-'],
  ['listApiKeys', 'guest', 'guest', 'admin', '-'],
  ['getApiKey getApiKeyUsage', 'key rules', 'key rules', 'admin', '-'],
  ['rotateApiKey', 'key rules', 'key rules', 'key rules', 'key rules'],
  ['getCurrentApiKey', '-', 'any', 'any', 'any'],
  ['listAuditLogs exportAuditLogs getAuditCheckpoint', 'org admin', 'org admin', 'admin', '-'],
  ['listEvents', 'guest', 'guest', 'viewer', '-'],
  ['listWebhooks getWebhook listWebhookDeliveries', 'org admin', 'org admin', 'admin', '-'],
  ['createWebhook updateWebhook deleteWebhook rotateWebhookSecret enableWebhook disableWebhook', 'org admin', '-', '-', '-'],
  ['testWebhook redeliverWebhook replayWebhook', 'org admin', '-', '-', '-'],
  ['listWorkspaceEvents', 'ws viewer', 'ws viewer', 'ws viewer', 'ws viewer'],
  ['listProviders getProvider', 'any', 'any', 'any', 'any'],
  ['listIntegrations getIntegration listIntegrationChecks listConnectRequests getConnectRequest', 'ws viewer', 'ws viewer', 'ws viewer', 'ws viewer'],
  ['createIntegration issueConnectLink revokeConnectLink', 'ws member', '-', '-', '-'],
  ['createConnectRequest updateConnectRequest cancelConnectRequest sendConnectRequest renewConnectRequest', 'ws member', '-', '-', '-'],
  ['submitIntegrationCredentials updateIntegration verifyIntegration enableIntegration disableIntegration refreshIntegrationAccounts', 'ws member', 'ws member', 'ws member', 'ws member'],
  ['deleteIntegration setIntegrationCallPolicy', 'ws admin', '-', '-', '-'],
  ['proxyGet listIntegrationAccounts listIntegrationCalls getIntegrationUsage', 'ws viewer', 'ws viewer', 'ws viewer', 'ws viewer'],
  // Of a change, as this one is.
  ['proxyPost proxyPut proxyPatch proxyDelete', 'ws member', 'ws member', 'ws member', 'ws member'],
] as const satisfies readonly Row[]

/** What lets people in: not by a key whose creator has left. */
const grants = 'createOrganizationInvitation resendOrganizationInvitation createWorkspaceInvitation resendWorkspaceInvitation'.split(' ')

/** Credentials, if sent, are ignored. */
const open = [
  'getHealth getLiveness getVersion getOpenApi signUp sendSignInLink getSignInLink verifySignIn startProviderSignIn finishProviderSignIn',
  'startDeviceLogin pollDeviceLogin getInvitation getConnectLink startConnectOAuth submitConnectCredentials finishConnectOAuth getConnectResult',
  'takeConnectReturn renewWithSameLogin listConnectAccounts chooseConnectAccount submitConnectSettings askForNewConnectLink getPublicConnectRequest askForNewRequestLink startConnectItemOAuth submitConnectItemCredentials',
  'declineConnectItem passOnConnectItem stopClientMails getReceipt disconnectByReceipt',
] as const

type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text
type Listed = Words<(typeof rows)[number][0] | (typeof open)[number]>

/** Stays empty: an operation that neither `rows` nor `open` names does not compile here. Add it to one of the two. */
export const unlisted: Record<Exclude<OperationId, Listed>, never> = {}

export const table = new Map<string, 'open' | Record<'session' | 'userKey' | 'organizationKey' | 'workspaceKey', LeastRole>>([
  ...open.flatMap((ids) => ids.split(' ')).map((id): [string, 'open'] => [id, 'open']),
  ...rows.flatMap(([ids, session, userKey, organizationKey, workspaceKey]) =>
    ids
      .split(' ')
      .map((id): [string, Record<'session' | 'userKey' | 'organizationKey' | 'workspaceKey', LeastRole>] => [
        id,
        { session, userKey, organizationKey, workspaceKey },
      ]),
  ),
])

export const callerClasses = ['anonymous', 'session', 'userKey', 'organizationKey', 'workspaceKey'] as const

/** What a caller is, as far as the table cares. */
export interface CallerStanding {
  readonly class: (typeof callerClasses)[number]
  /** In the agency, and in the other organization; null where they do not belong. */
  readonly agency: OrganizationRole | null
  readonly other: OrganizationRole | null
  /** In the agency's workspace that they were assigned to, or that their key is for, and in its other one. */
  readonly own: WorkspaceRole | null
  readonly inherited: WorkspaceRole | null
  /** A workspace key whose creator has since lost the role it was made with. */
  readonly weakened?: boolean
  /** An organization key whose creator has left. */
  readonly orphaned?: boolean
}

/**
 * Where a request goes. `mixed`: the agency's path with a name of the other organization in it ·
 * `crossed`: the own workspace's path with an id of another.
 */
export const places = ['own', 'inherited', 'foreign', 'mixed', 'crossed'] as const
export type TargetPlace = (typeof places)[number]

/** Which key an operation on keys is about. */
export const keyTargets = [
  'my user key',
  'a colleague’s user key',
  'organization key',
  'own workspace key',
  'inherited workspace key',
  'itself',
] as const
export type KeyTarget = (typeof keyTargets)[number]

export type Scope = 'platform' | 'organization' | 'workspace'
export type Expected = 'open' | 'allowed' | 401 | 403 | 404

const ranks = ['guest', 'viewer', 'member', 'admin']

export function expected(operation: string, scope: Scope, who: CallerStanding, place: TargetPlace, target?: KeyTarget): Expected {
  const row = table.get(operation)!
  if (row === 'open') return 'open'
  if (who.class === 'anonymous') return 401
  const least = row[who.class]
  if (least === '-') return 401
  if (scope === 'platform') return 'allowed'
  const organization = place === 'foreign' ? who.other : who.agency
  if (!organization) return 404
  const inherits = who.other === 'guest' ? null : who.other
  const workspace = { own: who.own, crossed: who.own, inherited: who.inherited, mixed: null, foreign: inherits }[place]
  if (scope === 'workspace' && !workspace) return 404
  // Whether a call changes something is known only once it is known which system it goes to.
  if (place === 'crossed' && operation.startsWith('proxy')) return 404
  if (least !== 'key rules') {
    const held = least.startsWith('ws ') ? workspace! : organization
    if (ranks.indexOf(held) < ranks.indexOf(least.replace(/^(ws|org) /, ''))) return 403
  }
  if (who.orphaned && grants.includes(operation)) return 403
  if (place === 'mixed' || place === 'crossed') return 404
  if (!target) return 'allowed'
  return operation === 'createApiKey' ? mintRule(who, organization, target) : keyRule(operation, who, organization, target)
}

/**
 * User keys by anyone in the organization, for themselves;
 * organization keys by its admins; workspace keys by effective admins there.
 */
function mintRule(who: CallerStanding, organization: OrganizationRole, target: KeyTarget): Expected {
  if (target === 'my user key') return 'allowed'
  const role = target === 'organization key' ? organization : target === 'own workspace key' ? who.own : who.inherited
  return !role ? 404 : role === 'admin' ? 'allowed' : 403
}

/**
 * Whoever may create a level and scope manages such keys, and others do not see them.
 * A user key belongs to its creator, save that admins of the organization may see and revoke it.
 * A key may rotate itself; one whose creator has left, no other.
 */
function keyRule(operation: string, who: CallerStanding, organization: OrganizationRole, target: KeyTarget): Expected {
  if (target === 'itself') return who.weakened ? 403 : 'allowed'
  if (who.orphaned && operation === 'rotateApiKey') return 403
  if (target === 'my user key' && (who.class === 'session' || who.class === 'userKey')) return 'allowed'
  if (target === 'my user key' || target === 'a colleague’s user key')
    return organization !== 'admin' ? 404 : /^getApiKey|^revokeApiKey/.test(operation) ? 'allowed' : 403
  if (target === 'organization key') return organization === 'admin' ? 'allowed' : 404
  const there = target === 'own workspace key' ? who.own : who.inherited
  return there === 'admin' && who.class !== 'workspaceKey' ? 'allowed' : 404
}
