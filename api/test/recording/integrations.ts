// What the agency does with an integration, calls to its ad system among it.
import { type BulkAction, type Client, call } from '@adjoin/contract'
import { accountsListed, callable, connected, integrate, newCredentials, newcomer, requested, type Tenant } from '../suite.ts'
import { sql } from '../world.ts'
import type { RecordingScenario, RecordingScenarios } from './scenario.ts'

type Proxy = 'proxyPost' | 'proxyPut' | 'proxyPatch' | 'proxyDelete'
async function changeAtVendor(tenant: Tenant, id: Proxy): Promise<RecordingScenario> {
  const at = await callable(tenant)
  const by = (client: Client) => call(client, id, { params: { ...at, path: 'campaign' }, ...(id !== 'proxyDelete' && { body: '{}' }) })
  return { run: () => by(tenant.admin), refused: () => by(tenant.viewer.client) }
}

export const integrations = {
  createIntegration: async ({ admin, w }) => ({
    run: () => admin.createIntegration(w, { provider: 'xandr', name: 'Publisher' }),
    refused: () => admin.createIntegration(w, { provider: 'xandr', name: 'Publisher', settings: { nonsense: '1' } }),
  }),
  updateIntegration: async (tenant) => {
    const at = await connected(tenant)
    return {
      run: () => tenant.admin.updateIntegration(at, { name: 'Renamed' }),
      refused: () => tenant.admin.updateIntegration(at, { settings: { nonsense: '1' } }),
    }
  },
  deleteIntegration: async (tenant) => {
    const at = await connected(tenant)
    return { run: () => tenant.admin.deleteIntegration(at), refused: () => tenant.admin.deleteIntegration(at) }
  },
  submitIntegrationCredentials: async (tenant) => {
    const { token: _, ...at } = await integrate(tenant)
    return {
      run: () => tenant.admin.submitIntegrationCredentials(at, newCredentials()),
      refused: () => tenant.admin.submitIntegrationCredentials(at, { username: 'api-user' }),
      writes: ['integration.connected'],
    }
  },
  verifyIntegration: async (tenant) => {
    const at = await connected(tenant)
    const { token: _, ...pending } = await integrate(tenant)
    return { run: () => tenant.admin.verifyIntegration(at), refused: () => tenant.admin.verifyIntegration(pending) }
  },
  bulkIntegrations: async (tenant) => {
    const [one, two, three] = [await connected(tenant), await connected(tenant), await connected(tenant)]
    await tenant.admin.disableIntegration(three)
    const { at, made } = await requested(tenant, { clientEmail: newcomer() })
    const four = made.items[0]!.integrationId
    await tenant.admin.sendConnectRequest(at)
    const bulk = (action: BulkAction, id: string) => tenant.admin.bulkIntegrations(tenant.o, { action, ids: [id] })
    return {
      run: async () => {
        await bulk('verify', one.id)
        await bulk('disable', two.id)
        await bulk('enable', three.id)
        await bulk('issueConnectLink', one.id)
        return bulk('remind', four)
      },
      refused: () => tenant.admin.bulkIntegrations(tenant.o, { action: 'disable', ids: [] }),
    }
  },
  disableIntegration: async (tenant) => {
    const at = await connected(tenant)
    return { run: () => tenant.admin.disableIntegration(at), refused: () => tenant.viewer.client.disableIntegration(at) }
  },
  enableIntegration: async (tenant) => {
    const at = await connected(tenant)
    await tenant.admin.disableIntegration(at)
    return { run: () => tenant.admin.enableIntegration(at), refused: () => tenant.viewer.client.enableIntegration(at) }
  },
  issueConnectLink: async (tenant) => {
    const [at, closed] = [await connected(tenant), await connected(tenant)]
    await tenant.admin.disableIntegration(closed)
    return { run: () => tenant.admin.issueConnectLink(at, {}), refused: () => tenant.admin.issueConnectLink(closed, {}) }
  },
  revokeConnectLink: async (tenant) => {
    const { token: _, ...at } = await integrate(tenant)
    return { run: () => tenant.admin.revokeConnectLink(at), refused: () => tenant.viewer.client.revokeConnectLink(at) }
  },
  setIntegrationCallPolicy: async (tenant) => {
    const { token: _, ...at } = await integrate(tenant)
    return {
      run: () => tenant.admin.setIntegrationCallPolicy(at, { mode: 'full' }),
      refused: () => tenant.member.client.setIntegrationCallPolicy(at, { mode: 'full' }),
    }
  },
  refreshIntegrationAccounts: async (tenant) => {
    const at = await connected(tenant)
    const { token: _, ...pending } = await integrate(tenant)
    // Listed before, when there was one more.
    await accountsListed(tenant, at)
    await tenant.world.query(sql`insert into integration_accounts (organization_id, integration_id, kind, id, name)
      values (${tenant.organization.id}, ${at.id}, 'publisher', '99', 'Gone since')`)
    return { run: () => tenant.admin.refreshIntegrationAccounts(at), refused: () => tenant.admin.refreshIntegrationAccounts(pending) }
  },
  proxyPost: (tenant) => changeAtVendor(tenant, 'proxyPost'),
  proxyPut: (tenant) => changeAtVendor(tenant, 'proxyPut'),
  proxyPatch: (tenant) => changeAtVendor(tenant, 'proxyPatch'),
  proxyDelete: (tenant) => changeAtVendor(tenant, 'proxyDelete'),
} satisfies Partial<RecordingScenarios>
