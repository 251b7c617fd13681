import { transact } from '../../audit/transact.ts'
import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { keyStatus } from '../../domain/api-key.ts'
import { refuse } from '../../refusal.ts'
import { entryOf, type KeyRow, lockedKey, managedKey, toApiKey } from './key-row.ts'

const isKey = (row: KeyRow, organization: { id: string }) => sql`organization_id = ${organization.id} and id = ${row.id}`

export const updateApiKey: Handler<'updateApiKey'> = (call) =>
  transact(call, async (query, record) => {
    const row = await managedKey(query, call)
    const { name } = call.body
    if (name === row.name) return toApiKey(row)
    await query(sql`update api_keys set name = ${name} where ${isKey(row, call.organization)}`)
    const renamed = { ...row, name }
    record('api_key.updated', { ...entryOf(renamed), changes: [{ field: 'name', from: row.name, to: name }] })
    return toApiKey(renamed)
  })

/** Disabled again or enabled again: the same answer, and nothing to record. */
export const disableApiKey: Handler<'disableApiKey'> = (call) =>
  transact(call, async (query, record) => {
    const row = await managedKey(query, call)
    if (row.revokedAt) refuse('key_revoked')
    if (row.disabledAt) return toApiKey(row)
    await query(sql`update api_keys set disabled_at = now() where ${isKey(row, call.organization)}`)
    const disabled = { ...row, disabledAt: row.now }
    record('api_key.disabled', { ...entryOf(row), changes: [statusChange(row, disabled)] })
    return toApiKey(disabled)
  })

export const enableApiKey: Handler<'enableApiKey'> = (call) =>
  transact(call, async (query, record) => {
    const row = await managedKey(query, call)
    if (row.revokedAt) refuse('key_revoked')
    if (!row.disabledAt) return toApiKey(row)
    await query(sql`update api_keys set disabled_at = null where ${isKey(row, call.organization)}`)
    const enabled = { ...row, disabledAt: null }
    record('api_key.enabled', { ...entryOf(row), changes: [statusChange(row, enabled)] })
    return toApiKey(enabled)
  })

/** Revoked again: it is so already, and nothing to record. */
export const revokeApiKey: Handler<'revokeApiKey'> = (call) =>
  transact(call, async (query, record) => {
    const row = await lockedKey(query, call)
    if (row.revokedAt) return undefined
    await query(sql`update api_keys set revoked_at = now() where ${isKey(row, call.organization)}`)
    record('api_key.revoked', { ...entryOf(row), changes: [statusChange(row, { ...row, revokedAt: row.now })] })
    return undefined
  })

const statusChange = (from: KeyRow, to: KeyRow) => ({ field: 'status', from: keyStatus(from, from.now), to: keyStatus(to, to.now) })
