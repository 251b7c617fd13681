import { getIntegrationUsage, listIntegrationCalls } from './calls.ts'
import { proxies } from './proxy.ts'
import { setIntegrationCallPolicy } from './set-call-policy.ts'

export const gateway = { setIntegrationCallPolicy, ...proxies, listIntegrationCalls, getIntegrationUsage }
