import { clearSessionCookie } from '../../access/credential.ts'
import { transact } from '../../audit/transact.ts'
import { type Call, type Handler, person } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { inEachOrganization } from '../account/in-each-organization.ts'

export const signOut: Handler<'signOut'> = async (call) => endSessions(call, [person(call).sessionId])

export const signOutEverywhere: Handler<'signOutEverywhere'> = async (call) => endSessions(call, null)

/** Cookie and bearer are one session: both stop working with this answer, on every replica. Null: all of the person's sessions. */
async function endSessions(call: Call<'signOut' | 'signOutEverywhere'>, ids: string[] | null): Promise<undefined> {
  const { user } = person(call)
  await transact(call, async (query, record) => {
    const ended = await query(sql`update sessions set ended_at = now() where user_id = ${user.id} and ended_at is null
      and (${ids}::uuid[] is null or id = any (${ids}::uuid[])) returning id`)
    if (ended.length)
      await inEachOrganization(query, user.id, (organizationId) =>
        record('user.signed_out', {
          organizationId,
          target: { type: 'user', id: user.id, name: user.name },
          metadata: { sessions: ended.length },
        }),
      )
  })
  call.headers['set-cookie'] = clearSessionCookie(call.parts.config)
}
