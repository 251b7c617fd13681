import { transact } from '../../audit/transact.ts'
import type { Handler, Parts } from '../../call.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'
import { newToken } from '../../vault/tokens.ts'
import { connectUrl, findIntegration, integrationRef, linkBinding, readIntegration } from './integration-row.ts'
import { aboutIntegration } from './snapshot.ts'

/** At most one link lives: a new one takes its place, and with that the old one is gone on every replica. */
export function newLink(parts: Parts, organizationId: string, id: string, expiresInDays: number): { url: string; insert: Fragment } {
  const token = newToken()
  const insert = sql`insert into connect_links (organization_id, integration_id, token_hash, token_sealed, expires_at)
    values (${organizationId}, ${id}, ${parts.secrets.lookup('connect-link', token)}, ${parts.vault.seal(token, linkBinding(organizationId, id))},
      now() + make_interval(days => ${expiresInDays}))
    on conflict (organization_id, integration_id) do update set token_hash = excluded.token_hash, token_sealed = excluded.token_sealed,
      created_at = now(), expires_at = excluded.expires_at, started_at = null, expired_noted_at = null
    returning token_sealed, expires_at`
  return { url: connectUrl(parts, token), insert }
}

export const issueConnectLink: Handler<'issueConnectLink'> = (call) =>
  transact(call, async (query, record) => {
    const { parts, organization, workspace, body } = call
    const at = integrationRef(call)
    const row = (await findIntegration(query, at, 'lock')) ?? refuse('not_found')
    if (row.status === 'disabled') refuse('integration_disabled')
    const { url, insert } = newLink(parts, organization.id, row.id, body.expiresInDays)
    await query(insert)
    record('connect_link.issued', {
      ...aboutIntegration(row, { linkLives: true }),
      metadata: { expiresInDays: body.expiresInDays, replaced: row.link_sealed !== null },
    })
    call.headers.location = `/v1/organizations/${organization.slug}/workspaces/${workspace.slug}/integrations/${row.id}`
    return { ...(await readIntegration(parts, query, at)), connectUrl: url }
  })

export const revokeConnectLink: Handler<'revokeConnectLink'> = (call) =>
  transact(call, async (query, record) => {
    const at = integrationRef(call)
    const row = (await findIntegration(query, at, 'lock')) ?? refuse('not_found')
    const gone = await query(
      sql`delete from connect_links where organization_id = ${row.organization_id} and integration_id = ${row.id} returning integration_id`,
    )
    if (!gone.length) refuse('not_found')
    record('connect_link.revoked', aboutIntegration(row, { linkLives: false }))
    return undefined
  })
