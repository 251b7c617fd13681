import { type Handler, person } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { toUser, type UserRow, userColumns } from '../account/user-row.ts'
import { type SessionRow, sessionColumns, toSession } from './session-row.ts'

export const getSession: Handler<'getSession'> = async (call) => {
  const { sessionId, user } = person(call)
  const [session] = await call.parts.db.query<SessionRow>(sql`select ${sessionColumns} from sessions where id = ${sessionId}`)
  const [row] = await call.parts.db.query<UserRow>(sql`select ${userColumns} from users where id = ${user.id}`)
  return { user: toUser(row!), session: toSession(session!, sessionId) }
}
