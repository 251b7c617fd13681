import type { Parts } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { mustAct, type State } from '../../domain/integration.ts'
import { integrationConnectedMail, integrationErrorMail } from '../../mail/messages.ts'
import { findProvider } from '../../providers/index.ts'
import { whoMustAct } from '../../providers/reasons.ts'
import type { IntegrationRow } from './integration-row.ts'

interface Recipient {
  id: string
  email: string
  notifications: 'now' | 'daily' | 'off'
  organization: string
  workspace: string
  workspace_name: string
}

/** Who looks after it; else who created it, while they belong to the organization; else the workspace's admins. */
export const recipientsOf = (
  query: RunQuery,
  row: Pick<IntegrationRow, 'organization_id' | 'workspace_id' | 'created_by' | 'owner_id'>,
): Promise<Recipient[]> =>
  query<Recipient>(sql`with people as (
      select u.id, u.email, u.notifications, case when u.id = ${row.owner_id} then 0 when u.id = ${row.created_by} then 1 else 2 end as rank
      from members m join users u on u.id = m.user_id
      left join workspace_members a on a.organization_id = m.organization_id and a.workspace_id = ${row.workspace_id} and a.user_id = m.user_id
      where m.organization_id = ${row.organization_id} and (u.id in (${row.owner_id}, ${row.created_by}) or m.role = 'admin' or a.role = 'admin'))
    select p.id, p.email, p.notifications, o.slug as organization, w.slug as workspace, w.name as workspace_name
    from people p join organizations o on o.id = ${row.organization_id}
    join workspaces w on w.organization_id = o.id and w.id = ${row.workspace_id}
    where p.rank = (select min(rank) from people) order by p.email`)

/** How long a client may take to choose the account before anybody hears that it is missing. */
const CHOOSING_MS = 15 * 60_000

export async function lacksSetting({ db }: Parts, { organizationId, integrationId }: { organizationId: string; integrationId: string }) {
  const found = await db.query(sql`select from integrations
    where organization_id = ${organizationId} and id = ${integrationId} and status = 'error' and status_reason = 'setting_missing'`)
  return found.length > 0
}

/** When a client has connected, and once when it turns to error: at once, or in the mail of the day. */
export async function tellOwner(
  parts: Parts,
  query: RunQuery,
  row: IntegrationRow,
  kind: 'connected' | 'failed',
  state: State,
  choosing = false,
): Promise<void> {
  const later = choosing && {
    at: new Date(state.statusCheckedAt!.getTime() + CHOOSING_MS),
    choosing: { organizationId: row.organization_id, integrationId: row.id },
  }
  for (const { id, email, notifications, ...place } of await recipientsOf(query, row)) {
    if (notifications === 'daily')
      await query(sql`insert into notices (user_id, organization_id, integration_id, kind)
        values (${id}, ${row.organization_id}, ${row.id}, ${kind})`)
    if (notifications === 'now')
      await parts.jobs.enqueue(
        query,
        'mail.send',
        { to: email, ...mailOf(parts, row, kind, state, place), ...(later && { choosing: later.choosing }) },
        { organizationId: row.organization_id, ...(later && { at: later.at }) },
      )
  }
}

function mailOf(
  { config }: Parts,
  row: IntegrationRow,
  kind: 'connected' | 'failed',
  state: State,
  place: Pick<Recipient, 'organization' | 'workspace' | 'workspace_name'>,
) {
  const link = `${config.publicUrl}/organizations/${place.organization}/workspaces/${place.workspace}/integrations/${row.id}`
  const what = { name: row.name, system: findProvider(row.provider)?.name ?? row.provider, workspace: place.workspace_name, link }
  if (kind === 'connected') return integrationConnectedMail({ ...what, account: state.connectedAccount ?? '' })
  return integrationErrorMail({
    ...what,
    detail: state.statusDetail ?? '',
    mustAct: mustAct('error', whoMustAct(state.statusReason), false),
    connected: state.connectedAt !== null,
  })
}
