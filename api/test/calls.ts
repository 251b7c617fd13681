// How each operation that writes no audit entry is called.
// `prepare` gives what is left to do, so that a suite can watch just that.
import type { OperationId } from '@adjoin/contract'
import type { RecordingOperation } from './recording-operations.ts'
import {
  choosing,
  connected,
  consent,
  hooked,
  integrate,
  mailedToken,
  newCredentials,
  newcomer,
  receipted,
  requested,
  type Tenant,
} from './suite.ts'
import { request } from './world.ts'

const invitationToken = async ({ world, admin, o }: Tenant) => {
  const email = newcomer()
  await admin.createOrganizationInvitation(o, { email, role: 'member' })
  const [mail] = await world.mails(email)
  return /#token=([\w-]+)/.exec(mail!.text)![1]!
}

export const calls: { readonly [Id in Exclude<OperationId, RecordingOperation>]: (tenant: Tenant) => Promise<() => Promise<unknown>> } = {
  getHealth:
    async ({ world }) =>
    () =>
      world.client().getHealth(),
  getLiveness:
    async ({ world }) =>
    () =>
      world.client().getLiveness(),
  getVersion:
    async ({ world }) =>
    () =>
      world.client().getVersion(),
  getOpenApi:
    async ({ world }) =>
    () =>
      world.client().getOpenApi(),

  signUp: async ({ world, organization: { slug } }) => {
    const body = { email: `ada@new-${slug}.example`, name: 'Ada', organizationName: 'New', organizationSlug: `new-${slug}` }
    return () => world.client().signUp({ ...body, provider: 'magic-link' })
  },
  getMe:
    async ({ admin }) =>
    () =>
      admin.getMe(),
  listMySessions:
    async ({ admin }) =>
    () =>
      admin.listMySessions(),
  listMyInvitations: async (tenant) => {
    const person = await tenant.world.person()
    await tenant.admin.createWorkspaceInvitation(tenant.w, { email: person.email, role: 'viewer' })
    return () => person.client.listMyInvitations()
  },
  getInvitation: async (tenant) => {
    const token = await invitationToken(tenant)
    return () => tenant.world.client().getInvitation({ token })
  },

  sendSignInLink:
    async ({ world, member }) =>
    () =>
      world.client().sendSignInLink({ email: member.email }),
  getSignInLink: async ({ world, member }) => {
    await world.client().sendSignInLink({ email: member.email })
    const { token } = await mailedToken(world, member.email)
    return () => world.client().getSignInLink({ token })
  },
  startProviderSignIn:
    async ({ world }) =>
    () =>
      request(`${world.url}/v1/auth/google`),
  getSession:
    async ({ admin }) =>
    () =>
      admin.getSession(),
  startDeviceLogin:
    async ({ world }) =>
    () =>
      world.client().startDeviceLogin({ clientName: 'Terminal' }),
  getDeviceLogin: async ({ world, admin }) => {
    const { userCode } = await world.client().startDeviceLogin({})
    return () => admin.getDeviceLogin({ userCode })
  },
  approveDeviceLogin: async ({ world, admin }) => {
    const { userCode } = await world.client().startDeviceLogin({})
    return () => admin.approveDeviceLogin({ userCode })
  },
  denyDeviceLogin: async ({ world, admin }) => {
    const { userCode } = await world.client().startDeviceLogin({})
    return () => admin.denyDeviceLogin({ userCode })
  },

  listOrganizations:
    async ({ admin }) =>
    () =>
      admin.listOrganizations(),
  getOrganization:
    async ({ admin, o }) =>
    () =>
      admin.getOrganization(o),
  listOrganizationMembers:
    async ({ admin, o }) =>
    () =>
      admin.listOrganizationMembers(o),
  listMemberWorkspaces: async ({ admin, o }) => {
    const { members } = await admin.listOrganizationMembers(o)
    return () => admin.listMemberWorkspaces({ ...o, userId: members[0]!.userId })
  },
  listOrganizationInvitations: async ({ admin, o }) => {
    await admin.createOrganizationInvitation(o, { email: newcomer(), role: 'viewer' })
    return () => admin.listOrganizationInvitations(o)
  },

  listWorkspaces:
    async ({ admin, o }) =>
    () =>
      admin.listWorkspaces(o),
  getWorkspace:
    async ({ viewer, w }) =>
    () =>
      viewer.client.getWorkspace(w),
  listWorkspaceMembers:
    async ({ admin, w }) =>
    () =>
      admin.listWorkspaceMembers(w),
  listWorkspaceInvitations: async ({ admin, w }) => {
    await admin.createWorkspaceInvitation(w, { email: newcomer(), role: 'viewer' })
    return () => admin.listWorkspaceInvitations(w)
  },

  getCurrentApiKey: async ({ world, organization, workspace }) => {
    const key = await world.key(organization, { level: 'workspace', role: 'member', workspace })
    return () => key.client.getCurrentApiKey()
  },
  listApiKeys: async ({ world, admin, organization, o }) => {
    await world.key(organization, { level: 'user' })
    return () => admin.listApiKeys(o)
  },
  getApiKey: async ({ world, admin, organization, o }) => {
    const { id } = await world.key(organization, { level: 'organization', role: 'viewer' })
    return () => admin.getApiKey({ ...o, id })
  },
  getApiKeyUsage: async ({ world, admin, organization, o }) => {
    const { id } = await world.key(organization, { level: 'organization', role: 'viewer' })
    return () => admin.getApiKeyUsage({ ...o, id })
  },

  listAuditLogs: async ({ admin, o, w }) => {
    await admin.updateWorkspace(w, { name: 'Renamed' })
    return () => admin.listAuditLogs({ ...o, limit: 1 })
  },
  listEvents: async ({ admin, o, w }) => {
    await admin.updateWorkspace(w, { name: 'Renamed' })
    return () => admin.listEvents({ ...o, after: 'start', wait: 1 })
  },
  listWorkspaceEvents: async (tenant) => {
    await integrate(tenant)
    return () => tenant.viewer.client.listWorkspaceEvents({ ...tenant.w, after: 'start' })
  },
  listWebhooks: async (tenant) => {
    await hooked(tenant)
    return () => tenant.admin.listWebhooks(tenant.o)
  },
  getWebhook: async (tenant) => {
    const at = await hooked(tenant)
    return () => tenant.admin.getWebhook(at)
  },
  listWebhookDeliveries: async (tenant) => {
    const at = await hooked(tenant)
    await tenant.admin.testWebhook(at)
    return () => tenant.admin.listWebhookDeliveries(at)
  },
  getAuditCheckpoint:
    async ({ admin, o }) =>
    () =>
      admin.getAuditCheckpoint(o),

  listProviders:
    async ({ admin }) =>
    () =>
      admin.listProviders(),
  getProvider:
    async ({ admin }) =>
    () =>
      admin.getProvider({ provider: 'google_ads' }),
  listIntegrations: async (tenant) => {
    await connected(tenant)
    await integrate(tenant)
    return () => tenant.viewer.client.listIntegrations(tenant.w)
  },
  getIntegration: async (tenant) => {
    const { token: _, ...at } = await integrate(tenant)
    return () => tenant.viewer.client.getIntegration(at)
  },
  listIntegrationChecks: async (tenant) => {
    const at = await connected(tenant)
    return () => tenant.viewer.client.listIntegrationChecks(at)
  },

  proxyGet: async (tenant) => {
    const at = await connected(tenant)
    return () => tenant.viewer.client.proxyGet({ ...at, path: 'campaign' })
  },
  listIntegrationAccounts: async (tenant) => {
    const { token: _, ...at } = await integrate(tenant)
    return () => tenant.admin.listIntegrationAccounts(at)
  },
  listIntegrationCalls: async (tenant) => {
    const at = await connected(tenant)
    return () => tenant.viewer.client.listIntegrationCalls(at)
  },
  listOrganizationIntegrations: async (tenant) => {
    await connected(tenant)
    return () => tenant.viewer.client.listOrganizationIntegrations({ ...tenant.o, counts: 'true' })
  },
  getOrganizationHealth: async (tenant) => {
    await connected(tenant)
    return () => tenant.viewer.client.getOrganizationHealth(tenant.o)
  },
  getWorkspaceHealth: async (tenant) => {
    await connected(tenant)
    return () => tenant.viewer.client.getWorkspaceHealth(tenant.w)
  },
  getIntegrationUsage: async (tenant) => {
    const at = await connected(tenant)
    return () => tenant.viewer.client.getIntegrationUsage(at)
  },

  listConnectRequests: async (tenant) => {
    await requested(tenant)
    return () => tenant.viewer.client.listConnectRequests(tenant.w)
  },
  getConnectRequest: async (tenant) => {
    const { at } = await requested(tenant)
    return () => tenant.viewer.client.getConnectRequest(at)
  },
  getPublicConnectRequest: async (tenant) => {
    const { token } = await requested(tenant)
    return () => tenant.world.client().getPublicConnectRequest({ token })
  },
  getReceipt: async (tenant) => {
    const { token } = await receipted(tenant)
    return () => tenant.world.client().getReceipt({ token })
  },

  getConnectLink: async (tenant) => {
    const { token } = await integrate(tenant)
    return () => tenant.world.client().getConnectLink({ token })
  },
  getConnectResult: async (tenant) => {
    const { headers } = await request(await consent(tenant))
    const [, result] = /\/connect\/result#(.+)$/.exec(headers.get('location')!)!
    return () => tenant.world.client().getConnectResult({ result: result! })
  },
  takeConnectReturn: async (tenant) => {
    const { items } = await requested(tenant)
    const { result } = await tenant.world.client().submitConnectItemCredentials(items[0]!, newCredentials())
    return () => tenant.world.client().takeConnectReturn({ result })
  },
  listConnectAccounts: async (tenant) => {
    const { result } = await choosing(tenant)
    return () => tenant.world.client().listConnectAccounts({ result })
  },
}
