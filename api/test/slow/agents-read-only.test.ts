// No tool changes anything at an ad system: every change of every provider's tables, with an admin's key and a policy that allows changes.
import { type ProviderId, providerIds } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tools } from '../../src/agents/tools/index.ts'
import { effectOf } from '../../src/gateway/judge.ts'
import { gatewayRules } from '../../src/gateway/rules/index.ts'
import { readBody } from '../../src/gateway/vendor-request.ts'
import { callTool } from '../agent-calls.ts'
import { connectIntegration } from '../connected-integration.ts'
import { conditionalReads, effectTable, versions } from '../effect-table.ts'
import { createWorld, type TestKey, type TestOrganization, type TestWorkspace, type World } from '../world.ts'

let world: World
let organization: TestOrganization
let workspace: TestWorkspace
let key: TestKey
beforeAll(async () => {
  world = await createWorld({ roles: { api: true, jobs: false }, limitsFactor: 1000 })
  organization = await world.organization()
  workspace = await world.workspace(organization)
  key = await world.key(organization, { level: 'organization', role: 'admin' })
})
afterAll(() => world.stop())

interface Change {
  readonly method: string
  readonly path: string
  readonly body?: Record<string, unknown>
}

const filled = (provider: ProviderId, pattern: string): string =>
  pattern
    .replace(/\{v(?:ersion)?\}/g, versions[provider] ?? gatewayRules[provider]!.written.versions[0] ?? '1')
    .replace(/\{[^}]+\}/g, '1234567890')
    .replace(/\*+$/, 'x')

const words = (text = ''): string[] => text.split(/\s+/).filter(Boolean)

/** What the second table knows to read, by other methods; what reads on a condition, without it; and all paths that are open. */
function changesOf(provider: ProviderId): Change[] {
  const reads = words(effectTable[provider].reads).map((row) => row.replace(/^[A-Z]+:/, ''))
  const others = reads.flatMap((row) => ['DELETE', 'PATCH'].map((method) => ({ method, path: filled(provider, row) })))
  const conditional = conditionalReads
    .filter((row) => row.provider === provider && row.effect === 'change')
    .map(({ path, query, body }) => ({ method: 'POST', path: query ? `${path}?${query}` : path, body: body as Record<string, unknown> }))
  const open = gatewayRules[provider]!.written.paths.filter((path) => !path.startsWith('@'))
    .flatMap((path) => ['POST', 'PUT', 'DELETE'].map((method) => ({ method, path: filled(provider, path) })))
    .filter((change) => isChange(provider, change))
  return [...others, ...conditional, ...open]
}

/** What can’t be judged is refused as well. */
const isChange = (provider: ProviderId, change: Change) => effectOfChange(provider, change) !== 'read'

const effectOfChange = (provider: ProviderId, { method, path, body }: Change) =>
  effectOf(gatewayRules[provider]!, {
    method,
    path: path.split('?')[0]!,
    query: [],
    headers: {},
    body: readBody(body ? Buffer.from(JSON.stringify(body)) : new Uint8Array(), 'application/json'),
  })

it('every tool says of itself that it only reads, and asks for nothing else', () => {
  const operations = tools.flatMap((tool) => tool.operations)
  const changing = operations.filter((id) => !/^(get|list|proxy)/.test(id))
  expect(changing).toEqual([])
})

describe.each(providerIds)('%s', (provider) => {
  it('gets none of its changes from an agent, whatever the role and the policy', async () => {
    const id = await connectIntegration({ world, organization, workspace }, provider, 'full')
    const integration = `${organization.slug}/${workspace.slug}/${id}`
    const changes = changesOf(provider)
    expect(changes.length).toBeGreaterThan(3)
    const before = world.arrivals.length
    const passed: string[] = []
    for (const { method, path, body } of changes) {
      const { code } = await callTool(world.url, key.headers, 'read_ad_system', { integration, method, path, ...(body && { body }) })
      const expected = effectOfChange(provider, { method, path, ...(body && { body }) }) === undefined ? 'path_refused' : 'change_refused'
      if (code !== expected) passed.push(`${method} ${path}: ${code}`)
    }
    expect(passed).toEqual([])
    expect(world.arrivals.slice(before)).toEqual([])
  })
})

it.each(providerIds)('a GET of %s has no body', async (provider) => {
  const id = await connectIntegration({ world, organization, workspace }, provider, 'full')
  const path = gatewayRules[provider]!.written.paths.find((one) => !one.startsWith('@'))!
  const before = world.arrivals.length
  const { code, result } = await callTool(world.url, key.headers, 'read_ad_system', {
    integration: `${organization.slug}/${workspace.slug}/${id}`,
    method: 'GET',
    path: filled(provider, path).slice(1),
    body: { advertiser_id: '1' },
  })
  expect([code, result!.content[0]!.text]).toEqual(['validation_failed', expect.stringMatching(/- body: must be left out of a GET/)])
  expect(world.arrivals.slice(before)).toEqual([])
})
