import type { Parts } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { digestMail } from '../../mail/messages.ts'
import { findProvider } from '../../providers/index.ts'
import { queueMail } from '../mails/queue-mail.ts'
import { sees } from './owner.ts'
import { noticeOthers } from './recipients.ts'

/** Six in the morning of UTC: before work begins in Europe, and over night elsewhere. */
const lastMorning = sql`date_trunc('day', now() at time zone 'utc' - interval '6 hours') + interval '6 hours'`
const isDue = sql`n.at at time zone 'utc' < ${lastMorning}`

interface Digest {
  organization_id: string
  user_id: string
}

interface NoticeRow {
  integration_id: string
  kind: 'connected' | 'failed'
  at: Date
  alone: boolean
  sees: boolean
  email: string
  notifications: 'now' | 'daily' | 'off'
  name: string
  provider: string
  workspace: string
  organization: string
  slug: string
}

/** What somebody can no longer see goes to others, who are then due: hardly twice. */
const ROUNDS = 3

/** What was noted until this morning, in one mail a person and organization, of what they still see. */
export async function mailDigests(parts: Parts): Promise<void> {
  for (let round = 1; round <= ROUNDS; round++) {
    const due = await parts.db.query<Digest>(sql`select distinct n.organization_id, n.user_id from notices n where ${isDue}`)
    for (const digest of due) await parts.db.transaction((query) => mailDigest(parts, query, digest))
    if (!due.length) return
    parts.jobs.wake()
  }
}

/** Taken with its mail, in one transaction: told once, whatever dies. */
async function mailDigest(parts: Parts, query: RunQuery, { organization_id: organizationId, user_id: userId }: Digest): Promise<void> {
  const rows = await query<NoticeRow>(sql`with taken as (
      delete from notices n where n.organization_id = ${organizationId} and n.user_id = ${userId} and ${isDue}
      returning n.organization_id, n.user_id, n.integration_id, n.kind, n.at, n.alone)
    select t.integration_id, t.kind, t.at, t.alone, ${sees(sql`${userId}::uuid`, sql`${organizationId}::uuid`, sql`i.workspace_id`)} as sees,
      u.email, u.notifications, i.name, i.provider, w.name as workspace, o.name as organization, o.slug
    from taken t join users u on u.id = t.user_id
    join integrations i on i.organization_id = t.organization_id and i.id = t.integration_id
    join workspaces w on w.organization_id = i.organization_id and w.id = i.workspace_id join organizations o on o.id = t.organization_id
    order by t.kind desc, t.at`)
  const notices = (of: NoticeRow[]) =>
    of.map(({ integration_id, kind, at, alone }) => ({ integrationId: integration_id, kind, at: at.toISOString(), alone }))
  await noticeOthers(query, organizationId, notices(rows.filter((row) => !row.sees)))
  const seen = rows.filter((row) => row.sees && row.notifications !== 'off')
  const [first] = seen
  if (!first) return
  const mail = digestMail({
    organization: first.organization,
    notices: seen.map(({ kind, name, provider, workspace }) => ({
      kind,
      name,
      system: findProvider(provider)?.name ?? provider,
      workspace,
    })),
    link: `${parts.config.publicUrl}/organizations/${first.slug}`,
  })
  const reader = { power: 'notices', organizationId, userId, notices: notices(seen) } as const
  await queueMail(parts, query, 'digestMail', { to: first.email, mail, reader }, { organizationId })
}
