import type { Caller } from '../call.ts'
import type { Database } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import type { Log } from '../log.ts'

export interface LastUse {
  /** Remembers that a credential was used; costs the request nothing. */
  note(caller: Caller): void
  stop(): Promise<void>
}

const FLUSH_MS = 5000

/** Last-use times, written in batches off the request's path; a lost batch loses seconds of precision and nothing else. */
export function trackLastUse(db: Database, log: Log): LastUse {
  let keys = new Map<string, string>()
  let sessions = new Set<string>()

  const flush = async () => {
    const [usedKeys, usedSessions] = [keys, sessions]
    keys = new Map()
    sessions = new Set()
    try {
      if (usedKeys.size)
        await db.query(sql`update api_keys k set last_request_at = now() from unnest(${[...usedKeys.values()]}::uuid[], ${[...usedKeys.keys()]}::uuid[]) as u (organization_id, id)
          where k.organization_id = u.organization_id and k.id = u.id`)
      // An ended or expired session is not revived by a late note of its use.
      if (usedSessions.size)
        await db.query(sql`update sessions set last_used_at = now() where id = any (${[...usedSessions]}::uuid[])
          and ended_at is null and last_used_at > now() - interval '7 days' and created_at > now() - interval '30 days'`)
    } catch (error) {
      log.warn({ err: error }, 'last-use times were not written')
    }
  }
  const timer = setInterval(() => void flush(), FLUSH_MS)
  timer.unref()

  return {
    note(caller) {
      if (caller.class === 'session') sessions.add(caller.sessionId)
      else keys.set(caller.key.id, caller.key.organizationId)
    },
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}
