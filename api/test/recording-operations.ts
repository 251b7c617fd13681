// How each change is made: once with success, once refused.
// The suites on audit entries, answers and secrets are derived from this table.
import { randomUUID } from 'node:crypto'
import { type AuditKind, type BulkAction, type Client, call, type OperationId, type Operations } from '@adjoin/contract'
import { createBrowser } from './browser.ts'
import {
  callable,
  choosing,
  connected,
  consent,
  hooked,
  integrate,
  mailedToken,
  newCredentials,
  newcomer,
  PUBLIC,
  receipted,
  renewable,
  requested,
  type Tenant,
  tokenOf,
} from './suite.ts'
import { request, sql } from './world.ts'

export interface RecordingScenario {
  readonly run: () => Promise<unknown>
  /** The same, where it must not succeed. Browser flows answer with a status and a location either way. */
  readonly refused: () => Promise<unknown>
  /** What a success writes, where the operation may write one thing or another. */
  readonly writes?: readonly AuditKind[]
}

/** The operations that write audit entries. */
export type RecordingOperation = { [Id in OperationId]: Operations[Id] extends { records: readonly AuditKind[] } ? Id : never }[OperationId]

const invited = async ({ admin, o }: Tenant, email = newcomer()) => ({
  ...o,
  id: (await admin.createOrganizationInvitation(o, { email, role: 'member' })).id,
})
const invitedToWorkspace = async ({ admin, w }: Tenant) => ({
  ...w,
  id: (await admin.createWorkspaceInvitation(w, { email: newcomer(), role: 'viewer' })).id,
})
/** The invitation as the person who got it sees it. */
const received = async (tenant: Tenant) => {
  const person = await tenant.world.person()
  return { client: person.client, id: (await invited(tenant, person.email)).id }
}
const minted = async ({ admin, o }: Tenant) => ({
  ...o,
  id: (await admin.createApiKey(o, { name: 'Reports', level: 'organization', role: 'viewer' })).id,
})

type Proxy = 'proxyPost' | 'proxyPut' | 'proxyPatch' | 'proxyDelete'
async function changeAtVendor(tenant: Tenant, id: Proxy): Promise<RecordingScenario> {
  const at = await callable(tenant)
  const by = (client: Client) => call(client, id, { params: { ...at, path: 'campaign' }, ...(id !== 'proxyDelete' && { body: '{}' }) })
  return { run: () => by(tenant.admin), refused: () => by(tenant.viewer.client) }
}

const onWebhook =
  (act: (client: Client, at: { orgSlug: string; id: string }) => Promise<unknown>) =>
  async (tenant: Tenant): Promise<RecordingScenario> => {
    const at = await hooked(tenant)
    return { run: () => act(tenant.admin, at), refused: () => act(tenant.viewer.client, at) }
  }

