import type { Parts } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { digestMail } from '../../mail/messages.ts'
import { findProvider } from '../../providers/index.ts'

/** Six in the morning of UTC: before work begins in Europe, and over night elsewhere. */
const lastMorning = sql`date_trunc('day', now() at time zone 'utc' - interval '6 hours') + interval '6 hours'`
const isDue = sql`n.at at time zone 'utc' < ${lastMorning}`

interface Digest {
  organization_id: string
  user_id: string
}

interface NoticeRow {
  kind: 'connected' | 'failed'
  email: string
  name: string
  provider: string
  workspace: string
  organization: string
  slug: string
}

/** What was noted until this morning, in one mail a person and organization. Those who left meanwhile get none. */
export async function mailDigests(parts: Parts): Promise<void> {
  const due = await parts.db.query<Digest>(sql`select distinct n.organization_id, n.user_id from notices n where ${isDue}`)
  for (const digest of due) await parts.db.transaction((query) => mailDigest(parts, query, digest))
  if (due.length) parts.jobs.wake()
}

/** Taken with its mail, in one transaction: told once, whatever dies. */
async function mailDigest({ config, jobs }: Parts, query: RunQuery, { organization_id, user_id }: Digest): Promise<void> {
  const rows = await query<NoticeRow>(sql`with taken as (
      delete from notices n where n.organization_id = ${organization_id} and n.user_id = ${user_id} and ${isDue}
      returning n.organization_id, n.user_id, n.integration_id, n.kind, n.at)
    select t.kind, u.email, i.name, i.provider, w.name as workspace, o.name as organization, o.slug
    from taken t join members m on m.organization_id = t.organization_id and m.user_id = t.user_id join users u on u.id = t.user_id
    join integrations i on i.organization_id = t.organization_id and i.id = t.integration_id
    join workspaces w on w.organization_id = i.organization_id and w.id = i.workspace_id join organizations o on o.id = t.organization_id
    where u.notifications <> 'off' order by t.kind desc, t.at`)
  const [first] = rows
  if (!first) return
  const mail = digestMail({
    organization: first.organization,
    notices: rows.map(({ kind, name, provider, workspace }) => ({
      kind,
      name,
      system: findProvider(provider)?.name ?? provider,
      workspace,
    })),
    link: `${config.publicUrl}/organizations/${first.slug}`,
  })
  await jobs.enqueue(query, 'mail.send', { to: first.email, ...mail }, { organizationId: organization_id })
}
