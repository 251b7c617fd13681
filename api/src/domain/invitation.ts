import { atLeast, effectiveRole, inheritedRole, type OrganizationRole, type WorkspaceRole } from '@adjoin/contract'

const HOUR = 3_600_000
const LIFETIME = 48 * HOUR
const HORIZON = 30 * 24 * HOUR

/** What a person holds: the organization role, and the role assigned in the workspace in question. */
export interface HeldRoles {
  readonly organization: OrganizationRole | null
  readonly assigned: WorkspaceRole | null
}

/** An invitation offers a role in the organization or one in a workspace, never both. */
export type RoleOffer = { readonly role: WorkspaceRole } | { readonly workspaceRole: WorkspaceRole }

export const firstExpiry = (now: Date): Date => new Date(now.getTime() + LIFETIME)

/**
 * Mailed again, it lives 48 hours longer, an expired one from now on.
 * Null: that would be more than 30 days ahead.
 */
export function extendedExpiry(expiresAt: Date, now: Date): Date | null {
  const until = Math.max(now.getTime(), expiresAt.getTime()) + LIFETIME
  return until > now.getTime() + HORIZON ? null : new Date(until)
}

/** Would accepting give nothing new? Inherited workspace roles count. */
export function alreadyHolds({ organization, assigned }: HeldRoles, offer: RoleOffer): boolean {
  const held = 'role' in offer ? organization : effectiveRole(organization && inheritedRole(organization), assigned)
  return held !== null && atLeast(held, 'role' in offer ? offer.role : offer.workspaceRole)
}

/**
 * What the person holds after accepting: never less than before.
 * An outsider comes into a workspace as a guest of the organization.
 */
export function rolesAfter(
  { organization, assigned }: HeldRoles,
  offer: RoleOffer,
): HeldRoles & { readonly organization: OrganizationRole } {
  if ('role' in offer) return { organization: organization && atLeast(organization, offer.role) ? organization : offer.role, assigned }
  return { organization: organization ?? 'guest', assigned: effectiveRole(offer.workspaceRole, assigned) }
}
