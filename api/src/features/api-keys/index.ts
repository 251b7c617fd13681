import { disableApiKey, enableApiKey, revokeApiKey, updateApiKey } from './change.ts'
import { createApiKey } from './create.ts'
import { getApiKey, getCurrentApiKey, listApiKeys } from './read.ts'
import { rotateApiKey } from './rotate.ts'

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
