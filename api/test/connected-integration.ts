import type { CallMode, ProviderId } from '@adjoin/contract'
import { openCredential, sealCredential } from '../src/features/integrations/credential.ts'
import { findIntegration } from '../src/features/integrations/integration-row.ts'
import { providers } from '../src/providers/index.ts'
import { type Credential, credentialOf } from '../src/providers/provider.ts'
import { stories } from './provider-stories.ts'
import { sql, type TestOrganization, type TestWorkspace, type World } from './world.ts'

/** An integration as a client has connected it, by the form or as a consent would have left it. */
export async function connectIntegration(
  { world, organization, workspace }: { world: World; organization: TestOrganization; workspace: TestWorkspace },
  id: ProviderId,
  mode?: CallMode,
): Promise<string> {
  const provider = providers.find((each) => each.id === id)!
  const { settings, fields } = stories[id]
  const { client } = organization.admin
  const place = { orgSlug: organization.slug, workspaceSlug: workspace.slug }
  const created = await client.createIntegration(place, {
    provider: id,
    name: provider.name,
    settings,
    ...(mode && { callPolicy: { mode } }),
  })
  if (provider.authMethod === 'credentials') {
    await client.submitIntegrationCredentials({ ...place, id: created.id }, fields('plausible'))
    return created.id
  }
  const credential = credentialOf(fields(''), {
    accessToken: world.twins.mint(id, 'access'),
    accessExpiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    refreshToken: world.twins.mint(id, 'refresh'),
    scopes: [...provider.scopes],
    obtainedAt: new Date().toISOString(),
  })
  const owner = { organization_id: organization.id, workspace_id: workspace.id, id: created.id }
  await world.query(sql`update integrations set status = 'active', connected_at = now(), credential_version = 1,
    credential = ${sealCredential(world.app.parts, owner, credential)} where organization_id = ${organization.id} and id = ${created.id}`)
  return created.id
}

export async function storedCredential(world: World, organization: TestOrganization, id: string): Promise<Credential> {
  const row = (await findIntegration(world.app.parts.db.query, { organizationId: organization.id, id }))!
  return openCredential(world.app.parts, row, row.credential!)
}

/**
 * In one step, as a new version: what runs in the background (a list of accounts right after connecting, say)
 * neither comes between reading and writing nor stores what it got with the credential from before.
 */
export const changeCredential = (
  world: World,
  organization: TestOrganization,
  id: string,
  change: (credential: Credential) => Partial<Credential>,
) =>
  world.app.parts.db.transaction(async (query) => {
    const row = (await findIntegration(query, { organizationId: organization.id, id }, 'lock'))!
    const before = openCredential(world.app.parts, row, row.credential!)
    const credential = { ...before, ...change(before) }
    await query(sql`update integrations set credential = ${sealCredential(world.app.parts, row, credential)},
      credential_version = credential_version + 1 where organization_id = ${organization.id} and id = ${id}`)
    return { version: row.credential_version + 1, credential }
  })
