import { quotas } from '@adjoin/contract'
import { clearSessionCookie } from '../../access/credential.ts'
import { isLive } from '../../access/session-life.ts'
import { type Handler, person } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'
import { addCookie } from '../auth/cookies.ts'
import { endSessions } from '../auth/end-sessions.ts'
import { type SessionRow, sessionColumns, toSession } from '../auth/session-row.ts'

/** Newest first. */
export const listMySessions: Handler<'listMySessions'> = async (call) => {
  const { user, sessionId } = person(call)
  const rows = await call.parts.db.query<SessionRow>(sql`select ${sessionColumns} from sessions
    where user_id = ${user.id} and ${isLive} order by created_at desc, id limit ${quotas.sessions}`)
  return { sessions: rows.map((row) => toSession(row, sessionId)) }
}

/** Somebody else's session is not found, like one that has ended. */
export const revokeMySession: Handler<'revokeMySession'> = async (call) => {
  const { id } = call.params
  if (!(await endSessions(call, { id }))) refuse('not_found')
  if (id === person(call).sessionId) addCookie(call.headers, clearSessionCookie(call.parts.config))
}
