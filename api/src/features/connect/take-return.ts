import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { isComplete } from '../../domain/connect-request.ts'
import { withOutcome } from '../../domain/integration.ts'
import { itemsOf, stateOfItem } from '../connect-requests/request-row.ts'
import { readResult } from './result.ts'

/**
 * The agency's page, once everything is done, for the browser in which access was given: who only holds the link is sent nowhere.
 * One statement hands it out, so that of many that ask one gets it.
 */
export const takeConnectReturn: Handler<'takeConnectReturn'> = async ({ parts, params }) => {
  const { row, request, outcome } = await readResult(parts, params.result)
  const nothing = { returnUrl: null }
  if (outcome !== 'connected' || !request?.once) return nothing
  const { query } = parts.db
  const items = (await itemsOf(query, row.organization_id, [request.requestId])).map(stateOfItem)
  if (!isComplete(items) || !items.some(({ connectedAt }) => connectedAt)) return nothing
  const [live] = await query<{ return_url: string | null }>(sql`select r.return_url from connect_requests r
    join organizations o on o.id = r.organization_id and o.frozen_at is null
    where r.organization_id = ${row.organization_id} and r.id = ${request.requestId} and r.token_hash is not null and r.expires_at > now()`)
  if (!live?.return_url) return nothing
  const [spent] = await query<{ live: boolean }>(
    sql`delete from connect_visits where id = ${request.once} returning expires_at > now() as live`,
  )
  return { returnUrl: spent?.live ? withOutcome(live.return_url, 'connected', request.requestId, 'requestId') : null }
}
