// Who calls, and what of the named organization and workspace they can see: one round trip, by unique index, never cached.
// Distributed over several servers it takes two: what is global tells the organization, and that one's server the rest.
import { effectiveRole, inheritedRole, lowerRole, type OrganizationRole, type WorkspaceRole } from '@adjoin/contract'
import type { Caller, KeyCaller, OrganizationScope, SessionCaller, WorkspaceScope } from '../call.ts'
import { organizationOf as homeOf, NOWHERE } from '../db/directory.ts'
import type { Database } from '../db/pool.ts'
import { type Fragment, type RunQuery, sql } from '../db/sql.ts'
import { KEY_PREFIX, keyStatus } from '../domain/api-key.ts'
import type { RequestCredential } from './credential.ts'
import { isLiveSession } from './session-life.ts'

export interface Identified {
  readonly caller: Caller
  readonly now: Date
  /** Null where the path names none, or none that this caller can see. */
  readonly organization: OrganizationScope | null
  readonly workspace: WorkspaceScope | null
  /** The version of the powers in that organization, if it was asked for. */
  readonly power: number | null
}

export interface PathScope {
  readonly orgSlug?: string | undefined
  readonly workspaceSlug?: string | undefined
  /**
   * With the version of the organization's powers:
   * for what is going to change something. Reads do not pay for it.
   */
  readonly withPower?: boolean | undefined
}

/** Why a well-formed credential does not work: its holder may know. */
export type Unusable = { readonly unusable: 'unknown' | 'ended' | 'expired' | 'revoked' | 'disabled' | 'ended_with_creator' }

type Usable = Extract<RequestCredential, { hash: Buffer }>

export const identify = (db: Database, credential: Usable, place: PathScope): Promise<Identified | Unusable> =>
  credential.kind === 'apiKey' ? identifyKey(db, credential.hash, place) : identifySession(db, credential, place)

interface ScopeRow {
  now: Date
  user_id: string
  email: string
  user_name: string
  organization_id: string | null
  organization_slug: string
  organization_name: string
  member_role: OrganizationRole | null
  workspace_id: string | null
  workspace_slug: string
  workspace_name: string
  assigned_role: WorkspaceRole | null
  power?: number | null
}

/** In the same statement as the roles, so of the same moment. */
const powerColumn = ({ withPower }: PathScope, organization: Fragment): Fragment =>
  withPower ? sql`, (select h.power from audit_heads h where h.organization_id = ${organization}) as power` : sql``

/**
 * The workspace `w` that the path names, and the caller's assignment `a` there.
 * Most paths name none, and do not pay for the joins.
 */
const workspaceJoin = ({ workspaceSlug }: PathScope, organization: Fragment, user: Fragment): { columns: Fragment; joins: Fragment } =>
  workspaceSlug === undefined
    ? { columns: sql`null as workspace_id, null as assigned_role`, joins: sql`` }
    : {
        columns: sql`w.id as workspace_id, w.slug as workspace_slug, w.name as workspace_name, a.role as assigned_role`,
        joins: sql`left join workspaces w on w.organization_id = ${organization} and w.slug = ${workspaceSlug}
    left join workspace_members a on a.organization_id = ${organization} and a.workspace_id = w.id and a.user_id = ${user}`,
      }

const organizationColumns = sql`o.id as organization_id, o.slug as organization_slug, o.name as organization_name`

interface SessionRow extends ScopeRow {
  session_id: string
  live: boolean
}

/** In one statement, or, where members may be on another server than sessions, in two: the same two whatever the first one finds. */
async function findSession(db: Database, hash: Buffer, place: PathScope): Promise<SessionRow | undefined> {
  const known = sql`select now() as now, s.id as session_id, ${isLiveSession} as live, u.id as user_id, u.email, u.name as user_name, ${organizationColumns}`
  const from = sql`from sessions s join users u on u.id = s.user_id left join organizations o on o.slug = ${place.orgSlug ?? null}`
  if (!db.sharded) {
    const there = workspaceJoin(place, sql`m.organization_id`, sql`s.user_id`)
    const [row] = await db.query<SessionRow>(sql`${known}, m.role as member_role, ${there.columns} ${powerColumn(place, sql`o.id`)} ${from}
    left join members m on m.organization_id = o.id and m.user_id = s.user_id ${there.joins} where s.token_hash = ${hash}`)
    return row
  }
  const [row] = await db.query<SessionRow>(sql`${known} ${from} where s.token_hash = ${hash}`)
  if (!row || place.orgSlug === undefined) return row && { ...row, member_role: null, workspace_id: null, assigned_role: null }
  const [organization, user] = [sql`${row.organization_id ?? NOWHERE}::uuid`, sql`${row.user_id}::uuid`]
  const there = workspaceJoin(place, organization, user)
  const [member] = await db.query<Pick<ScopeRow, 'member_role' | 'workspace_id' | 'assigned_role'>>(sql`
    select m.role as member_role, ${there.columns} ${powerColumn(place, organization)}
    from members m ${there.joins} where m.organization_id = ${organization} and m.user_id = ${user}`)
  return { ...row, ...(member ?? { member_role: null, workspace_id: null, assigned_role: null }) }
}

async function identifySession(
  db: Database,
  credential: Extract<Usable, { kind: 'session' }>,
  place: PathScope,
): Promise<Identified | Unusable> {
  const row = await findSession(db, credential.hash, place)
  if (!row) return { unusable: 'unknown' }
  if (!row.live) return { unusable: 'ended' }
  const caller: Caller = { class: 'session', via: credential.via, sessionId: row.session_id, user: personOf(row) }
  const organization = organizationOf(row, row.member_role)
  const workspace = organization && workspaceOf(row, effectiveRole(inheritedRole(organization.role), row.assigned_role))
  return { caller, now: row.now, organization, workspace, power: row.power ?? null }
}

