// The limit: a process with nothing but node:http and `pg`.
// It runs the statements of the service and answers what the service answers,
// and has none of the rest (validation, limits, roles, security headers, request ids, metrics, logs).
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type pg from 'pg'
import { findProvider } from '../api/src/providers/index.ts'

/** Waits for its task from the parent, then serves it and says where. */
export function serveBare<Task>(work: (task: Task) => (request: IncomingMessage) => Promise<string>): void {
  process.once('message', (task: Task) => {
    const answer = work(task)
    const server = createServer(async (request, response) => {
      try {
        const body = await answer(request)
        response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) }).end(body)
      } catch (error) {
        response.writeHead(500).end(String(error))
      }
    })
    server.listen(0, '127.0.0.1', () => process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })
  process.on('disconnect', () => process.exit())
}

/**
 * What the statement that identifies a caller asks for:
 * the organization, the workspace, the key or bearer token.
 */
export function askedBy(request: IncomingMessage): unknown[] {
  const [, , , orgSlug, , workspaceSlug] = request.url!.split('/')
  const { 'x-api-key': key, authorization } = request.headers
  const secret = String(key ?? authorization?.slice('Bearer '.length))
  return [orgSlug, workspaceSlug, createHash('sha256').update(secret).digest()]
}

/** An integration without a link, as the service words it. */
export function shape(row: pg.QueryResultRow) {
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
    statusReason: row.status_reason,
    mustAct: null,
    statusCheckedAt: row.status_checked_at,
    lastError: row.last_error,
    lastErrorAt: row.last_error_at,
    settings: row.settings,
    connectedAt: row.connected_at,
    connectedAccount: row.connected_account,
    expectedAccount: row.expected_account,
    returnUrl: row.return_url,
    accessUntil: row.access_until,
    callPolicy: { mode: row.call_mode, accounts: row.call_accounts },
    connectLink: null,
    owner: null,
    createdByEmail: row.created_by_email,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
