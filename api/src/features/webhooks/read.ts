import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { pageOf, readCursor, writeCursor } from '../cursor.ts'
import { type DeliveryRow, deliveryColumns, toDelivery } from './delivery-row.ts'
import { findWebhook, selectWebhooks, toWebhook, type WebhookRow } from './webhook-row.ts'

export const listWebhooks: Handler<'listWebhooks'> = async ({ parts, organization }) => {
  const rows = await parts.db.query<WebhookRow>(sql`${selectWebhooks(organization.id)} order by h.created_at, h.id`)
  return { webhooks: rows.map(toWebhook) }
}

export const getWebhook: Handler<'getWebhook'> = async ({ parts, organization, params }) =>
  toWebhook(await findWebhook(parts.db.query, organization.id, params.id))

export const listWebhookDeliveries: Handler<'listWebhookDeliveries'> = async ({ parts, organization, params, query: asked }) => {
  const { id } = await findWebhook(parts.db.query, organization.id, params.id)
  const list = `deliveries|${organization.id}|${id}|${asked.outcome ?? ''}`
  const after = readCursor(parts.secrets, list, asked.cursor)
  const here = sql`organization_id = ${organization.id} and webhook_id = ${id}`
  const older = after ? sql`and (at, id) < (select at, id from webhook_deliveries where ${here} and id = ${after})` : sql``
  const rows = await parts.db.query<DeliveryRow>(sql`select ${deliveryColumns} from webhook_deliveries
    where ${here} ${asked.outcome ? sql`and outcome = ${asked.outcome}` : sql``} ${older} order by at desc, id desc limit ${asked.limit + 1}`)
  const { page, nextCursor } = pageOf(rows, asked.limit, ({ id }) => writeCursor(parts.secrets, list, id))
  return { deliveries: page.map(toDelivery), nextCursor }
}
