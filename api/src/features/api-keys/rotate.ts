import { randomUUID } from 'node:crypto'
import { atLeast, effectiveRole, inheritedRole, type OrganizationRole, type WorkspaceRole } from '@adjoin/contract'
import { refuseUnusable } from '../../access/authorize.ts'
import { transact } from '../../audit/transact.ts'
import type { Call, GuardedVerb } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { type KeyState, keyStatus, replacementExpiry, retirement, rotationRefusal } from '../../domain/api-key.ts'
import { refuse } from '../../refusal.ts'
import { entryOf, type KeyRow, keysOf, managedKey, mayManage, reachedKey, toApiKey } from './key-row.ts'
import { lockMinting, mint } from './mint.ts'

type Rotate = Call<'rotateApiKey'>

/**
 * A replacement of the same name and scope, and the old key retired, in one step:
 * of many at once one wins. The caller, or the calling key's creator, becomes the owner.
 */
export const rotateApiKey: GuardedVerb<'rotateApiKey'> = {
  may: async (call) => {
    await mayManage(call)
    refuseTakeover(call)
  },
  run: (call) =>
    transact(call, async (query, record) => {
      const { caller, body } = call
      // Looked at once without the locks, so that a hundred late ones
      // do not queue for them, and once with them, so that one wins.
      refuseRetired(await reachedKey(query, call))
      const owner = await lockMinting(query, call.organization.id, caller.user.id)
      const request = { ...call, organization: { ...call.organization, role: await currentRole(query, call, owner.role) } }
      const old = await managedKey(query, request)
      refuseTakeover(call, owner.role === 'admin')
      if (old.level === 'workspace') await refuseAboveOwnRole(query, call, owner.role, old)
      refuseRetired(old)

      const id = randomUUID()
      const end = retirement(old, body.graceHours, owner.now)
      await query(sql`update api_keys set replaced_by = ${id}, replaced_at = ${owner.now}, expires_at = ${end.expiresAt}, revoked_at = ${end.revokedAt}
      where organization_id = ${call.organization.id} and id = ${old.id}`)
      const replaced = { old, grace: body.graceHours > 0 }
      const key = await mint(
        call.parts.db,
        query,
        { ...request, replaced },
        {
          ...old,
          id,
          createdAt: owner.now,
          expiresAt: replacementExpiry(old, { days: body.expiresInDays, throughKey: caller.class !== 'session' }, owner.now),
        },
      )
      const [row] = await query<KeyRow>(sql`${keysOf(call)} and k.id = ${id}`)
      record('api_key.rotated', rotation(old, { ...old, ...end }, row!, body.graceHours))
      call.headers.location = `/v1/organizations/${call.organization.slug}/api-keys/${id}`
      return { ...toApiKey(row!), key }
    }),
}

/**
 * A key renews itself, whoever made it; other keys it would
 * bring into the hands of someone who may no longer hold them.
 */
function refuseTakeover({ caller, params }: Rotate, creatorIsAdmin = caller.class === 'session' || caller.key.creatorIsAdmin): void {
  if (caller.class === 'organizationKey' && !creatorIsAdmin && caller.key.id !== params.id) refuse('creator_gone')
}

function refuseRetired(key: KeyRow): void {
  const refused = rotationRefusal(key)
  if (refused) refuse(refused)
}

/** The caller's role under the locks. A key switched off a moment ago must not leave a successor. */
async function currentRole(
  query: RunQuery,
  { id, caller, params, organization }: Rotate,
  member: OrganizationRole | null,
): Promise<OrganizationRole> {
  if (caller.class === 'session') return member ?? refuse('not_found')
  if (caller.key.id !== params.id) {
    const [own] = await query<Omit<KeyState, 'createdAt' | 'replacedAt'> & { now: Date }>(sql`
      select now() as now, expires_at as "expiresAt", disabled_at as "disabledAt", revoked_at as "revokedAt" from api_keys
      where organization_id = ${organization.id} and id = ${caller.key.id} for share`)
    const status = own ? keyStatus(own, own.now) : 'revoked'
    if (status !== 'active') refuseUnusable(id, { unusable: status })
  }
  if (caller.class === 'userKey') return member ?? refuseUnusable(id, { unusable: 'ended_with_creator' })
  return organization.role
}

/** A workspace key is never worth more than its owner's role there: no such replacement is minted. */
async function refuseAboveOwnRole(
  query: RunQuery,
  { caller, organization }: Rotate,
  member: OrganizationRole | null,
  old: KeyRow,
): Promise<void> {
  const [assigned] = await query<{ role: WorkspaceRole }>(sql`select role from workspace_members
    where organization_id = ${organization.id} and workspace_id = ${old.workspaceId} and user_id = ${caller.user.id}`)
  const own = member && effectiveRole(inheritedRole(member), assigned?.role ?? null)
  if (own && atLeast(own, old.role!)) return
  const detail = `The new key would belong to ${caller.user.email}, whose role in this workspace is lower than ${old.role}. Let an admin of the workspace rotate it.`
  refuse('above_own_role', { detail })
}

function rotation(old: KeyRow, retired: KeyRow, replacement: KeyRow, graceHours: number) {
  const { metadata, ...entry } = entryOf(old)
  const { id, creatorEmail, expiresAt } = replacement
  const changes = [
    { field: 'status', from: keyStatus(old, old.now), to: keyStatus(retired, old.now) },
    { field: 'expiresAt', from: old.expiresAt, to: retired.expiresAt },
  ]
  return {
    ...entry,
    changes: changes.filter(({ from, to }) => from !== to),
    metadata: { ...metadata, graceHours, replacement: { id, prefix: replacement.prefix, creatorEmail, expiresAt } },
  }
}
