// The limit: what `listIntegrations` costs with nothing but node:http and `pg`. The same statements, the same bytes in the answer,
// and none of the rest (validation, limits, roles, security headers, request ids, metrics, logs).
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { findProvider } from '../api/src/providers/index.ts'

export interface BareList {
  readonly connection: pg.ClientConfig
  readonly max: number
  /** The texts as the service sends them. */
  readonly identify: string
  readonly list: string
}

process.once('message', ({ connection, max, identify, list }: BareList) => {
  const pool = new pg.Pool({ ...connection, max })
  const server = createServer(async (request, response) => {
    try {
      const [, , , orgSlug, , workspaceSlug] = request.url!.split('/')
      const hash = createHash('sha256').update(String(request.headers['x-api-key'])).digest()
      const { rows: found } = await pool.query({ name: 'identify', text: identify, values: [orgSlug, workspaceSlug, hash] })
      const { organization_id, workspace_id } = found[0]
      const values = [organization_id, workspace_id, null, null, null, null]
      const { rows } = await pool.query({ name: 'list', text: list, values })
      const body = JSON.stringify({ integrations: rows.map(shape) })
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) }).end(body)
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  server.listen(0, '127.0.0.1', () => process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
})
process.on('disconnect', () => process.exit())

function shape(row: pg.QueryResultRow) {
  const provider = findProvider(row.provider)!
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    provider: row.provider,
    providerName: provider.name,
    category: provider.category,
    authMethod: provider.authMethod,
    name: row.name,
    status: row.status,
    statusDetail: row.status_detail,
    statusCheckedAt: row.status_checked_at,
    lastError: row.last_error,
    lastErrorAt: row.last_error_at,
    settings: row.settings,
    connectedAt: row.connected_at,
    connectedAccount: row.connected_account,
    expectedAccount: row.expected_account,
    returnUrl: row.return_url,
    connectLink: null,
    createdByEmail: row.created_by_email,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
