import type { Answer } from '@adjoin/contract'
import { expiry } from '../../access/session-life.ts'
import { sql } from '../../db/sql.ts'

export interface SessionRow {
  id: string
  method: string
  ip: string | null
  user_agent: string | null
  created_at: Date
  last_used_at: Date
  expires_at: Date
}

export const sessionColumns = sql`id, method, ip, user_agent, created_at, last_used_at, ${expiry} as expires_at`

export const toSession = (row: SessionRow, currentId: string): Answer<'getSession'>['session'] => ({
  id: row.id,
  method: row.method as 'magic-link',
  current: row.id === currentId,
  ip: row.ip,
  userAgent: row.user_agent,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  expiresAt: row.expires_at,
})
