import { listIntegrationAccounts, refreshIntegrationAccounts } from './accounts.ts'
import { getIntegrationUsage, listIntegrationCalls } from './calls.ts'
import { proxies } from './proxy.ts'
import { setIntegrationCallPolicy } from './set-call-policy.ts'

export const gateway = {
  setIntegrationCallPolicy,
  ...proxies,
  listIntegrationAccounts,
  refreshIntegrationAccounts,
  listIntegrationCalls,
  getIntegrationUsage,
}
