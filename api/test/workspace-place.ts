// A workspace of an organization, and how to name it in a path.
import type { WorkspaceRole } from '@adjoin/contract'
import type { TestOrganization, TestWorkspace, World } from './world.ts'

export async function placeIn(world: World) {
  const organization = await world.organization()
  const workspace = await world.workspace(organization)
  return { organization, workspace, at: { orgSlug: organization.slug, workspaceSlug: workspace.slug }, admin: organization.admin }
}

export async function guestIn(world: World, organization: TestOrganization, workspace: TestWorkspace, role: WorkspaceRole = 'viewer') {
  const guest = await world.join(organization, 'guest')
  await world.assign(organization, workspace, guest, role)
  return guest
}
