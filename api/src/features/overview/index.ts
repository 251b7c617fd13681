import { bulkIntegrations } from './bulk-integrations.ts'
import { listOrganizationIntegrations } from './list-organization-integrations.ts'
import { getOrganizationHealth } from './organization-health.ts'
import { getWorkspaceHealth } from './workspace-health.ts'

export const overview = { listOrganizationIntegrations, bulkIntegrations, getOrganizationHealth, getWorkspaceHealth }
