import { isLive } from '../../access/session-life.ts'
import { transact } from '../../audit/transact.ts'
import { type Call, person } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { inEachOrganization } from '../account/in-each-organization.ts'

/**
 * Cookie and bearer are one session:
 * both stop working with this answer, on every replica. Answers how many ended.
 */
export const endSessions = (
  call: Call<'signOut' | 'signOutEverywhere' | 'revokeMySession'>,
  which: { id: string } | 'all',
): Promise<number> =>
  transact(call, async (query, record) => {
    const { user } = person(call)
    const ended = await query(sql`update sessions set ended_at = now() where user_id = ${user.id} and ${isLive}
      and ${which === 'all' ? sql`true` : sql`id = ${which.id}`} returning id`)
    // An approval that no device has fetched yet is a session to be:
    // it may have been given with the session that is ended from elsewhere.
    if (call.id !== 'signOut')
      await query(sql`update device_logins set status = 'denied' where user_id = ${user.id} and status = 'approved'`)
    if (ended.length)
      await inEachOrganization(query, user.id, (organizationId) =>
        record('user.signed_out', {
          organizationId,
          target: { type: 'user', id: user.id, name: user.name },
          metadata: { sessions: ended.length },
        }),
      )
    return ended.length
  })
