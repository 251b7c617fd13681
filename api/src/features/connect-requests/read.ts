import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { itemsOf, type RequestRow, readRequest, requestRows, statusOf, toRequest } from './request-row.ts'

/** Newest first, whole. */
export const listConnectRequests: Handler<'listConnectRequests'> = async (call) => {
  const { parts, organization, workspace } = call
  const rows = await parts.db.query<RequestRow>(
    sql`${requestRows(sql`r.organization_id = ${organization.id} and r.workspace_id = ${workspace.id}`)} order by r.created_at desc, r.id`,
  )
  const items = Map.groupBy(
    await itemsOf(
      parts.db.query,
      organization.id,
      rows.map(({ id }) => id),
    ),
    (item) => item.request_id,
  )
  const wanted = rows.filter((row) => !call.query.status || statusOf(row, items.get(row.id) ?? []) === call.query.status)
  return { connectRequests: wanted.map((row) => toRequest(parts, call, row, items.get(row.id) ?? [])) }
}

export const getConnectRequest: Handler<'getConnectRequest'> = (call) => readRequest(call, call.parts.db.query)
