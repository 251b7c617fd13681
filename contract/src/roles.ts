/** Organization roles, lowest first. A guest belongs to the organization only through assigned workspaces. */
export const organizationRoles = ['guest', 'viewer', 'member', 'admin'] as const
/** Workspace roles, lowest first; an organization role above guest is inherited under the same name. */
export const workspaceRoles = ['viewer', 'member', 'admin'] as const

export type OrganizationRole = (typeof organizationRoles)[number]
export type WorkspaceRole = (typeof workspaceRoles)[number]

const rank = (role: OrganizationRole) => organizationRoles.indexOf(role)

export const atLeast = (role: OrganizationRole, least: OrganizationRole): boolean => rank(role) >= rank(least)

export const inheritedRole = (role: OrganizationRole): WorkspaceRole | null => (role === 'guest' ? null : role)

/** The higher of the inherited and the assigned role; null means: this workspace is not visible. */
export function effectiveRole(inherited: WorkspaceRole | null, assigned: WorkspaceRole | null): WorkspaceRole | null {
  if (!inherited || !assigned) return inherited ?? assigned
  return atLeast(assigned, inherited) ? assigned : inherited
}

export const lowerRole = <R extends OrganizationRole>(one: R, other: R): R => (atLeast(one, other) ? other : one)

/** `an admin`, `a member`: as it stands in a sentence. */
export const aRole = (role: OrganizationRole): string => (role === 'admin' ? `an ${role}` : `a ${role}`)
