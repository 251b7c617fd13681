// What is done with an organization: people in it, workspaces, keys, webhooks.
import { randomUUID } from 'node:crypto'
import type { Client } from '@adjoin/contract'
import { hooked, newcomer, type Tenant } from '../suite.ts'
import { sql } from '../world.ts'
import type { RecordingScenario, RecordingScenarios } from './scenario.ts'

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
const withKey = async ({ admin, o }: Tenant) => ({
  ...o,
  id: (await admin.createApiKey(o, { name: 'Reports', level: 'organization', role: 'viewer' })).id,
})

const onWebhook =
  (act: (client: Client, at: { orgSlug: string; id: string }) => Promise<unknown>) =>
  async (tenant: Tenant): Promise<RecordingScenario> => {
    const at = await hooked(tenant)
    return { run: () => act(tenant.admin, at), refused: () => act(tenant.viewer.client, at) }
  }

export const organizations = {
  acceptInvitation: async (tenant) => {
    const { client, id } = await received(tenant)
    return { run: () => client.acceptInvitation({ id }), refused: () => client.acceptInvitation({ id }) }
  },
  declineInvitation: async (tenant) => {
    const { client, id } = await received(tenant)
    return { run: () => client.declineInvitation({ id }), refused: () => client.declineInvitation({ id }) }
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
    const at = await withKey(tenant)
    return {
      run: () => tenant.admin.updateApiKey(at, { name: 'Renamed' }),
      refused: () => tenant.viewer.client.updateApiKey(at, { name: 'Mine' }),
    }
  },
  revokeApiKey: async (tenant) => {
    const at = await withKey(tenant)
    return { run: () => tenant.admin.revokeApiKey(at), refused: () => tenant.viewer.client.revokeApiKey(at) }
  },
  disableApiKey: async (tenant) => {
    const [at, revoked] = [await withKey(tenant), await withKey(tenant)]
    await tenant.admin.revokeApiKey(revoked)
    return { run: () => tenant.admin.disableApiKey(at), refused: () => tenant.admin.disableApiKey(revoked) }
  },
  enableApiKey: async (tenant) => {
    const [at, revoked] = [await withKey(tenant), await withKey(tenant)]
    await tenant.admin.disableApiKey(at)
    await tenant.admin.revokeApiKey(revoked)
    return { run: () => tenant.admin.enableApiKey(at), refused: () => tenant.admin.enableApiKey(revoked) }
  },
  rotateApiKey: async (tenant) => {
    const at = await withKey(tenant)
    const rotate = () => tenant.admin.rotateApiKey(at, {})
    return { run: rotate, refused: rotate }
  },

  exportAuditLogs: async ({ admin, viewer, o }) => ({
    run: async () => (await admin.exportAuditLogs(o)).text(),
    refused: () => viewer.client.exportAuditLogs(o),
  }),
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
} satisfies Partial<RecordingScenarios>
