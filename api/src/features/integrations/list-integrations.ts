import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { type ShownRow, shownIntegrations, toIntegration } from './integration-row.ts'

/** Oldest first, whole. */
export const listIntegrations: Handler<'listIntegrations'> = async ({ parts, organization, workspace, query }) => {
  const rows = await parts.db.query<ShownRow>(
    sql`${shownIntegrations(sql`i.organization_id = ${organization.id} and i.workspace_id = ${workspace.id}
      and (${query.status ?? null}::text is null or i.status = ${query.status ?? null})
      and (${query.provider ?? null}::text is null or i.provider = ${query.provider ?? null})`)} order by i.created_at, i.id`,
  )
  return { integrations: rows.map((row) => toIntegration(parts, row)) }
}
