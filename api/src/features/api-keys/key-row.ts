import type { Answer, KeyLevel, WorkspaceRole } from '@adjoin/contract'
import type { NewEntry } from '../../audit/transact.ts'
import type { Caller, OrganizationScope } from '../../call.ts'
import { NOBODY } from '../../db/directory.ts'
import { type Fragment, type RunQuery, sql } from '../../db/sql.ts'
import { KEY_PREFIX, type KeyReader, type KeyState, keyStatus, type Reach, reach } from '../../domain/api-key.ts'
import { refuse } from '../../refusal.ts'
import { momentOf } from '../cursor.ts'

export interface KeyRow extends KeyState {
  readonly now: Date
  readonly id: string
  readonly name: string
  readonly prefix: string | null
  readonly level: KeyLevel
  readonly role: WorkspaceRole | null
  readonly creatorId: string
  readonly creatorEmail: string
  readonly workspaceId: string | null
  readonly workspaceSlug: string | null
  readonly workspaceName: string | null
  /** The asking person's assignment in the key's workspace. */
  readonly assignedRole: WorkspaceRole | null
  readonly lastRequestAt: Date | null
  readonly lastRequestIp: string | null
  readonly replacedBy: string | null
  /** When it was created, for cursors. */
  readonly moment: string
}

/** Who asks: what the rules need to know of a caller. */
interface KeyRequest {
  readonly caller: Caller
  readonly organization: Pick<OrganizationScope, 'id' | 'role'>
}

/** A user key asks as its creator; any other key has no person's assignments and owns no user keys. */
const personOf = ({ caller }: KeyRequest): string | null =>
  caller.class === 'session' || caller.class === 'userKey' ? caller.user.id : null

const keyIdOf = ({ caller }: KeyRequest): string | null => (caller.class === 'session' ? null : caller.key.id)

const keyReaderOf = (request: KeyRequest, row: KeyRow): KeyReader => ({
  personId: personOf(request),
  keyId: keyIdOf(request),
  organizationRole: request.organization.role,
  assignedRole: row.assignedRole,
})

export const reachOf = (request: KeyRequest, row: KeyRow): Reach => reach(row, keyReaderOf(request, row))

export const selectKeys = (organizationId: string, personId: string | null) => sql`
  select now() as now, k.id, k.name, k.prefix, k.level, k.role, k.creator_id as "creatorId", u.email as "creatorEmail",
    k.workspace_id as "workspaceId", w.slug as "workspaceSlug", w.name as "workspaceName", a.role as "assignedRole",
    k.created_at as "createdAt", k.expires_at as "expiresAt", k.disabled_at as "disabledAt", k.revoked_at as "revokedAt",
    k.replaced_at as "replacedAt", k.replaced_by as "replacedBy", k.last_request_at as "lastRequestAt", k.last_request_ip as "lastRequestIp",
    ${momentOf(sql`k.created_at`)}::text as moment
  from api_keys k
  join users u on u.id = k.creator_id
  left join workspaces w on w.organization_id = k.organization_id and w.id = k.workspace_id
  left join workspace_members a on a.organization_id = k.organization_id and a.workspace_id = k.workspace_id and a.user_id = ${personId ?? NOBODY}
  where k.organization_id = ${organizationId}`

/** Leaves out most of what `reachOf` would: lists are not filled with what their reader cannot see. */
export const isWithinReach = (request: KeyRequest): Fragment =>
  request.organization.role === 'admin'
    ? sql`true`
    : sql`(k.creator_id = ${personOf(request)} or a.role = 'admin' or k.id = ${keyIdOf(request)})`

export const keysOf = (request: KeyRequest) => selectKeys(request.organization.id, personOf(request))

/** The key that the path names, if the caller reaches it. With a lock, decisions about it wait their turn. */
export async function reachedKey(query: RunQuery, request: KeyRequest & { params: { id: string } }, lock = sql``): Promise<KeyRow> {
  const [row] = await query<KeyRow>(sql`${keysOf(request)} and k.id = ${request.params.id} ${lock}`)
  return row && reachOf(request, row) ? row : refuse('not_found')
}

export const lockedKey = (query: RunQuery, request: KeyRequest & { params: { id: string } }): Promise<KeyRow> =>
  reachedKey(query, request, sql`for update of k`)

/** As `lockedKey`, or without its lock, for what only those who manage the key may do. */
export async function managedKey(query: RunQuery, request: KeyRequest & { params: { id: string } }, read = lockedKey): Promise<KeyRow> {
  const row = await read(query, request)
  if (reachOf(request, row) === 'revoke')
    refuse('role_too_low', { detail: 'A user key belongs to the person who created it. Admins can only revoke it.' })
  return row
}

/** For `may`: as `managedKey` and `reachedKey`, without a lock and outside of a transaction. */
export const mayManage = (call: OwnKeyCall) => managedKey(call.parts.db.query, call, reachedKey)
export const mayReach = (call: OwnKeyCall) => reachedKey(call.parts.db.query, call)
type OwnKeyCall = KeyRequest & { params: { id: string }; parts: { db: { query: RunQuery } } }

export const toApiKey = (row: KeyRow): Answer<'getApiKey'> => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix ?? KEY_PREFIX,
  level: row.level,
  role: row.role,
  ...(row.workspaceSlug !== null && { workspace: row.workspaceName!, workspaceSlug: row.workspaceSlug }),
  creatorEmail: row.creatorEmail,
  status: keyStatus(row, row.now),
  createdAt: row.createdAt,
  expiresAt: row.expiresAt,
  ...(row.lastRequestAt && { lastRequest: row.lastRequestAt }),
  ...(row.replacedAt && { replacedAt: row.replacedAt }),
  ...(row.replacedBy && { replacedBy: row.replacedBy }),
})

/** How an audit entry names a key. The prefix is what people see of it anyway. */
export const entryOf = (row: Omit<KeyRow, 'now'>): Pick<NewEntry, 'target' | 'workspace'> & { metadata: Record<string, unknown> } => ({
  target: { type: 'apiKey', id: row.id, name: row.name },
  workspace: row.workspaceSlug === null ? null : { id: row.workspaceId!, slug: row.workspaceSlug, name: row.workspaceName! },
  metadata: { prefix: row.prefix ?? KEY_PREFIX, level: row.level, role: row.role, creatorEmail: row.creatorEmail },
})
