// Every way to lose a power, and what is left of it.
import { type Access, type AuditKind, access, atLeast, type CredentialClass, type Least } from '@adjoin/contract'
import { clientOf } from './attack-context.ts'
import { type Change, changes } from './changes.ts'
import type { AttackScene, PowerSource } from './scene.ts'

export interface Loss {
  readonly name: string
  readonly class: CredentialClass
  readonly standing: PowerSource
  /**
   * `nothing`: the credential is dead · `no place`:
   * the organization is not theirs any more · `viewer`: they may still read.
   */
  readonly left: 'nothing' | 'no place' | 'viewer'
  /** The entry that tells of it. */
  readonly kind: AuditKind
  take(scene: AttackScene): Promise<unknown>
}

type Taking = Pick<Loss, 'name' | 'left' | 'kind' | 'take'>

const demoted: Taking = {
  name: 'demoted',
  left: 'viewer',
  kind: 'member.updated',
  take: ({ keeper, o, attacker }) => keeper.updateOrganizationMember({ ...o, userId: attacker.id }, { role: 'viewer' }),
}
const removed: Taking = {
  name: 'removed',
  left: 'no place',
  kind: 'member.removed',
  take: ({ keeper, o, attacker }) => keeper.removeOrganizationMember({ ...o, userId: attacker.id }),
}
const lowered: Taking = {
  name: 'assignment lowered',
  left: 'viewer',
  kind: 'workspace_member.updated',
  take: ({ keeper, w, attacker }) => keeper.setWorkspaceMember({ ...w, userId: attacker.id }, { role: 'viewer' }),
}
const unassigned: Taking = {
  name: 'assignment removed',
  left: 'no place',
  kind: 'workspace_member.removed',
  take: ({ keeper, w, attacker }) => keeper.removeWorkspaceMember({ ...w, userId: attacker.id }),
}

/** The person acts from another session, at another replica. */
const myself = async ({ context: { furnish, urls }, attacker }: AttackScene) => clientOf(urls[2]!, await furnish.session(attacker))
const signedOut: Taking[] = [
  {
    name: 'signed out',
    left: 'nothing',
    kind: 'user.signed_out',
    take: ({ context: { urls }, headers }) => clientOf(urls[2]!, { headers }).signOut(),
  },
  {
    name: 'signed out everywhere',
    left: 'nothing',
    kind: 'user.signed_out',
    take: async (scene) => (await myself(scene)).signOutEverywhere(),
  },
  {
    name: 'session ended from another one',
    left: 'nothing',
    kind: 'user.signed_out',
    take: async (scene) => (await myself(scene)).revokeMySession({ id: scene.credentialId }),
  },
]

const keyOf = ({ keeper, o, credentialId, class: of, context: { urls }, attacker }: AttackScene) => {
  // A user key is its owner's alone, so they switch it off themselves.
  const client = of === 'userKey' ? clientOf(urls[2]!, attacker) : keeper
  return { client, params: { ...o, id: credentialId } }
}
const ended: Taking[] = [
  {
    name: 'key revoked',
    left: 'nothing',
    kind: 'api_key.revoked',
    take: (scene) => keyOf(scene).client.revokeApiKey(keyOf(scene).params),
  },
  {
    name: 'key disabled',
    left: 'nothing',
    kind: 'api_key.disabled',
    take: (scene) => keyOf(scene).client.disableApiKey(keyOf(scene).params),
  },
  {
    name: 'key rotated without grace',
    left: 'nothing',
    kind: 'api_key.rotated',
    take: (scene) => keyOf(scene).client.rotateApiKey(keyOf(scene).params, {}),
  },
]

/** A key that lost its creator's place is dead; one whose creator has a lower role is worth that. */
const ofCreator = (taking: Taking): Taking => ({
  ...taking,
  name: `creator ${taking.name}`,
  left: taking.left === 'no place' ? 'nothing' : taking.left,
})

const of = (credential: CredentialClass, standing: PowerSource, takings: readonly Taking[]): Loss[] =>
  takings.map((taking) => ({ ...taking, class: credential, standing }))

export const losses: readonly Loss[] = [
  ...of('session', 'admin', [demoted, removed, ...signedOut]),
  ...of('session', 'assigned', [lowered, unassigned]),
  ...of('userKey', 'admin', [...ended, ofCreator(demoted), ofCreator(removed)]),
  ...of('userKey', 'assigned', [ofCreator(lowered), ofCreator(unassigned)]),
  ...of('organizationKey', 'admin', ended),
  ...of('workspaceKey', 'admin', [...ended, ofCreator(demoted), ofCreator(removed)]),
  ...of('workspaceKey', 'assigned', [ofCreator(lowered), ofCreator(unassigned)]),
]

/** Decided by the verbs: whose the thing is. What is drafted is somebody else's, out of a viewer's reach. */
const BY_VERB: readonly Change[] = [
  'removeOrganizationMember',
  'removeWorkspaceMember',
  'createApiKey',
  'updateApiKey',
  'revokeApiKey',
  'disableApiKey',
  'enableApiKey',
  'rotateApiKey',
]

/** The changes that the attacker may make before, and may not after. */
export const lostBy = (loss: Loss): Change[] =>
  (Object.keys(changes) as Change[]).filter((id) => mayBefore(id, loss) && !mayAfter(id, loss))

function mayBefore(id: Change, { class: credential, standing }: Loss): boolean {
  const row: Access = access[id]
  const least: Least = row[credential]
  if (least === '-') return false
  if (standing === 'admin' || row.in === 'platform') return true
  // An assigned admin of a workspace is a guest of the organization:
  // their keys of that workspace, and what is in it.
  const keys = ['createApiKey', 'updateApiKey', 'revokeApiKey', 'disableApiKey', 'enableApiKey', 'rotateApiKey']
  return row.in === 'workspace' ? least !== 'organization admin' : keys.includes(id)
}

function mayAfter(id: Change, { class: credential, left }: Loss): boolean {
  const row: Access = access[id]
  if (left === 'nothing') return false
  if (row.in === 'platform') return true
  if (left === 'no place') return false
  if (id === 'rotateApiKey' && credential === 'userKey') return true // its owner's, whatever their role
  const least: Least = row[credential]
  if (BY_VERB.includes(id)) return false
  return least === 'any' || least === 'itself' || (least !== '-' && least !== 'organization admin' && atLeast('viewer', least))
}
