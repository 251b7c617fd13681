import { transact } from '../../audit/transact.ts'
import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { linkAskedForMail } from '../../mail/messages.ts'
import { findProvider } from '../../providers/index.ts'
import { refuse } from '../../refusal.ts'
import { findIntegration } from '../integrations/integration-row.ts'
import { recipientsOf } from '../integrations/recipients.ts'
import { aboutIntegration } from '../integrations/snapshot.ts'
import { queueMail } from '../mails/queue-mail.ts'
import { findLink, refuseLink } from './find-link.ts'
import { auditContextOf, client } from './note-start.ts'
import { findPublicRequest } from './public-request.ts'

/** Behind an expired link. It tells the people who look after the integration, and the client nothing that they did not know. */
export const askForNewConnectLink: Handler<'askForNewConnectLink'> = async (call) => {
  const { id, parts, params, origin } = call
  const link = await findLink(parts, params.token)
  if (!link.expired) refuse('link_live')
  await transact(auditContextOf(call, link), async (query, record) => {
    const row = (await findIntegration(query, { organizationId: link.organization_id, id: link.integration_id }, 'lock')) ?? refuseLink()
    Object.assign(call.headers, await parts.limitDone(query, id, { ip: origin.ip, params }))
    for (const { id: userId, email, alone, organization, workspace, workspace_name } of await recipientsOf(query, row)) {
      const page = `${parts.config.publicUrl}/organizations/${organization}/workspaces/${workspace}/integrations/${row.id}`
      const what = { what: row.name, system: findProvider(row.provider)?.name ?? row.provider, workspace: workspace_name, link: page }
      const reader = { power: 'workspace', organizationId: row.organization_id, userId, of: 'integration', id: row.id, alone } as const
      const mail = { to: email, mail: linkAskedForMail(what), reader }
      await queueMail(parts, query, 'linkAskedForMail', mail, { organizationId: row.organization_id })
    }
    record('connect_link.asked_for', { actor: client, ...aboutIntegration(row) })
  })
  return undefined
}

/** The same for a request: its creator, or the workspace's admins once they have left. */
export const askForNewRequestLink: Handler<'askForNewRequestLink'> = async (call) => {
  const { id, parts, params, origin } = call
  const { row, state } = await findPublicRequest(parts, params.token)
  if (state !== 'expired') refuse('link_live')
  const workspace = { id: row.workspace_id, slug: row.workspace_slug, name: row.workspace_name }
  await transact({ parts, origin, organization: { id: row.organization_id }, workspace, via: 'connect' }, async (query, record) => {
    await query(sql`select from connect_requests where organization_id = ${row.organization_id} and id = ${row.id} for update`)
    Object.assign(call.headers, await parts.limitDone(query, id, { ip: origin.ip, params }))
    const place = { organization_id: row.organization_id, workspace_id: row.workspace_id, created_by: row.created_by, owner_id: null }
    for (const { id: userId, email, alone, organization } of await recipientsOf(query, place)) {
      const page = `${parts.config.publicUrl}/organizations/${organization}/workspaces/${workspace.slug}/connect-requests/${row.id}`
      const mail = linkAskedForMail({ what: row.title, system: null, workspace: workspace.name, link: page })
      const reader = { power: 'workspace', organizationId: row.organization_id, userId, of: 'request', id: row.id, alone } as const
      await queueMail(parts, query, 'linkAskedForMail', { to: email, mail, reader }, { organizationId: row.organization_id })
    }
    record('connect_link.asked_for', { actor: client, target: { type: 'connect_request', id: row.id, name: row.title } })
  })
  return undefined
}
