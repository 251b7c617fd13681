import type { Verbs } from '../call.ts'
import { account } from './account/index.ts'
import { apiKeys } from './api-keys/index.ts'
import { audit } from './audit/index.ts'
import { auth } from './auth/index.ts'
import { connect } from './connect/index.ts'
import { connectRequests } from './connect-requests/index.ts'
import { gateway } from './gateway/index.ts'
import { infra } from './infra/index.ts'
import { integrations } from './integrations/index.ts'
import { organizations } from './organizations/index.ts'
import { overview } from './overview/index.ts'
import { webhooks } from './webhooks/index.ts'
import { workspaces } from './workspaces/index.ts'

/** THE VERBS: operation id → verb. The compiler refuses a table with a missing row. */
export const verbs = (...infrastructure: Parameters<typeof infra>): Verbs => ({
  ...account,
  ...auth,
  ...organizations,
  ...workspaces,
  ...apiKeys,
  ...audit,
  ...webhooks,
  ...integrations,
  ...gateway,
  ...overview,
  ...connectRequests,
  ...connect,
  ...infra(...infrastructure),
})
