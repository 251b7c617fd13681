import { disableApiKey, enableApiKey, revokeApiKey, updateApiKey } from './change.ts'
import { createApiKey } from './create.ts'
import { getApiKey, getCurrentApiKey, listApiKeys } from './read.ts'
import { rotateApiKey } from './rotate.ts'
import { getApiKeyUsage } from './tool-usage.ts'

export const apiKeys = {
  getCurrentApiKey,
  listApiKeys,
  createApiKey,
  getApiKey,
  getApiKeyUsage,
  updateApiKey,
  revokeApiKey,
  disableApiKey,
  enableApiKey,
  rotateApiKey,
}
