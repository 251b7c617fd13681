// What a key asked for, by tool and client: counted as it asks, and shown to those who see the key.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callTool } from './agent-calls.ts'
import { createWorld, refusal, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.stop())

it('every call of a tool is counted, with the client that it was about and how it ended', async () => {
  const organization = await world.organization()
  const { client, headers } = organization.admin
  const orgSlug = organization.slug
  const [one, two] = [await world.workspace(organization), await world.workspace(organization)]
  const integrate = async (workspaceSlug: string) =>
    `${orgSlug}/${workspaceSlug}/${(await client.createIntegration({ orgSlug, workspaceSlug }, { provider: 'xandr', name: 'Publisher' })).id}`
  const [first, second] = [await integrate(one.slug), await integrate(two.slug)]
  const key = await world.key(organization, { level: 'organization', role: 'viewer' })
  const ask = (name: string, given: object) => callTool(world.url, key.headers, name, given)

  await ask('find_integrations', {})
  await ask('integration_health', { integration: first })
  await ask('integration_health', { integration: first })
  await ask('integration_health', { integration: second })
  await ask('read_ad_system', { integration: second, path: 'member' })
  await ask('search_audit_trail', {})
  await ask('no_such_tool', {})
  await callTool(world.url, headers, 'find_integrations', {}) // a person's own
  await world.app.parts.toolUsage.flush()

  const { usage } = await client.getApiKeyUsage({ orgSlug, id: key.id })
  expect(usage.map(({ tool, workspace, outcome, calls }) => [tool, workspace, outcome, calls])).toEqual(
    [
      ['find_integrations', null, 'ok', 1],
      ['integration_health', one.slug, 'ok', 2],
      ['integration_health', two.slug, 'ok', 1],
      ['read_ad_system', two.slug, 'refused', 1],
      ['search_audit_trail', null, 'refused', 1],
    ].sort((a, b) => Number(b[3]) - Number(a[3]) || String(a).localeCompare(String(b))),
  )
  const stranger = await world.organization('Other')
  expect((await refusal(stranger.admin.client.getApiKeyUsage({ orgSlug: stranger.slug, id: key.id }))).status).toBe(404)
})
