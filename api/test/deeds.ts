// How each change is made: once with success, once refused. The suites on audit entries, answers and secrets are derived from this table.
import { randomUUID } from 'node:crypto'
import { type AuditKind, type Client, call, type OperationId, type Operations } from '@adjoin/contract'
import { createBrowser } from './browser.ts'
import { callable, connected, consent, integrate, mailedToken, newCredentials, newcomer, PUBLIC, type Stage } from './stage.ts'
import { request } from './world.ts'

export interface Deed {
  readonly run: () => Promise<unknown>
  /** The same, where it must not succeed. Browser flows answer with a status and a location either way. */
  readonly refused: () => Promise<unknown>
  /** What a success writes, where the operation may write one thing or another. */
  readonly writes?: readonly AuditKind[]
}

/** The operations that write audit entries. */
export type Recording = { [Id in OperationId]: Operations[Id] extends { records: readonly AuditKind[] } ? Id : never }[OperationId]

const invited = async ({ admin, o }: Stage, email = newcomer()) => ({
  ...o,
  id: (await admin.createOrganizationInvitation(o, { email, role: 'member' })).id,
})
const invitedToWorkspace = async ({ admin, w }: Stage) => ({
  ...w,
  id: (await admin.createWorkspaceInvitation(w, { email: newcomer(), role: 'viewer' })).id,
})
/** The invitation as the person who got it sees it. */
const received = async (stage: Stage) => {
  const person = await stage.world.person()
  return { client: person.client, id: (await invited(stage, person.email)).id }
}
const minted = async ({ admin, o }: Stage) => ({
  ...o,
  id: (await admin.createApiKey(o, { name: 'Reports', level: 'organization', role: 'viewer' })).id,
})

/** A change at the ad system. */
async function callDeed(stage: Stage, id: 'proxyPost' | 'proxyPut' | 'proxyPatch' | 'proxyDelete'): Promise<Deed> {
  const at = await callable(stage)
  const by = (client: Client) => call(client, id, { params: { ...at, path: 'campaign' }, ...(id !== 'proxyDelete' && { body: '{}' }) })
  return { run: () => by(stage.admin), refused: () => by(stage.viewer.client) }
}