/**
 * Holds the person's row until the commit, and then looks at the session: a sign-out that was
 * answered is seen, one under way waits, and knows of every membership that is made meanwhile.
 */
export async function holdSession(query: RunQuery, { user, sessionId }: SessionCaller): Promise<boolean> {
  await query(sql`select lock_person(${user.id})`)
  const [live] = await query(sql`select from sessions where id = ${sessionId} and ended_at is null`)
  return live !== undefined
}

interface KeyScopeRow extends ScopeRow {
  key_id: string
  key_name: string
  prefix: string | null
  level: 'user' | 'organization' | 'workspace'
  key_role: WorkspaceRole | null
  key_organization_id: string
  key_workspace_id: string | null
  /** The creator's assignment in a workspace key's own workspace. */
  creator_role_there: WorkspaceRole | null
  expires_at: Date | null
  disabled_at: Date | null
  revoked_at: Date | null
  replaced_at: Date | null
}

/** By its hash alone; or, where only a named organization leads to one server, in its `home`, as the directory says. */
function findKey(hash: Buffer, place: PathScope, home: string | undefined): Fragment {
  const organization = home === undefined ? sql`k.organization_id` : sql`${home}::uuid`
  const there = workspaceJoin(place, organization, sql`k.creator_id`)
  return sql`
    select now() as now, k.id as key_id, k.name as key_name, k.prefix, k.level, k.role as key_role,
      k.expires_at, k.disabled_at, k.revoked_at, k.replaced_at, k.organization_id as key_organization_id, k.workspace_id as key_workspace_id,
      u.id as user_id, u.email, u.name as user_name, ${organizationColumns}, m.role as member_role, ${there.columns},
      own.role as creator_role_there ${powerColumn(place, organization)}
    from api_keys k join users u on u.id = k.creator_id
    left join organizations o on o.id = ${organization} and o.slug = ${place.orgSlug ?? null}
    left join members m on m.organization_id = ${organization} and m.user_id = k.creator_id
    ${there.joins}
    left join workspace_members own on own.organization_id = ${organization} and own.workspace_id = k.workspace_id and own.user_id = k.creator_id
    where ${home === undefined ? sql`k.key_hash` : sql`k.organization_id = ${organization} and k.key_hash`} = ${hash}`
}

async function identifyKey(db: Database, hash: Buffer, place: PathScope): Promise<Identified | Unusable> {
  const home = db.sharded ? await homeOf(db, hash) : undefined
  const [row] = await db.query<KeyScopeRow>(findKey(hash, place, home))
  if (!row) return { unusable: 'unknown' }
  const status = keyStatus({ expiresAt: row.expires_at, disabledAt: row.disabled_at, revokedAt: row.revoked_at }, row.now)
  if (status !== 'active') return { unusable: status }
  const powers = powersOf(row)
  if (!powers) return { unusable: 'ended_with_creator' }

  const caller: KeyCaller = {
    class: `${row.level}Key`,
    via: 'apiKey',
    user: personOf(row),
    key: {
      id: row.key_id,
      name: row.key_name,
      prefix: row.prefix ?? KEY_PREFIX,
      role: row.key_role,
      organizationId: row.key_organization_id,
      workspaceId: row.key_workspace_id,
      expiresAt: row.expires_at,
      replacedAt: row.replaced_at,
      effectiveRole: powers.own,
      creatorIsAdmin: row.member_role === 'admin',
    },
  }
  const organization = organizationOf(row, powers.organization)
  const workspace = organization && workspaceOf(row, powers.workspace, powers.access)
  return { caller, now: row.now, organization, workspace, power: row.power ?? null }
}

interface Powers {
  /** In the key's own scope. */
  readonly own: OrganizationRole
  /** In the organization and the workspace that the path names. */
  readonly organization: OrganizationRole
  readonly workspace: WorkspaceRole | null
  /**
   * An organization key inherits as people do, a workspace key is assigned
   * to its one workspace; only a user key has its creator's assignments.
   */
  readonly access: WorkspaceScope['access']
}

/** What a key may do now. Null: it ended with its creator's membership or assignment. */
function powersOf(row: KeyScopeRow): Powers | null {
  if (row.level === 'organization') {
    const role = row.key_role! // outlives its creator
    return { own: role, organization: role, workspace: role, access: 'inherited' }
  }
  if (!row.member_role) return null
  const inherited = inheritedRole(row.member_role)
  if (row.level === 'user') {
    const role = row.member_role
    return { own: role, organization: role, workspace: effectiveRole(inherited, row.assigned_role), access: accessOf(row) }
  }
  const ceiling = effectiveRole(inherited, row.creator_role_there)
  if (!ceiling) return null
  const own = lowerRole(row.key_role!, ceiling)
  return { own, organization: 'guest', workspace: row.workspace_id === row.key_workspace_id ? own : null, access: 'assigned' }
}

const personOf = (row: ScopeRow) => ({ id: row.user_id, email: row.email, name: row.user_name })

const organizationOf = (row: ScopeRow, role: OrganizationRole | null): OrganizationScope | null =>
  row.organization_id && role ? { id: row.organization_id, slug: row.organization_slug, name: row.organization_name, role } : null

const accessOf = (row: ScopeRow): WorkspaceScope['access'] => (row.assigned_role ? 'assigned' : 'inherited')

const workspaceOf = (row: ScopeRow, role: WorkspaceRole | null, access = accessOf(row)): WorkspaceScope | null =>
  row.workspace_id && role ? { id: row.workspace_id, slug: row.workspace_slug, name: row.workspace_name, role, access } : null
