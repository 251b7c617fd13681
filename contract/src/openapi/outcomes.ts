// Where the answer of an operation differs from what a read of the same thing shows in the examples.
import type { OperationId } from '../paths.ts'
import type { Json } from './schemas.ts'

const WORKSPACE = { slug: 'client-a', name: 'Client A', role: 'member' }
const GUEST = { email: 'client@brand.example', role: 'guest', workspace: WORKSPACE }
const EMPTY = { pending: 0, active: 0, error: 0, disabled: 0 }

// biome-ignore format: a table
export const outcomes: { readonly [Id in OperationId]?: Json } = {
  acceptInvitation: { status: 'accepted' },
  declineInvitation: { status: 'declined' },
  createWorkspaceInvitation: GUEST,
  resendWorkspaceInvitation: GUEST,
  approveDeviceLogin: { status: 'approved' },
  denyDeviceLogin: { status: 'denied' },
  freezeOrganization: { frozen: { at: '2026-03-03T08:05:00.000Z', by: 'ada@agency.example', reason: 'A laptop was stolen' } },
  updateOrganizationMember: { role: 'member' },
  createWorkspace: { role: 'admin', integrationCounts: EMPTY, updatedAt: '2026-03-02T09:15:00.000Z' },
  setWorkspaceMember: { access: 'assigned' },
  updateApiKey: { name: 'Weekly report' },
  disableApiKey: { status: 'disabled' },
  disableWebhook: { status: 'disabled' },
  testWebhook: { kind: 'test', type: 'webhook.test', sequence: null },
  redeliverWebhook: { kind: 'redelivery' },
  disableIntegration: { status: 'disabled' },
  setIntegrationCallPolicy: { callPolicy: { mode: 'read', accounts: ['1234567890'] } },
  declineConnectItem: { status: 'declined', optional: true },
  disconnectByReceipt: { state: 'disconnected', endedAt: '2026-03-03T08:05:00.000Z' },
  getOpenApi: { openapi: '3.1.0', info: { title: 'Adjoin', version: '0.1.0' } },
}

/** What a form of an ad system asks for: which fields, only the ad system knows. */
const FORM = { accessKey: 'EXAMPLE-ACCESS-KEY', secretKey: 'EXAMPLE-SECRET-KEY' }

export const sentFields: { readonly [Id in OperationId]?: Json } = {
  submitIntegrationCredentials: FORM,
  submitConnectCredentials: FORM,
  submitConnectItemCredentials: FORM,
}
