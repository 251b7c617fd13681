import type { Answer, Query as QueryOf } from '@adjoin/contract'
import { type Fragment, sql } from '../db/sql.ts'

export interface EntryRow {
  sequence: number
  created_at: Date
  content: string
  previous_hash: Buffer
  hash: Buffer
}

export type Filters = Omit<QueryOf<'listAuditLogs'>, 'cursor' | 'limit'>

export const entryColumns = sql`sequence, created_at, content, previous_hash, hash`

export function matching(filters: Filters): Fragment {
  const { action, actor, targetType, targetId, workspace, from, to } = filters
  const parts: Fragment[] = []
  if (action?.endsWith('.*')) parts.push(sql`and action like ${`${action.slice(0, -1).replaceAll('_', '\\_')}%`}`)
  else if (action) parts.push(sql`and action = ${action}`)
  if (actor) parts.push(sql`and (actor_id = ${actor} or actor_email = ${actor.toLowerCase()})`)
  if (targetType) parts.push(sql`and target_type = ${targetType}`)
  if (targetId) parts.push(sql`and target_id = ${targetId}`)
  if (workspace) parts.push(sql`and workspace = ${workspace}`)
  if (from) parts.push(sql`and created_at >= ${from}::timestamptz`)
  if (to) parts.push(sql`and created_at <= ${to}::timestamptz`)
  return parts.reduce((all, part) => sql`${all} ${part}`, sql``)
}

export function toEntry(row: EntryRow): Answer<'listAuditLogs'>['auditLogs'][number] {
  const { id, ...content } = JSON.parse(row.content)
  return {
    id,
    sequence: row.sequence,
    ...content,
    createdAt: row.created_at,
    hash: row.hash.toString('hex'),
    previousHash: row.previous_hash.toString('hex'),
  }
}
