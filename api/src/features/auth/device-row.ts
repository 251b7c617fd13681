import type { Answer } from '@adjoin/contract'
import { sql } from '../../db/sql.ts'
import { shownUserCode } from '../../domain/device-login.ts'

export interface DeviceRow {
  user_code: string
  client_name: string
  ip: string | null
  user_agent: string | null
  status: 'pending' | 'approved' | 'denied' | 'used'
  created_at: Date
  expires_at: Date
}

export const deviceColumns = sql`user_code, client_name, ip, user_agent, status, created_at, expires_at`

/** Who asks, and from where: what the person must see before saying yes. */
export const toDeviceLogin = (row: DeviceRow): Answer<'getDeviceLogin'> => ({
  userCode: shownUserCode(row.user_code),
  clientName: row.client_name,
  ip: row.ip,
  userAgent: row.user_agent,
  status: row.status === 'used' ? 'approved' : row.status,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})
