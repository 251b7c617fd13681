import { transact } from '../../audit/transact.ts'
import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'
import { refuseUnconnectable } from './connectable.ts'
import { findIntegration, integrationRef, readIntegration } from './integration-row.ts'
import { newLink } from './new-link.ts'
import { aboutIntegration } from './snapshot.ts'

export const issueConnectLink: Handler<'issueConnectLink'> = (call) =>
  transact(call, async (query, record) => {
    const { parts, organization, workspace, body } = call
    const at = integrationRef(call)
    const row = (await findIntegration(query, at, 'lock')) ?? refuse('not_found')
    if (row.status === 'disabled') refuse('integration_disabled')
    refuseUnconnectable(parts, row.provider)
    const { url, insert } = await newLink(parts, query, { organizationId: organization.id, id: row.id }, body.expiresInDays)
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
