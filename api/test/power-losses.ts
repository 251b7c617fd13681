// The ways to lose a power, by class of credential, and what else a call to an ad system rests on:
// the suites that hold something back until a power is gone take them from here.
import type { AuditKind } from '@adjoin/contract'
import type { Caller } from '../src/call.ts'
import { digest } from '../src/vault/tokens.ts'
import type { Tenant } from './suite.ts'
import { sql, type TestKey, type TestPerson } from './world.ts'

export type Class = Caller['class']
export const classes: readonly Class[] = ['session', 'userKey', 'organizationKey', 'workspaceKey']

/** Who loses: a person with a session, or with a key of theirs. */
export interface Holder {
  readonly person: TestPerson
  readonly key: TestKey | undefined
  readonly headers: Record<string, string>
}

export type PowerLoss = (tenant: Tenant, holder: Holder) => Promise<unknown>

/** The same person, signed in elsewhere. */
const elsewhere = async ({ world }: Tenant, { id, email, name }: TestPerson) => (await world.signIn(id, email, name)).client

const demoted: PowerLoss = ({ admin, o }, { person }) => admin.updateOrganizationMember({ ...o, userId: person.id }, { role: 'viewer' })
const removed: PowerLoss = ({ admin, o }, { person }) => admin.removeOrganizationMember({ ...o, userId: person.id })
const everywhere: PowerLoss = async (tenant, { person }) => (await elsewhere(tenant, person)).signOutEverywhere()
const sessionEnded: PowerLoss = async (tenant, { person }) => {
  const [session] = await tenant.world.query<{ id: string }>(sql`select id from sessions where token_hash = ${digest(person.token)}`)
  await (await elsewhere(tenant, person)).revokeMySession({ id: session!.id })
}
/** The fifty-first sign-in ends the session that was used longest ago. */
const crowdedOut: PowerLoss = async (tenant, { person }) => {
  await tenant.world.query(sql`insert into sessions (token_hash, user_id, method, last_used_at)
    select sha256(convert_to(gen_random_uuid()::text, 'utf8')), ${person.id}, 'magic-link', now() + interval '1 minute' from generate_series(1, 49)`)
  const { deviceCode, userCode } = await tenant.world.client().startDeviceLogin({})
  await (await elsewhere(tenant, person)).approveDeviceLogin({ userCode })
  await tenant.world.client().pollDeviceLogin({ deviceCode })
}
const keyRevoked: PowerLoss = ({ admin, o }, { key }) => admin.revokeApiKey({ ...o, id: key!.id })
const keyDisabled: PowerLoss = async (tenant, { person, key }) =>
  (await elsewhere(tenant, person)).disableApiKey({ ...tenant.o, id: key!.id })
const keyRotated: PowerLoss = async (tenant, { person, key }) =>
  (await elsewhere(tenant, person)).rotateApiKey({ ...tenant.o, id: key!.id }, {})

/** Of changes. Outside of an organization only the session itself can be lost. */
export const losses: Record<Class, Record<string, PowerLoss>> = {
  session: { everywhere, sessionEnded, crowdedOut, demoted, removed },
  userKey: { keyRevoked, keyDisabled, keyRotated, demoted, removed },
  organizationKey: { keyRevoked, keyDisabled, keyRotated },
  workspaceKey: { keyRevoked, keyDisabled, keyRotated, demoted, removed },
}

/** Nobody takes it away: its time comes. */
const sessionUnused: PowerLoss = ({ world }, { person }) =>
  world.query(sql`update sessions set last_used_at = now() - interval '8 days' where token_hash = ${digest(person.token)}`)
const sessionOld: PowerLoss = ({ world }, { person }) =>
  world.query(sql`update sessions set created_at = now() - interval '31 days' where token_hash = ${digest(person.token)}`)
const keyExpired: PowerLoss = ({ world, organization }, { key }) =>
  world.query(sql`update api_keys set expires_at = now() where organization_id = ${organization.id} and id = ${key!.id}`)

const leftAlone: PowerLoss = async (tenant, { person }) =>
  (await elsewhere(tenant, person)).removeOrganizationMember({ ...tenant.o, userId: person.id })
const unassigned: PowerLoss = ({ admin, w }, { person }) => admin.removeWorkspaceMember({ ...w, userId: person.id })
const madeViewer: PowerLoss = ({ admin, w }, { person }) => admin.setWorkspaceMember({ ...w, userId: person.id }, { role: 'viewer' })
const workspaceDeleted: PowerLoss = ({ admin, w }) => admin.deleteWorkspace({ ...w, force: 'true' })

export interface ReadLoss {
  readonly name: string
  readonly of: readonly Class[]
  /** What the trail tells of it; null: nobody does it. */
  readonly kind: AuditKind | null
  /** A guest who has this role in the workspace; without it an admin. */
  readonly assigned?: 'viewer' | 'member'
  /** What is lost is not reading, but the change that is under way. */
  readonly change?: true
  readonly lose: PowerLoss
}

