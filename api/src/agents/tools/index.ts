// THE TOOLS, in the order in which an agent meets them.
import type { Tool } from '../tool.ts'
import { describeAdApi } from './describe-ad-api.ts'
import { findIntegrations } from './find-integrations.ts'
import { integrationHealth } from './integration-health.ts'
import { listAccounts } from './list-accounts.ts'
import { readAdSystem } from './read-ad-system.ts'
import { searchAuditTrail } from './search-audit-trail.ts'

export const tools: readonly Tool[] = [findIntegrations, integrationHealth, listAccounts, describeAdApi, readAdSystem, searchAuditTrail]
