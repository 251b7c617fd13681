import { type RunQuery, sql } from '../../db/sql.ts'

/** Earlier failures say nothing about what follows. */
export const fresh = sql`tries = 0, refusals = 0, set_aside = 0, failing_since = null, warned_at = null, due_at = now()`

/** A freeze and its end change what is sent next: it is tried now, and on its own account. */
export const startOver = (query: RunQuery, organizationId: string): Promise<unknown> =>
  query(sql`update webhooks set ${fresh} where organization_id = ${organizationId} and status <> 'disabled'`)
