// A request of every operation that changes something:
// what an attacker who holds a power would send. The compiler asks for missing rows.
import { type access, type OperationId, type paths, route } from '@adjoin/contract'
import { ask } from '../ask.ts'
import { agentFrom, clientOf, newAddress, unique } from './attack-context.ts'
import { type AttackScene, newColleague, newIntegration } from './scene.ts'

/** Operations that only give up one's own power: to be late with them harms nobody. */
type GivingUp = 'signOut' | 'signOutEverywhere' | 'revokeMySession'
export type Change = Exclude<
  {
    [Id in OperationId]: (typeof paths)[Id] extends `GET ${string}` ? never : (typeof access)[Id] extends 'public' ? never : Id
  }[OperationId],
  GivingUp
>

/** What stands in the path, and the body: an empty one where none is taken, which can still be held back. */
interface ChangeInput {
  readonly values?: Readonly<Record<string, string>>
  readonly body?: unknown
}

const invitation = () => ({ email: `mole@${unique()}.example`, role: 'admin' as const })
const named = ({ id }: { id: string }) => ({ values: { id } })
const toOrganization = async ({ keeper, o }: AttackScene) => named(await keeper.createOrganizationInvitation(o, invitation()))
const toWorkspace = async ({ keeper, w }: AttackScene) => named(await keeper.createWorkspaceInvitation(w, invitation()))
const colleague = async (scene: AttackScene) => ({ values: { userId: (await newColleague(scene)).id } })
const integration = async (scene: AttackScene) => named({ id: await newIntegration(scene) })
const key = async ({ context: { furnish }, organization, standing, w }: AttackScene) =>
  named(await furnish.key(organization, standing === 'admin' ? {} : { level: 'workspace', workspace: { slug: w.workspaceSlug } }))
/** Connected, and open to changes. */
const callable = async (scene: AttackScene) => {
  const draft = await integration(scene)
  const at = { ...scene.w, ...draft.values }
  await scene.keeper.submitIntegrationCredentials(at, { username: `api-${unique()}`, password: 'Correct-Horse-1' })
  await scene.keeper.setIntegrationCallPolicy(at, { mode: 'full' })
  return { values: { ...draft.values, path: 'campaign' }, body: {} }
}
/** An invitation from elsewhere to the attacker. */
const mine = async ({ context: { furnish, urls }, attacker }: AttackScene) => {
  const elsewhere = await furnish.organization()
  const asked = { email: attacker.email, role: 'admin' as const }
  return named(await clientOf(urls[0]!, elsewhere.admin).createOrganizationInvitation({ orgSlug: elsewhere.slug }, asked))
}
/** Leads nowhere: what is attacked is who may change it. */
const NOBODY = 'http://127.0.0.1:9/hook'
const webhook = async ({ keeper, o }: AttackScene) => named(await keeper.createWebhook(o, { url: NOBODY }))
const requestBody = () => ({
  title: 'Your ad accounts',
  clientEmail: `client@${unique()}.example`,
  items: [{ provider: 'xandr' as const, name: 'Tunnel' }],
})
const request = async ({ keeper, w }: AttackScene) => ({
  values: { requestId: (await keeper.createConnectRequest(w, requestBody())).id },
})
const device = async ({ context: { urls } }: AttackScene) => {
  const answer = await ask(`${urls[0]}/v1/auth/device`, { method: 'POST', body: {}, agent: agentFrom(newAddress()) })
  return { values: { userCode: String(JSON.parse(answer.body).userCode) } }
}