const sessions: readonly Class[] = ['session']
const keys: readonly Class[] = ['userKey', 'organizationKey', 'workspaceKey']
/** Whatever acts for a person. */
const personal: readonly Class[] = ['session', 'userKey', 'workspaceKey']

/** The ways to lose the power to read in a workspace. */
// biome-ignore format: a table
export const readLosses: readonly ReadLoss[] = [
  { name: 'signed out everywhere', of: sessions, kind: 'user.signed_out', lose: everywhere },
  { name: 'session ended', of: sessions, kind: 'user.signed_out', lose: sessionEnded },
  { name: 'session crowded out', of: sessions, kind: 'user.signed_out', lose: crowdedOut },
  { name: 'session unused', of: sessions, kind: null, lose: sessionUnused },
  { name: 'session old', of: sessions, kind: null, lose: sessionOld },
  { name: 'key revoked', of: keys, kind: 'api_key.revoked', lose: keyRevoked },
  { name: 'key disabled', of: keys, kind: 'api_key.disabled', lose: keyDisabled },
  { name: 'key rotated', of: keys, kind: 'api_key.rotated', lose: keyRotated },
  { name: 'key expired', of: keys, kind: null, lose: keyExpired },
  { name: 'removed from the organization', of: personal, kind: 'member.removed', lose: removed },
  { name: 'left the organization', of: personal, kind: 'member.removed', lose: leftAlone },
  { name: 'admin made a viewer', of: personal, kind: 'member.updated', change: true, lose: demoted },
  { name: 'guest removed from the workspace', of: personal, kind: 'workspace_member.removed', assigned: 'viewer', lose: unassigned },
  { name: 'member made a viewer', of: personal, kind: 'workspace_member.updated', assigned: 'member', change: true, lose: madeViewer },
  { name: 'workspace deleted', of: classes, kind: 'workspace.deleted', lose: workspaceDeleted },
]

interface At {
  readonly orgSlug: string
  readonly workspaceSlug: string
  readonly id: string
}

export interface CallLoss extends Omit<ReadLoss, 'lose'> {
  lose(tenant: Tenant, holder: Holder, at: At): Promise<unknown>
}

const ended = ({ world, organization }: Tenant, { id }: At, reason: string) =>
  world.query(sql`update integrations set credential = null, status = 'pending', status_reason = ${reason}
    where organization_id = ${organization.id} and id = ${id}`)

/** What a call through an integration rests on besides. */
// biome-ignore format: a table
export const callLosses: readonly CallLoss[] = [
  ...readLosses,
  { name: 'organization frozen', of: classes, kind: 'organization.frozen', lose: ({ admin, o }) => admin.freezeOrganization(o, { reason: 'A key leaked' }) },
  { name: 'calls off', of: classes, kind: 'integration.call_policy_changed', lose: ({ admin }, _, at) => admin.setIntegrationCallPolicy(at, { mode: 'off' }) },
  { name: 'fence narrowed', of: classes, kind: 'integration.call_policy_changed', lose: ({ admin }, _, at) => admin.setIntegrationCallPolicy(at, { mode: 'read', accounts: ['5555555555'] }) },
  { name: 'integration disabled', of: classes, kind: 'integration.disabled', lose: ({ admin }, _, at) => admin.disableIntegration(at) },
  { name: 'integration deleted', of: classes, kind: 'integration.deleted', lose: ({ admin }, _, at) => admin.deleteIntegration(at) },
  { name: 'client disconnected', of: classes, kind: 'integration.disconnected', lose: (tenant, _, at) => ended(tenant, at, 'client_disconnected') },
  { name: 'agreed day came', of: classes, kind: 'integration.access_ended', lose: (tenant, _, at) => ended(tenant, at, 'access_ended') },
  { name: 'access lost', of: classes, kind: 'integration.status_changed', lose: ({ world, organization }, _, { id }) => world.query(sql`
      update integrations set status = 'error', status_reason = 'grant_revoked' where organization_id = ${organization.id} and id = ${id}`) },
]

/** Somebody of an organization with a credential of this class: an admin, or a guest with a role in the workspace. */
export async function holderIn({ world, organization, workspace }: Tenant, kind: Class, assigned?: 'viewer' | 'member'): Promise<Holder> {
  const person = await world.join(organization, assigned ? 'guest' : 'admin')
  if (assigned) await world.assign(organization, workspace, person, assigned)
  if (kind === 'session') return { person, key: undefined, headers: person.headers }
  const level = kind.replace('Key', '') as 'user' | 'organization' | 'workspace'
  const role = level === 'user' ? {} : { role: assigned ?? ('admin' as const) }
  const key = await world.key(organization, { level, ...role, ...(level === 'workspace' && { workspace }), creator: person })
  return { person, key, headers: key.headers }
}
