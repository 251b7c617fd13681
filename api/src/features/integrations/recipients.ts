// Whom mails about an integration or a request go to: always people who see its workspace.
import { type RunQuery, sql } from '../../db/sql.ts'
import type { ToldNotice } from '../../jobs/queue.ts'

/** What somebody looks after. */
export interface Responsibility {
  readonly organization_id: string
  readonly workspace_id: string
  readonly created_by: string | null
  readonly owner_id: string | null
}

export interface Recipient {
  id: string
  email: string
  notifications: 'now' | 'daily' | 'off'
  organization: string
  workspace: string
  workspace_name: string
  /** The only one who looks after it: if they lose the workspace before they have read, others must hear of it. */
  alone: boolean
}

/** Who looks after it; else who created it; else the workspace's admins. */
export const recipientsOf = (query: RunQuery, row: Responsibility): Promise<Recipient[]> =>
  query<Recipient>(sql`with people as (
      select u.id, u.email, u.notifications, case when u.id = ${row.owner_id} then 0 when u.id = ${row.created_by} then 1 else 2 end as rank
      from members m join users u on u.id = m.user_id
      left join workspace_members a on a.organization_id = m.organization_id and a.workspace_id = ${row.workspace_id} and a.user_id = m.user_id
      where m.organization_id = ${row.organization_id} and (m.role = 'admin' or a.role = 'admin'
        or u.id in (${row.owner_id}, ${row.created_by}) and (m.role <> 'guest' or a.role is not null)))
    select p.id, p.email, p.notifications, p.rank < 2 as alone, o.slug as organization, w.slug as workspace, w.name as workspace_name
    from people p join organizations o on o.id = ${row.organization_id}
    join workspaces w on w.organization_id = o.id and w.id = ${row.workspace_id}
    where p.rank = (select min(rank) from people) order by p.email`)

/** For the mail of the day. `at`: when it happened, if that was told before to somebody else. */
export async function addNotice(
  query: RunQuery,
  organizationId: string,
  userId: string,
  { integrationId, kind, alone, at = null }: Omit<ToldNotice, 'at'> & { at?: string | null },
): Promise<void> {
  await query(sql`insert into notices (user_id, organization_id, integration_id, kind, alone, at)
    values (${userId}, ${organizationId}, ${integrationId}, ${kind}, ${alone}, coalesce(${at}::timestamptz, now()))`)
}

/** What somebody was to be told and may no longer see: those who look after it now hear of it, unless they did at the time. */
export async function noticeOthers(query: RunQuery, organizationId: string, notices: readonly ToldNotice[]): Promise<void> {
  const lost = notices.filter(({ alone }) => alone)
  if (!lost.length) return
  const rows = await query<
    Responsibility & { id: string }
  >(sql`select organization_id, workspace_id, id, owner_id, created_by from integrations
    where organization_id = ${organizationId} and id = any(${lost.map(({ integrationId }) => integrationId)}::uuid[])`)
  for (const row of rows) {
    const people = (await recipientsOf(query, row)).filter(({ notifications }) => notifications !== 'off')
    for (const notice of lost.filter(({ integrationId }) => integrationId === row.id))
      for (const { id, alone } of people) await addNotice(query, organizationId, id, { ...notice, alone })
  }
}
