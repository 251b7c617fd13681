import type { Caller } from '../call.ts'
import type { Database } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import type { Log } from '../log.ts'
import { isLiveSession } from './session-life.ts'

export interface LastUse {
  /** Remembers that a credential was used, when by the database's clock, and from where; costs the request nothing. */
  note(caller: Caller, now: Date, ip: string): void
  /** Writes what is still to be written. */
  stop(): Promise<void>
}

interface Use {
  readonly id: string
  /** Of a key. */
  readonly organizationId?: string
  readonly at: Date
  readonly ip: string
}
type Uses = Map<string, Use>

/** Last-use times, written in batches off the request's path; a batch that failed goes with the next one. */
export function trackLastUse(db: Database, log: Log, everyMs = 5000): LastUse {
  let keys: Uses = new Map()
  let sessions: Uses = new Map()
  let writing: Promise<void> = Promise.resolve()

  const write = async () => {
    const [usedKeys, usedSessions] = [keys, sessions]
    keys = new Map()
    sessions = new Map()
    try {
      for (const [organizationId, uses] of Map.groupBy(usedKeys.values(), (use) => use.organizationId!)) {
        await writeKeys(db, organizationId, uses)
        for (const { id } of uses) usedKeys.delete(id)
      }
      if (usedSessions.size) await writeSessions(db, [...usedSessions.values()])
    } catch (error) {
      keys = new Map([...usedKeys, ...keys])
      sessions = new Map([...usedSessions, ...sessions])
      log.warn({ err: error }, 'could not save last-use times; retrying with the next batch')
    }
  }
  const flush = () => {
    writing = writing.then(write)
    return writing
  }
  const timer = setInterval(() => void flush(), everyMs)
  timer.unref()

  return {
    note(caller, at, ip) {
      if (caller.class === 'session') sessions.set(caller.sessionId, { id: caller.sessionId, at, ip })
      else keys.set(caller.key.id, { id: caller.key.id, organizationId: caller.key.organizationId, at, ip })
    },
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}

const column = <K extends keyof Use>(uses: readonly Use[], name: K) => uses.map((use) => use[name])

/**
 * Organization by organization: rows of several cannot be held at once where they are on several servers.
 * A row that somebody is changing is passed over: waiting for it would hold up others, and its next use is noted again.
 */
const writeKeys = (db: Database, organizationId: string, uses: readonly Use[]) =>
  db.query(sql`with free as (
      select k.id, u.at, u.ip
      from unnest(${column(uses, 'id')}::uuid[], ${column(uses, 'at')}::timestamptz[], ${column(uses, 'ip')}::text[]) as u (id, at, ip)
      join api_keys k on k.organization_id = ${organizationId} and k.id = u.id
      for no key update of k skip locked)
    update api_keys k set last_request_at = free.at, last_request_ip = free.ip from free
    where k.organization_id = ${organizationId} and k.id = free.id and free.at >= coalesce(k.last_request_at, '-infinity')`)

/** An ended or expired session is not revived by a late note of its use. */
const writeSessions = (db: Database, uses: readonly Use[]) =>
  db.query(sql`with free as (
      select s.id, u.at from unnest(${column(uses, 'id')}::uuid[], ${column(uses, 'at')}::timestamptz[]) as u (id, at)
      join sessions s on s.id = u.id
      for no key update of s skip locked)
    update sessions s set last_used_at = greatest(s.last_used_at, free.at) from free
    where s.id = free.id and ${isLiveSession}`)
