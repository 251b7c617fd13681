import type { Guards } from '../../call.ts'
import type { RunQuery } from '../../db/sql.ts'
import { disableApiKey, enableApiKey, revokeApiKey, updateApiKey } from './change.ts'
import { createApiKey, mayMint } from './create.ts'
import { managedKey, reachedKey } from './key-row.ts'
import { getApiKey, getCurrentApiKey, listApiKeys } from './read.ts'
import { refuseTakeover, rotateApiKey } from './rotate.ts'

export const apiKeys = {
  getCurrentApiKey,
  listApiKeys,
  createApiKey,
  getApiKey,
  updateApiKey,
  revokeApiKey,
  disableApiKey,
  enableApiKey,
  rotateApiKey,
}

type GuardCall = Parameters<typeof managedKey>[1] & { parts: { db: { query: RunQuery } } }
const managed = (call: GuardCall) => managedKey(call.parts.db.query, call, reachedKey)

export const guards: Guards = {
  createApiKey: (call) => mayMint(call.parts.db.query, call, call.organization.role),
  updateApiKey: managed,
  disableApiKey: managed,
  enableApiKey: managed,
  rotateApiKey: async (call) => {
    await managed(call)
    refuseTakeover(call)
  },
  revokeApiKey: (call) => reachedKey(call.parts.db.query, call),
}
