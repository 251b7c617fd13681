import { accessOf, type CredentialClass, type Least } from '@adjoin/contract/access'
import type { OperationId } from '@adjoin/contract/paths'
import { atLeast, type OrganizationRole } from '@adjoin/contract/roles'
import type { ApiKey } from './api.ts'
import type { Tone } from './design/notice.tsx'

/** Of a user key the role is its owner's. */
export type KeyPower = { level: ApiKey['level']; role: OrganizationRole }

/** The same table that the service enforces, read for a key. */
export function keyMay(id: OperationId, { level, role }: KeyPower): boolean {
  const rule = accessOf(id)
  if (!rule) return true
  const keyClass: CredentialClass = `${level}Key`
  const least: Least = rule[keyClass]
  if (least === '-') return false
  if (least === 'any' || least === 'itself') return true
  return least === 'organization admin' ? role === 'admin' : atLeast(role, least)
}

/** What people want to know of a key, each with the operation that decides it. */
const powers: [operation: OperationId, words: string, least?: OrganizationRole][] = [
  ['listIntegrations', 'See integrations, their status and their checks'],
  ['proxyGet', 'Read from ad systems, where an integration allows it'],
  // A call that changes something needs a member, whatever its method.
  ['proxyPost', 'Change things at ad systems, where an integration allows it', 'member'],
  ['verifyIntegration', 'Verify, disable and enable integrations'],
  ['updateIntegration', 'Change the settings and credentials of integrations'],
  ['listOrganizationMembers', 'See who is in the organization'],
  ['createWorkspaceInvitation', 'Invite people to a workspace'],
  ['createOrganizationInvitation', 'Invite people to the organization'],
  ['updateWorkspace', 'Rename a workspace'],
  ['createWorkspace', 'Create workspaces'],
  ['listWebhooks', 'See webhooks and their deliveries'],
  ['listAuditLogs', 'Read and export the audit trail'],
  ['createIntegration', 'Create integrations'],
  ['issueConnectLink', 'Create connect links'],
  ['deleteIntegration', 'Delete integrations'],
  ['deleteWorkspace', 'Delete workspaces'],
  ['createApiKey', 'Create, change or revoke keys'],
  ['updateOrganizationMember', 'Change roles'],
  ['setIntegrationCallPolicy', 'Decide what programs may do'],
]

/** What no role would change is left to people. */
export type PowerWords = { can: string[]; needsRole: string[]; peopleOnly: string[] }

export function powersOf(key: KeyPower): PowerWords {
  const has = (role: OrganizationRole, [id, , least]: (typeof powers)[number]) =>
    keyMay(id, { level: key.level, role }) && (!least || atLeast(role, least))
  const words = (wanted: (power: (typeof powers)[number]) => boolean) => powers.filter(wanted).map(([, words]) => words)
  return {
    can: words((power) => has(key.role, power)),
    needsRole: words((power) => !has(key.role, power) && has('admin', power)),
    peopleOnly: words((power) => !has('admin', power)),
  }
}

export const keyTones: Record<ApiKey['status'], Tone | 'quiet'> = { active: 'good', disabled: 'warn', expired: 'quiet', revoked: 'quiet' }

const DAY = 86_400_000
const SOON = 14 * DAY

/** A key that stops working soon: because it was replaced, or because its time is up. Others have no mark. */
export function endOf({ status, expiresAt, replacedAt }: Pick<ApiKey, 'status' | 'expiresAt' | 'replacedAt'>, now = Date.now()) {
  if (status !== 'active' || !expiresAt) return undefined
  if (replacedAt) return { why: 'retiring' as const, at: expiresAt }
  return Date.parse(expiresAt) - now < SOON ? { why: 'expiring' as const, at: expiresAt } : undefined
}
