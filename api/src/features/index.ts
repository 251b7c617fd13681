import type { Guards, Handlers } from '../call.ts'
import { account } from './account/index.ts'
import { apiKeys, guards as keyGuards } from './api-keys/index.ts'
import { audit } from './audit/index.ts'
import { auth } from './auth/index.ts'
import { connect } from './connect/index.ts'
import { infra } from './infra/index.ts'
import { integrations } from './integrations/index.ts'
import { organizations } from './organizations/index.ts'
import { mayRemoveMember } from './organizations/remove-organization-member.ts'
import { workspaces } from './workspaces/index.ts'
import { mayRemove } from './workspaces/remove-workspace-member.ts'

/** THE VERBS: operation id → handler. The compiler refuses a table with a missing row. */
export const handlers = (...infrastructure: Parameters<typeof infra>): Handlers => ({
  ...account,
  ...auth,
  ...organizations,
  ...workspaces,
  ...apiKeys,
  ...audit,
  ...integrations,
  ...connect,
  ...infra(...infrastructure),
})

/** Beyond the access matrix: what a verb asks by itself must hold for a replayed answer too. */
export const guards: Guards = {
  ...keyGuards,
  removeOrganizationMember: async (call) => mayRemoveMember(call),
  removeWorkspaceMember: async (call) => mayRemove(call),
}
