// Every tool × every kind of caller × every place: a tool answers as the operation behind it does, and refuses with the same code.
import type { OperationId } from '@adjoin/contract'
import { route } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tools } from '../src/agents/tools/index.ts'
import { type AccessCaller, createCallers, type Site } from './access-callers.ts'
import { callTool } from './agent-calls.ts'
import { createWorld, request, type World } from './world.ts'

let world: World
let callers: Awaited<ReturnType<typeof createCallers>>
beforeAll(async () => {
  world = await createWorld({ roles: { api: true, jobs: false }, limitsFactor: 1000 })
  callers = await createCallers(world)
})
afterAll(() => world.stop())

interface Twin {
  /** The operation that the caller would use instead. */
  operation(who: AccessCaller, site: Site): { id: OperationId; params: Record<string, string | undefined> }
  given(site: Site): object
  /** What must be the same in both answers. */
  same?(answer: Record<string, unknown>): unknown
}

const inIntegration = ({ params }: Site) => ({ orgSlug: params.orgSlug!, workspaceSlug: params.workspaceSlug!, id: params.integration! })
const integration = (site: Site) => ({ integration: Object.values(inIntegration(site)).join('/') })
const ids = (list: unknown) =>
  (list as { id?: string; integration?: string }[]).map((each) => each.id ?? each.integration!.split('/')[2]).sort()

const twins: Record<string, Twin> = {
  find_integrations: {
    operation: (who, { params }) =>
      who.class === 'workspaceKey' && params.orgSlug === callers.sites.own.params.orgSlug
        ? { id: 'listIntegrations', params: { orgSlug: params.orgSlug!, workspaceSlug: callers.sites.own.params.workspaceSlug! } }
        : { id: 'listOrganizationIntegrations', params: { orgSlug: params.orgSlug! } },
    given: ({ params }) => ({ organization: params.orgSlug, limit: 100 }),
    same: ({ integrations }) => ids(integrations),
  },
  integration_health: {
    operation: (_, site) => ({ id: 'getIntegration', params: inIntegration(site) }),
    given: integration,
    same: ({ status }) => status,
  },
  list_accounts: {
    operation: (_, site) => ({ id: 'listIntegrationAccounts', params: inIntegration(site) }),
    given: integration,
    same: ({ accounts, listed }) => ({ accounts, listed }),
  },
  describe_ad_api: {
    operation: () => ({ id: 'getProvider', params: { provider: 'xandr' } }),
    given: () => ({ provider: 'xandr' }),
    same: ({ provider }) => provider,
  },
  read_ad_system: {
    operation: (_, site) => ({ id: 'proxyGet', params: { ...inIntegration(site), path: 'member' } }),
    given: (site) => ({ ...integration(site), path: 'member' }),
  },
  search_audit_trail: {
    operation: (_, { params }) => ({ id: 'listAuditLogs', params: { orgSlug: params.orgSlug! } }),
    given: ({ params }) => ({ organization: params.orgSlug }),
    same: (answer) => ((answer.entries ?? answer.auditLogs) as unknown[]).length,
  },
}

it('every tool has an operation to be compared with, which is one of its own', () => {
  expect(Object.keys(twins).sort()).toEqual(tools.map(({ name }) => name).sort())
  for (const { name, operations } of tools)
    for (const who of callers.all) expect(operations).toContain(twins[name]!.operation(who, callers.sites.own).id)
})

const addressOf = ({ id, params }: { id: OperationId; params: Record<string, string | undefined> }) =>
  world.url + route(id)[1].replace(/\{(\w+)\}/g, (_, name: string) => params[name]!)

describe.each(Object.entries(twins))('%s', (name, { operation, given, same }) => {
  it.each(['own', 'inherited', 'foreign'] as const)('answers in the %s place as its operation does', async (place) => {
    const site = callers.sites[place]
    const different: object[] = []
    for (const who of callers.all) {
      const { cookie, origin, ...headers } = who.headers
      const direct = await request(addressOf(operation(who, site)), { headers: cookie ? headers : who.headers })
      const byTool = await callTool(world.url, cookie ? { ...who.headers, origin: origin! } : who.headers, name, given(site))
      const expected = direct.status < 400 ? undefined : direct.json<{ code: string }>().code
      const unauthorized = direct.status === 401 && expected !== 'credential_refused'
      const equal =
        byTool.code === expected &&
        byTool.status === (unauthorized ? 401 : 200) &&
        (expected !== undefined || JSON.stringify(same?.(byTool.result!.structuredContent!)) === JSON.stringify(same?.(direct.json())))
      if (!equal) different.push({ who: who.name, expected, direct: direct.status, byTool })
    }
    expect(different).toEqual([])
  })
})
