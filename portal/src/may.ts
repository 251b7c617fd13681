import { accessOf, type Least } from '@adjoin/contract/access'
import type { OperationId } from '@adjoin/contract/paths'
import { atLeast, type OrganizationRole, type WorkspaceRole } from '@adjoin/contract/roles'

export type OwnRoles = { organization?: OrganizationRole; workspace?: WorkspaceRole }

/** What the portal offers is what the matrix allows a session: the same table that the service enforces. */
export function may(id: OperationId, standing: OwnRoles): boolean {
  const rule = accessOf(id)
  if (!rule) return true
  const least: Least = rule.session
  if (least === 'any') return true
  if (least === '-' || least === 'itself') return false
  if (least === 'organization admin') return standing.organization === 'admin'
  const role = rule.in === 'workspace' ? standing.workspace : standing.organization
  return role !== undefined && atLeast(role, least)
}