export const recordingOperations: { readonly [Id in RecordingOperation]: (tenant: Tenant) => Promise<RecordingScenario> } = {
  setMyNotifications: async ({ admin }) => ({
    run: () => admin.setMyNotifications({ mode: 'daily' }),
    refused: () => admin.setMyNotifications({ mode: 'weekly' as 'daily' }),
  }),
  updateMe: async ({ admin }) => ({
    run: () => admin.updateMe({ name: 'Ada King' }),
    refused: () => admin.updateMe({ name: '' }),
  }),
  revokeMySession: async ({ world, organization: { admin } }) => {
    await world.signIn(admin.id, admin.email, admin.name)
    const { sessions } = await admin.client.listMySessions()
    const { id } = sessions.find(({ current }) => !current)!
    return { run: () => admin.client.revokeMySession({ id }), refused: () => admin.client.revokeMySession({ id }) }
  },
  acceptInvitation: async (tenant) => {
    const { client, id } = await received(tenant)
    return { run: () => client.acceptInvitation({ id }), refused: () => client.acceptInvitation({ id }) }
  },
  declineInvitation: async (tenant) => {
    const { client, id } = await received(tenant)
    return { run: () => client.declineInvitation({ id }), refused: () => client.declineInvitation({ id }) }
  },

  verifySignIn: async ({ world, organization }) => {
    const email = `grace@${organization.domain}`
    await world.client().sendSignInLink({ email })
    const { token } = await mailedToken(world, email)
    const verify = () => world.client().verifySignIn({ token })
    return { run: verify, refused: verify, writes: ['member.provisioned', 'user.signed_in'] }
  },
  finishProviderSignIn: async ({ world, google, organization }) => {
    google.next = { sub: randomUUID(), email: `grace@${organization.domain}`, email_verified: true, name: 'Grace' }
    const browser = createBrowser(PUBLIC, world.url)
    const callback = await browser.visit('/v1/auth/google', ({ pathname }) => pathname.endsWith('/callback'))
    const finish = async () => {
      const { status, next } = await browser.step(callback)
      return { status, location: next?.href }
    }
    return { run: finish, refused: finish, writes: ['member.provisioned', 'user.signed_in'] }
  },
  signOut: async ({ member }) => ({ run: () => member.client.signOut(), refused: () => member.client.signOut() }),
  signOutEverywhere: async ({ member }) => ({
    run: () => member.client.signOutEverywhere(),
    refused: () => member.client.signOutEverywhere(),
  }),
  pollDeviceLogin: async ({ world, member }) => {
    const { deviceCode, userCode } = await world.client().startDeviceLogin({})
    await member.client.approveDeviceLogin({ userCode })
    const poll = () => world.client().pollDeviceLogin({ deviceCode })
    return { run: poll, refused: poll }
  },

  updateOrganization: async ({ admin, viewer, o }) => ({
    run: () => admin.updateOrganization(o, { name: 'Renamed' }),
    refused: () => viewer.client.updateOrganization(o, { name: 'Mine' }),
  }),
  updateOrganizationMember: async ({ admin, organization, member, o }) => ({
    run: () => admin.updateOrganizationMember({ ...o, userId: member.id }, { role: 'viewer' }),
    refused: () => admin.updateOrganizationMember({ ...o, userId: organization.admin.id }, { role: 'viewer' }),
  }),
  removeOrganizationMember: async ({ admin, member, o }) => {
    const remove = () => admin.removeOrganizationMember({ ...o, userId: member.id })
    return { run: remove, refused: remove }
  },
  createOrganizationInvitation: async ({ admin, o }) => {
    const email = newcomer()
    const invite = () => admin.createOrganizationInvitation(o, { email, role: 'member' })
    return { run: invite, refused: invite }
  },
  cancelOrganizationInvitation: async (tenant) => {
    const at = await invited(tenant)
    const cancel = () => tenant.admin.cancelOrganizationInvitation(at)
    return { run: cancel, refused: cancel }
  },
  resendOrganizationInvitation: async (tenant) => {
    const [at, closed] = [await invited(tenant), await invited(tenant)]
    await tenant.admin.cancelOrganizationInvitation(closed)
    return { run: () => tenant.admin.resendOrganizationInvitation(at), refused: () => tenant.admin.resendOrganizationInvitation(closed) }
  },

  createWorkspace: async ({ admin, o }) => {
    const create = () => admin.createWorkspace(o, { name: 'Another', slug: 'another' })
    return { run: create, refused: create }
  },
  updateWorkspace: async ({ admin, viewer, w }) => ({
    run: () => admin.updateWorkspace(w, { name: 'Renamed' }),
    refused: () => viewer.client.updateWorkspace(w, { name: 'Mine' }),
  }),
  deleteWorkspace: async ({ admin, w }) => ({ run: () => admin.deleteWorkspace(w), refused: () => admin.deleteWorkspace(w) }),
  setWorkspaceMember: async ({ admin, viewer, w }) => ({
    run: () => admin.setWorkspaceMember({ ...w, userId: viewer.id }, { role: 'admin' }),
    refused: () => admin.setWorkspaceMember({ ...w, userId: randomUUID() }, { role: 'admin' }),
    writes: ['workspace_member.assigned'],
  }),
  removeWorkspaceMember: async ({ admin, viewer, w }) => {
    await admin.setWorkspaceMember({ ...w, userId: viewer.id }, { role: 'admin' })
    const remove = () => admin.removeWorkspaceMember({ ...w, userId: viewer.id })
    return { run: remove, refused: remove }
  },
  createWorkspaceInvitation: async ({ admin, w }) => {
    const email = newcomer()
    const invite = () => admin.createWorkspaceInvitation(w, { email, role: 'viewer' })
    return { run: invite, refused: invite }
  },
  cancelWorkspaceInvitation: async (tenant) => {
    const at = await invitedToWorkspace(tenant)
    const cancel = () => tenant.admin.cancelWorkspaceInvitation(at)
    return { run: cancel, refused: cancel }
  },
  resendWorkspaceInvitation: async (tenant) => {
    const [at, closed] = [await invitedToWorkspace(tenant), await invitedToWorkspace(tenant)]
    await tenant.admin.cancelWorkspaceInvitation(closed)
    return { run: () => tenant.admin.resendWorkspaceInvitation(at), refused: () => tenant.admin.resendWorkspaceInvitation(closed) }
  },

  createApiKey: async ({ admin, member, o }) => ({
    run: () => admin.createApiKey(o, { name: 'Reports', level: 'organization', role: 'viewer' }),
    refused: () => member.client.createApiKey(o, { name: 'Mine', level: 'organization', role: 'admin' }),
  }),
  updateApiKey: async (tenant) => {
    const at = await minted(tenant)
    return {
      run: () => tenant.admin.updateApiKey(at, { name: 'Renamed' }),
      refused: () => tenant.viewer.client.updateApiKey(at, { name: 'Mine' }),
    }
  },
  revokeApiKey: async (tenant) => {
    const at = await minted(tenant)
    return { run: () => tenant.admin.revokeApiKey(at), refused: () => tenant.viewer.client.revokeApiKey(at) }
  },
  disableApiKey: async (tenant) => {
    const [at, revoked] = [await minted(tenant), await minted(tenant)]
    await tenant.admin.revokeApiKey(revoked)
    return { run: () => tenant.admin.disableApiKey(at), refused: () => tenant.admin.disableApiKey(revoked) }
  },
  enableApiKey: async (tenant) => {
    const [at, revoked] = [await minted(tenant), await minted(tenant)]
    await tenant.admin.disableApiKey(at)
    await tenant.admin.revokeApiKey(revoked)
    return { run: () => tenant.admin.enableApiKey(at), refused: () => tenant.admin.enableApiKey(revoked) }
  },
  rotateApiKey: async (tenant) => {
    const at = await minted(tenant)
    const rotate = () => tenant.admin.rotateApiKey(at, {})
    return { run: rotate, refused: rotate }
  },

  exportAuditLogs: async ({ admin, viewer, o }) => ({
    run: async () => (await admin.exportAuditLogs(o)).text(),
    refused: () => viewer.client.exportAuditLogs(o),
  }),

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
    await tenant.admin.refreshIntegrationAccounts(at)
    await tenant.world.query(sql`insert into integration_accounts (organization_id, integration_id, kind, id, name)
      values (${tenant.organization.id}, ${at.id}, 'publisher', '99', 'Gone since')`)
    return { run: () => tenant.admin.refreshIntegrationAccounts(at), refused: () => tenant.admin.refreshIntegrationAccounts(pending) }
  },
  proxyPost: (tenant) => changeAtVendor(tenant, 'proxyPost'),
  proxyPut: (tenant) => changeAtVendor(tenant, 'proxyPut'),
  proxyPatch: (tenant) => changeAtVendor(tenant, 'proxyPatch'),
  proxyDelete: (tenant) => changeAtVendor(tenant, 'proxyDelete'),
  freezeOrganization: async ({ admin, member, o }) => ({
    run: () => admin.freezeOrganization(o, { reason: 'A key leaked' }),
    refused: () => member.client.freezeOrganization(o, { reason: 'A key leaked' }),
  }),
  thawOrganization: async ({ admin, member, o }) => {
    await admin.freezeOrganization(o, { reason: 'A key leaked' })
    return { run: () => admin.thawOrganization(o), refused: () => member.client.thawOrganization(o) }
  },
  createWebhook: async ({ admin, o }) => ({
    run: () => admin.createWebhook(o, { url: 'http://127.0.0.1:9/hook' }),
    refused: () => admin.createWebhook(o, { url: 'http://elsewhere.example/hook' }),
  }),
  updateWebhook: onWebhook((client, at) => client.updateWebhook(at, { description: 'Renamed' })),
  deleteWebhook: onWebhook((client, at) => client.deleteWebhook(at)),
  rotateWebhookSecret: onWebhook((client, at) => client.rotateWebhookSecret(at)),
  disableWebhook: onWebhook((client, at) => client.disableWebhook(at)),
  enableWebhook: async (tenant) => {
    const at = await hooked(tenant)
    await tenant.admin.disableWebhook(at)
    return { run: () => tenant.admin.enableWebhook(at), refused: () => tenant.viewer.client.enableWebhook(at) }
  },
  testWebhook: onWebhook((client, at) => client.testWebhook(at)),
  replayWebhook: onWebhook((client, at) => client.replayWebhook(at, { from: new Date(Date.now() - 60_000).toISOString() })),
  redeliverWebhook: async (tenant) => {
    const at = await hooked(tenant)
    const [delivery] = await tenant.world.query<{ id: string }>(sql`insert into webhook_deliveries
      (organization_id, webhook_id, id, kind, event_id, sequence, type, attempt, outcome)
      select organization_id, ${at.id}, gen_random_uuid(), 'event', gen_random_uuid(), 1, action, 1, 'failed' from audit_entries
      where organization_id = ${tenant.organization.id} and sequence = 1 returning id`)
    const again = { ...at, deliveryId: delivery!.id }
    return { run: () => tenant.admin.redeliverWebhook(again), refused: () => tenant.viewer.client.redeliverWebhook(again) }
  },
  createConnectRequest: async ({ admin, viewer, w }) => {
    const body = { title: 'Accounts', items: [{ provider: 'xandr' as const }] }
    return { run: () => admin.createConnectRequest(w, body), refused: () => viewer.client.createConnectRequest(w, body) }
  },
  updateConnectRequest: async (tenant) => {
    const { at } = await requested(tenant)
    const update = (client: Client) => client.updateConnectRequest(at, { title: 'All accounts' })
    return { run: () => update(tenant.admin), refused: () => update(tenant.viewer.client) }
  },
  cancelConnectRequest: async (tenant) => {
    const { at } = await requested(tenant)
    const cancel = () => tenant.admin.cancelConnectRequest(at)
    return { run: cancel, refused: cancel }
  },
  sendConnectRequest: async (tenant) => {
    const [{ at }, unaddressed] = [await requested(tenant, { clientEmail: newcomer() }), await requested(tenant)]
    return { run: () => tenant.admin.sendConnectRequest(at), refused: () => tenant.admin.sendConnectRequest(unaddressed.at) }
  },
  renewConnectRequest: async (tenant) => {
    const [{ at }, gone] = [await requested(tenant), await requested(tenant)]
    await tenant.admin.cancelConnectRequest(gone.at)
    return { run: () => tenant.admin.renewConnectRequest(at, {}), refused: () => tenant.admin.renewConnectRequest(gone.at, {}) }
  },
  startConnectItemOAuth: async (tenant) => {
    const { items } = await requested(tenant)
    const begin = (item: { token: string; itemId: string }) => tenant.world.client().startConnectItemOAuth(item, {})
    return { run: () => begin(items[1]!), refused: () => begin({ ...items[1]!, itemId: randomUUID() }) }
  },
  submitConnectItemCredentials: async (tenant) => {
    const { items } = await requested(tenant)
    const submit = () => tenant.world.client().submitConnectItemCredentials(items[0]!, newCredentials())
    return { run: submit, refused: submit, writes: ['connect_link.started', 'integration.connected'] }
  },
  declineConnectItem: async (tenant) => {
    const { items } = await requested(tenant)
    const decline = (item: { token: string; itemId: string }) => tenant.world.client().declineConnectItem(item)
    return { run: () => decline(items[1]!), refused: () => decline(items[0]!) }
  },
  passOnConnectItem: async (tenant) => {
    const { items } = await requested(tenant)
    const passOn = (item: { token: string; itemId: string }) => tenant.world.client().passOnConnectItem(item)
    return { run: () => passOn(items[0]!), refused: () => passOn({ ...items[0]!, itemId: randomUUID() }) }
  },
  askForNewConnectLink: async (tenant) => {
    const [gone, live] = [await integrate(tenant), await integrate(tenant)]
    await tenant.world.query(sql`update connect_links set expires_at = now() - interval '1 hour', expired_noted_at = now()
      where organization_id = ${tenant.organization.id} and integration_id = ${gone.id}`)
    const ask = ({ token }: { token: string }) => tenant.world.client().askForNewConnectLink({ token })
    return { run: () => ask(gone), refused: () => ask(live) }
  },
  askForNewRequestLink: async (tenant) => {
    const [gone, live] = [await requested(tenant), await requested(tenant)]
    await tenant.world.query(sql`update connect_requests set expires_at = now() - interval '1 hour'
      where organization_id = ${tenant.organization.id} and id = ${gone.at.requestId}`)
    const ask = ({ token }: { token: string }) => tenant.world.client().askForNewRequestLink({ token })
    return { run: () => ask(gone), refused: () => ask(live) }
  },
  stopClientMails: async (tenant) => {
    const clientEmail = newcomer()
    const { at } = await requested(tenant, { clientEmail })
    await tenant.admin.sendConnectRequest(at)
    const [mail] = await tenant.world.mails(clientEmail)
    const token = /connect\/stop\/([\w-]+)/.exec(mail!.text)![1]!
    const stop = (of: string) => tenant.world.client().stopClientMails({ token: of })
    return { run: () => stop(token), refused: () => stop('x'.repeat(43)) }
  },
  disconnectByReceipt: async (tenant) => {
    const { token } = await receipted(tenant)
    const disconnect = () => tenant.world.client().disconnectByReceipt({ token })
    return { run: disconnect, refused: disconnect }
  },
  renewWithSameLogin: async (tenant) => {
    const { result, other } = await renewable(tenant)
    const renew = (of: string) => tenant.world.client().renewWithSameLogin({ result: of }, { integrationIds: [other] })
    return { run: () => renew(result), refused: () => renew('x'.repeat(43)), writes: ['integration.connected'] }
  },
  chooseConnectAccount: async (tenant) => {
    const { result } = await choosing(tenant)
    const choose = (of: string) => tenant.world.client().chooseConnectAccount({ result: of }, { accountId: '1234567890' })
    return { run: () => choose(result), refused: () => choose('x'.repeat(43)), writes: ['integration.updated'] }
  },
  startConnectOAuth: async ({ world, admin, w }) => {
    const { connectUrl } = await admin.createIntegration(w, { provider: 'google_ads', name: 'Search' })
    const begin = (token: string) => world.client().startConnectOAuth({ token }, {})
    return { run: () => begin(tokenOf(connectUrl)), refused: () => begin('x'.repeat(43)) }
  },
  submitConnectCredentials: async (tenant) => {
    const { token } = await integrate(tenant)
    const submit = () => tenant.world.client().submitConnectCredentials({ token }, newCredentials())
    return { run: submit, refused: submit, writes: ['connect_link.started', 'integration.connected'] }
  },
  finishConnectOAuth: async (tenant) => {
    const callback = await consent(tenant)
    const finish = async () => {
      const { status, headers } = await request(callback)
      return { status, location: headers.get('location') }
    }
    return { run: finish, refused: finish, writes: ['integration.connected'] }
  },
}
