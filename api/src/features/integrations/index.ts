import { issueConnectLink, revokeConnectLink } from './connect-link.ts'
import { createIntegration } from './create-integration.ts'
import { deleteIntegration } from './delete-integration.ts'
import { disableIntegration } from './disable-integration.ts'
import { enableIntegration } from './enable-integration.ts'
import { getProvider, listProviders } from './providers.ts'
import { getIntegration, listIntegrationChecks, listIntegrations } from './read.ts'
import { submitIntegrationCredentials } from './submit-credentials.ts'
import { updateIntegration } from './update-integration.ts'
import { verifyIntegration } from './verify-integration.ts'

export const integrations = {
  listProviders,
  getProvider,
  listIntegrations,
  createIntegration,
  getIntegration,
  updateIntegration,
  deleteIntegration,
  submitIntegrationCredentials,
  verifyIntegration,
  disableIntegration,
  enableIntegration,
  issueConnectLink,
  revokeConnectLink,
  listIntegrationChecks,
}