export const changes: Record<Change, (scene: AttackScene) => ChangeInput | Promise<ChangeInput>> = {
  updateMe: () => ({ body: { name: 'Mole' } }),
  setMyNotifications: () => ({ body: { mode: 'off' } }),
  acceptInvitation: mine,
  declineInvitation: mine,
  approveDeviceLogin: device,
  denyDeviceLogin: device,

  updateOrganization: () => ({ body: { name: 'Moles' } }),
  updateOrganizationMember: ({ attacker }) => ({ values: { userId: attacker.id }, body: { role: 'admin' } }),
  removeOrganizationMember: colleague,
  createOrganizationInvitation: () => ({ body: invitation() }),
  cancelOrganizationInvitation: toOrganization,
  resendOrganizationInvitation: toOrganization,

  createWorkspace: () => ({ body: { name: 'Burrow', slug: `burrow-${unique()}` } }),
  updateWorkspace: () => ({ body: { name: 'Burrow' } }),
  deleteWorkspace: () => ({}),
  setWorkspaceMember: ({ attacker }) => ({ values: { userId: attacker.id }, body: { role: 'admin' } }),
  removeWorkspaceMember: colleague,
  createWorkspaceInvitation: () => ({ body: invitation() }),
  cancelWorkspaceInvitation: toWorkspace,
  resendWorkspaceInvitation: toWorkspace,

  freezeOrganization: () => ({ body: { reason: 'Spite' } }),
  thawOrganization: async ({ keeper, o }) => {
    await keeper.freezeOrganization(o, { reason: 'A key leaked' })
    return {}
  },

  createApiKey: ({ standing, w: { workspaceSlug } }) => ({
    body: { name: 'Spare', role: 'admin', ...(standing === 'admin' ? { level: 'organization' } : { level: 'workspace', workspaceSlug }) },
  }),
  updateApiKey: async (scene) => ({ ...(await key(scene)), body: { name: 'Spare' } }),
  revokeApiKey: key,
  disableApiKey: key,
  enableApiKey: async (scene) => {
    const draft = await key(scene)
    await scene.keeper.disableApiKey({ ...scene.o, id: draft.values.id })
    return draft
  },
  // A key rotates itself: the replacement would outlive what was taken away.
  rotateApiKey: (scene) => (scene.class === 'session' ? key(scene) : named({ id: scene.credentialId })),

  createWebhook: () => ({ body: { url: NOBODY } }),
  updateWebhook: async (scene) => ({ ...(await webhook(scene)), body: { description: 'Tunnel' } }),
  deleteWebhook: webhook,
  rotateWebhookSecret: webhook,
  disableWebhook: webhook,
  enableWebhook: async (scene) => {
    const draft = await webhook(scene)
    await scene.keeper.disableWebhook({ ...scene.o, ...draft.values })
    return draft
  },
  testWebhook: webhook,
  replayWebhook: async (scene) => ({ ...(await webhook(scene)), body: { from: new Date(Date.now() - 60_000).toISOString() } }),
  redeliverWebhook: async (scene) => {
    const draft = await webhook(scene)
    const { id: deliveryId } = await scene.keeper.testWebhook({ ...scene.o, ...draft.values })
    return { values: { ...draft.values, deliveryId } }
  },

  createIntegration: () => ({ body: { provider: 'xandr', name: 'Tunnel' } }),
  updateIntegration: async (scene) => ({ ...(await integration(scene)), body: { name: 'Tunnel' } }),
  deleteIntegration: integration,
  submitIntegrationCredentials: async (scene) => ({
    ...(await integration(scene)),
    body: { username: `api-${unique()}`, password: 'Correct-Horse-1' },
  }),
  verifyIntegration: async (scene) => {
    const draft = await integration(scene)
    const login = { username: `api-${unique()}`, password: 'Correct-Horse-1' }
    await scene.keeper.submitIntegrationCredentials({ ...scene.w, ...draft.values }, login)
    return draft
  },
  disableIntegration: integration,
  bulkIntegrations: async (scene) => ({ body: { action: 'disable', ids: [(await integration(scene)).values.id] } }),
  enableIntegration: async (scene) => {
    const draft = await integration(scene)
    await scene.keeper.disableIntegration({ ...scene.w, ...draft.values })
    return draft
  },
  setIntegrationCallPolicy: async (scene) => ({ ...(await integration(scene)), body: { mode: 'full' } }),
  refreshIntegrationAccounts: callable,
  proxyPost: callable,
  proxyPut: callable,
  proxyPatch: callable,
  proxyDelete: callable,
  createConnectRequest: () => ({ body: requestBody() }),
  updateConnectRequest: async (scene) => ({ ...(await request(scene)), body: { title: 'Tunnel' } }),
  cancelConnectRequest: request,
  sendConnectRequest: request,
  renewConnectRequest: async (scene) => ({ ...(await request(scene)), body: {} }),
  issueConnectLink: async (scene) => ({ ...(await integration(scene)), body: {} }),
  revokeConnectLink: async (scene) => {
    const draft = await integration(scene)
    await scene.keeper.issueConnectLink({ ...scene.w, ...draft.values }, {})
    return draft
  },
}

export interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export async function requestOf(id: Change, scene: AttackScene): Promise<Request> {
  const { values = {}, body = {} } = await changes[id](scene)
  const [method, template] = route(id)
  const parts: Record<string, unknown> = { ...scene.w, ...values }
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(parts[name])))
  return { method, path, headers: scene.headers, body: JSON.stringify(body) }
}
