import { disableIntegration, enableIntegration, submitIntegrationCredentials, verifyIntegration } from './act.ts'
import { createIntegration, deleteIntegration, updateIntegration } from './change.ts'
import { issueConnectLink, revokeConnectLink } from './connect-link.ts'
import { getProvider, listProviders } from './providers.ts'
import { getIntegration, listIntegrationChecks, listIntegrations } from './read.ts'

export const integrations = {
  listProviders,
  getProvider,
  listIntegrations,
  getIntegration,
  listIntegrationChecks,
  createIntegration,
  updateIntegration,
  deleteIntegration,
  submitIntegrationCredentials,
  verifyIntegration,
  disableIntegration,
  enableIntegration,
  issueConnectLink,
  revokeConnectLink,
}
