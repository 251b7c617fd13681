import type { Answer } from '@adjoin/contract'
import { sql } from '../../db/sql.ts'
import { sessionExpiry } from '../../domain/session.ts'

export interface SessionRow {
  id: string
  method: string
  ip: string | null
  user_agent: string | null
  created_at: Date
  last_used_at: Date
}

export const sessionColumns = sql`id, method, ip, user_agent, created_at, last_used_at`

/** A session that still counts; the same rule as at the door. */
export const isLive = sql`ended_at is null and last_used_at > now() - interval '7 days' and created_at > now() - interval '30 days'`

export const toSession = (row: SessionRow, currentId: string): Answer<'getSession'>['session'] => ({
  id: row.id,
  method: row.method as 'magic-link',
  current: row.id === currentId,
  ip: row.ip,
  userAgent: row.user_agent,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  expiresAt: sessionExpiry(row.created_at, row.last_used_at),
})