export const deeds: { readonly [Id in Recording]: (stage: Stage) => Promise<Deed> } = {
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
  acceptInvitation: async (stage) => {
    const { client, id } = await received(stage)
    return { run: () => client.acceptInvitation({ id }), refused: () => client.acceptInvitation({ id }) }
  },
  declineInvitation: async (stage) => {
    const { client, id } = await received(stage)
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
  cancelOrganizationInvitation: async (stage) => {
    const at = await invited(stage)
    const cancel = () => stage.admin.cancelOrganizationInvitation(at)
    return { run: cancel, refused: cancel }
  },
  resendOrganizationInvitation: async (stage) => {
    const [at, closed] = [await invited(stage), await invited(stage)]
    await stage.admin.cancelOrganizationInvitation(closed)
    return { run: () => stage.admin.resendOrganizationInvitation(at), refused: () => stage.admin.resendOrganizationInvitation(closed) }
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
  cancelWorkspaceInvitation: async (stage) => {
    const at = await invitedToWorkspace(stage)
    const cancel = () => stage.admin.cancelWorkspaceInvitation(at)
    return { run: cancel, refused: cancel }
  },
  resendWorkspaceInvitation: async (stage) => {
    const [at, closed] = [await invitedToWorkspace(stage), await invitedToWorkspace(stage)]
    await stage.admin.cancelWorkspaceInvitation(closed)
    return { run: () => stage.admin.resendWorkspaceInvitation(at), refused: () => stage.admin.resendWorkspaceInvitation(closed) }
  },

  createApiKey: async ({ admin, member, o }) => ({
    run: () => admin.createApiKey(o, { name: 'Reports', level: 'organization', role: 'viewer' }),
    refused: () => member.client.createApiKey(o, { name: 'Mine', level: 'organization', role: 'admin' }),
  }),
  updateApiKey: async (stage) => {
    const at = await minted(stage)
    return {
      run: () => stage.admin.updateApiKey(at, { name: 'Renamed' }),
      refused: () => stage.viewer.client.updateApiKey(at, { name: 'Mine' }),
    }
  },
  revokeApiKey: async (stage) => {
    const at = await minted(stage)
    return { run: () => stage.admin.revokeApiKey(at), refused: () => stage.viewer.client.revokeApiKey(at) }
  },
  disableApiKey: async (stage) => {
    const [at, revoked] = [await minted(stage), await minted(stage)]
    await stage.admin.revokeApiKey(revoked)
    return { run: () => stage.admin.disableApiKey(at), refused: () => stage.admin.disableApiKey(revoked) }
  },
  enableApiKey: async (stage) => {
    const [at, revoked] = [await minted(stage), await minted(stage)]
    await stage.admin.disableApiKey(at)
    await stage.admin.revokeApiKey(revoked)
    return { run: () => stage.admin.enableApiKey(at), refused: () => stage.admin.enableApiKey(revoked) }
  },
  rotateApiKey: async (stage) => {
    const at = await minted(stage)
    const rotate = () => stage.admin.rotateApiKey(at, {})
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
  updateIntegration: async (stage) => {
    const at = await connected(stage)
    return {
      run: () => stage.admin.updateIntegration(at, { name: 'Renamed' }),
      refused: () => stage.admin.updateIntegration(at, { settings: { nonsense: '1' } }),
    }
  },
  deleteIntegration: async (stage) => {
    const at = await connected(stage)
    return { run: () => stage.admin.deleteIntegration(at), refused: () => stage.admin.deleteIntegration(at) }
  },
  submitIntegrationCredentials: async (stage) => {
    const { token: _, ...at } = await integrate(stage)
    return {
      run: () => stage.admin.submitIntegrationCredentials(at, newCredentials()),
      refused: () => stage.admin.submitIntegrationCredentials(at, { username: 'api-user' }),
      writes: ['integration.connected'],
    }
  },
  verifyIntegration: async (stage) => {
    const at = await connected(stage)
    const { token: _, ...pending } = await integrate(stage)
    return { run: () => stage.admin.verifyIntegration(at), refused: () => stage.admin.verifyIntegration(pending) }
  },
  disableIntegration: async (stage) => {
    const at = await connected(stage)
    return { run: () => stage.admin.disableIntegration(at), refused: () => stage.viewer.client.disableIntegration(at) }
  },
  enableIntegration: async (stage) => {
    const at = await connected(stage)
    await stage.admin.disableIntegration(at)
    return { run: () => stage.admin.enableIntegration(at), refused: () => stage.viewer.client.enableIntegration(at) }
  },
  issueConnectLink: async (stage) => {
    const [at, closed] = [await connected(stage), await connected(stage)]
    await stage.admin.disableIntegration(closed)
    return { run: () => stage.admin.issueConnectLink(at, {}), refused: () => stage.admin.issueConnectLink(closed, {}) }
  },
  revokeConnectLink: async (stage) => {
    const { token: _, ...at } = await integrate(stage)
    return { run: () => stage.admin.revokeConnectLink(at), refused: () => stage.viewer.client.revokeConnectLink(at) }
  },
  setIntegrationCallPolicy: async (stage) => {
    const { token: _, ...at } = await integrate(stage)
    return {
      run: () => stage.admin.setIntegrationCallPolicy(at, { mode: 'full' }),
      refused: () => stage.member.client.setIntegrationCallPolicy(at, { mode: 'full' }),
    }
  },
  proxyPost: (stage) => callDeed(stage, 'proxyPost'),
  proxyPut: (stage) => callDeed(stage, 'proxyPut'),
  proxyPatch: (stage) => callDeed(stage, 'proxyPatch'),
  proxyDelete: (stage) => callDeed(stage, 'proxyDelete'),
  freezeOrganization: async ({ admin, member, o }) => ({
    run: () => admin.freezeOrganization(o, { reason: 'A key leaked' }),
    refused: () => member.client.freezeOrganization(o, { reason: 'A key leaked' }),
  }),
  thawOrganization: async ({ admin, member, o }) => {
    await admin.freezeOrganization(o, { reason: 'A key leaked' })
    return { run: () => admin.thawOrganization(o), refused: () => member.client.thawOrganization(o) }
  },
  submitConnectCredentials: async (stage) => {
    const { token } = await integrate(stage)
    const submit = () => stage.world.client().submitConnectCredentials({ token }, newCredentials())
    return { run: submit, refused: submit, writes: ['integration.connected'] }
  },
  finishConnectOAuth: async (stage) => {
    const callback = await consent(stage)
    const finish = async () => {
      const { status, headers } = await request(callback)
      return { status, location: headers.get('location') }
    }
    return { run: finish, refused: finish, writes: ['integration.connected'] }
  },
}
