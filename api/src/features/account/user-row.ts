import type { Answer } from '@adjoin/contract'
import { sql } from '../../db/sql.ts'

export interface UserRow {
  id: string
  email: string
  name: string
  email_verified: boolean
  role: string
  image: string | null
  notifications: Answer<'getMe'>['notifications']['mode']
}

export const userColumns = sql`id, email, name, email_verified, role, image, notifications`

export const toUser = (row: UserRow): Answer<'getMe'> => ({
  id: row.id,
  email: row.email,
  name: row.name,
  emailVerified: row.email_verified,
  role: row.role,
  ...(row.image && { image: row.image }),
  notifications: { mode: row.notifications },
})
