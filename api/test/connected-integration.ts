import { openCredential, sealCredential } from '../src/features/integrations/credential.ts'
import { findIntegration } from '../src/features/integrations/integration-row.ts'
import { type Credential, credentialOf, type Provider } from '../src/providers/provider.ts'
import { stories } from './provider-stories.ts'
import { sql, type TestOrganization, type TestWorkspace, type World } from './world.ts'

/** An integration as a client has connected it: by the form, or as a consent would have left it. */
export async function connectedIntegration(
  world: World,
  organization: TestOrganization,
  workspace: TestWorkspace,
  provider: Provider,
): Promise<string> {
  const { settings, fields } = stories[provider.id]
  const { client } = organization.admin
  const at = { orgSlug: organization.slug, workspaceSlug: workspace.slug }
  const { id } = await client.createIntegration(at, { provider: provider.id, name: provider.name, settings })
  if (provider.authMethod === 'credentials') {
    await client.submitIntegrationCredentials({ ...at, id }, fields('plausible'))
    return id
  }
  const credential = credentialOf(fields(''), {
    accessToken: world.twins.mint(provider.id, 'access'),
    accessExpiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    refreshToken: world.twins.mint(provider.id, 'refresh'),
    scopes: [...provider.scopes],
    obtainedAt: new Date().toISOString(),
  })
  const owner = { organization_id: organization.id, workspace_id: workspace.id, id }
  await world.query(sql`update integrations set status = 'active', connected_at = now(), credential_version = 1,
    credential = ${sealCredential(world.app.parts, owner, credential)} where organization_id = ${organization.id} and id = ${id}`)
  return id
}

export async function storedCredential(world: World, organization: TestOrganization, id: string): Promise<Credential> {
  const row = (await findIntegration(world.app.parts.db.query, { organizationId: organization.id, id }))!
  return openCredential(world.app.parts, row, row.credential!)
}
