import { randomUUID } from 'node:crypto'
import { effectiveRole, inheritedRole, type OrganizationRole, type WorkspaceRole } from '@adjoin/contract'
import { transact } from '../../audit/transact.ts'
import { type Call, type GuardedVerb, person } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { expiryIn, mintRefusal } from '../../domain/api-key.ts'
import { refuse } from '../../refusal.ts'
import { entryOf, type KeyRow, keysOf, toApiKey } from './key-row.ts'
import { lockMinting, mint } from './mint.ts'

/** User keys by anyone in the organization, for themselves; all others by admins of their scope. */
export const createApiKey: GuardedVerb<'createApiKey'> = {
  may: (call) => mayMint(call.parts.db.query, call, call.organization.role),
  run: (call) =>
    transact(call, async (query, record) => {
      const { user } = person(call)
      const { name, level, role = null, expiresInDays } = call.body
      const own = await lockMinting(query, call.organization.id, user.id)
      if (!own.role) return refuse('not_found')
      const workspace = await mayMint(query, call, own.role)

      const id = randomUUID()
      const minting = { caller: call.caller, organization: { id: call.organization.id, role: own.role } }
      const key = await mint(call.parts.db, query, minting, {
        id,
        name,
        level,
        role,
        workspaceId: workspace?.id ?? null,
        createdAt: own.now,
        expiresAt: expiryIn(expiresInDays, own.now),
      })
      const [row] = await query<KeyRow>(sql`${keysOf(call)} and k.id = ${id}`)
      const { metadata, ...entry } = entryOf(row!)
      record('api_key.created', { ...entry, metadata: { ...metadata, expiresAt: row!.expiresAt } })
      call.headers.location = `/v1/organizations/${call.organization.slug}/api-keys/${id}`
      return { ...toApiKey(row!), key }
    }),
}

/** The workspace that the key is for; null where it is for none. */
async function mayMint(query: RunQuery, call: Call<'createApiKey'>, own: OrganizationRole) {
  const { role, workspaceSlug } = call.body
  const workspace = workspaceSlug === undefined ? null : await visibleWorkspace(query, call, own, workspaceSlug)
  const refused = role && mintRefusal(workspace?.role ?? own, role)
  if (refused) refuse(refused, { detail: MINT_REFUSALS[refused](workspace ? 'workspace' : 'organization') })
  return workspace
}

const MINT_REFUSALS = {
  above_own_role: (place: string) =>
    `You can’t create a key with a higher role than your own in the ${place}. Choose a lower role, or ask an admin.`,
  role_too_low: (place: string) =>
    `Only ${place} admins can create keys for it. Create a user key, which has the access you have, or ask an admin.`,
}

async function visibleWorkspace(query: RunQuery, { organization, caller }: Call<'createApiKey'>, role: OrganizationRole, slug: string) {
  const [row] = await query<{ id: string; assigned: WorkspaceRole | null }>(sql`
    select w.id, a.role as assigned from workspaces w
    left join workspace_members a on a.organization_id = w.organization_id and a.workspace_id = w.id and a.user_id = ${caller.user.id}
    where w.organization_id = ${organization.id} and w.slug = ${slug}`)
  const there = row && effectiveRole(inheritedRole(role), row.assigned)
  return there ? { id: row.id, role: there } : refuse('not_found')
}
