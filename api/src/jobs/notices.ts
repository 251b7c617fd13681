// Requests that wait for the next entry of a trail: woken by a commit of this process at once,
// by those of others within a second. Waiting holds no database connection.
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { atOnce } from '@adjoin/contract'
import { outsideRequest } from '../db/budget.ts'
import type { Database } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import type { Log } from '../log.ts'
import { refuse } from '../refusal.ts'

/** How a wait ended: something was written, time is up, the client is gone, or the service stops. */
export type WaitEnd = 'news' | 'late' | 'gone' | 'stopping'

export interface WaitOptions {
  /** The number of the newest entry that the caller knows of. */
  readonly seen: number
  readonly ms: number
  /** News are no reason to look before this many milliseconds. */
  readonly restMs: number
  readonly response: ServerResponse
}

export interface Notices {
  /** An entry of this organization was committed. */
  tell(organizationId: string): void
  /**
   * Counts a waiting request over all processes, until what is returned is called.
   * Refuses past the caller's or the organization's share.
   */
  enter(organizationId: string, caller: string): Promise<() => void>
  /** The wait is on from the call on; `isQuiet` then says whether there is anything to wait for. */
  wait(organizationId: string, options: WaitOptions): { isQuiet(): Promise<boolean>; end(): void; ended: Promise<WaitEnd> }
  readonly waiting: number
  /** Ends all waits, now and from now on. */
  stop(): void
}

interface Waiter {
  readonly seen: number
  wake(why: WaitEnd): void
}

const LOOK_EVERY_MS = 500
/** No wait lasts longer: after that a row whose process died counts for nothing. */
const LONGEST_WAIT_SECONDS = 30

export function createNotices({ db, log }: { db: Database; log: Log }, factor: number): Notices {
  const waiters = new Map<string, Set<Waiter>>()
  const most = (share: number) => Math.max(1, Math.round(share * factor))
  const [perCaller, perOrganization] = [most(atOnce.callerWaits), most(atOnce.organizationWaits)]
  let stopping = false

  const wakeAll = (why: WaitEnd) => {
    for (const set of [...waiters.values()]) for (const waiter of [...set]) waiter.wake(why)
  }
  /** One statement for all of them, whatever their number. */
  const look = async () => {
    const heads = await db.query<{ id: string; sequence: number }>(
      sql`select organization_id as id, sequence from audit_heads where organization_id = any(${[...waiters.keys()]}::uuid[])`,
    )
    for (const { id, sequence } of heads) for (const waiter of [...(waiters.get(id) ?? [])]) if (waiter.seen < sequence) waiter.wake('news')
  }
  const timer = setInterval(() => {
    if (waiters.size) look().catch((error) => log.warn({ err: error }, 'could not look for new events; trying again in a moment'))
  }, LOOK_EVERY_MS).unref()

  return {
    get waiting() {
      return [...waiters.values()].reduce((sum, set) => sum + set.size, 0)
    },
    tell(organizationId) {
      const set = waiters.get(organizationId)
      if (set) for (const waiter of [...set]) waiter.wake('news')
    },
    async enter(organizationId, caller) {
      const id = randomUUID()
      const [taken] = await db.query<{ full: 'caller' | 'organization' | null }>(
        sql`select take_wait(${organizationId}, ${id}, ${caller}, ${LONGEST_WAIT_SECONDS}, ${perCaller}, ${perOrganization}) as full`,
      )
      if (taken?.full === 'caller') refuseWait(`You already have ${perCaller} requests waiting for events.`)
      if (taken?.full) refuseWait(`Your organization already has ${perOrganization} requests waiting for events.`)
      return () =>
        void outsideRequest(() => db.query(sql`delete from waits where organization_id = ${organizationId} and id = ${id}`)).catch(
          (error) => log.warn({ err: error }, 'could not record that a wait ended; it still counts for a few seconds'),
        )
    },
    wait(organizationId, { seen, ms, restMs, response }) {
      const { promise: ended, resolve } = Promise.withResolvers<WaitEnd>()
      const set = waiters.get(organizationId) ?? new Set()
      waiters.set(organizationId, set)
      const restsUntil = performance.now() + restMs
      let resting: NodeJS.Timeout | undefined
      const end = (why: WaitEnd) => {
        clearTimeout(late)
        clearTimeout(resting)
        response.off('close', gone)
        set.delete(waiter)
        if (!set.size && waiters.get(organizationId) === set) waiters.delete(organizationId)
        resolve(why)
      }
      const waiter: Waiter = {
        seen,
        wake(why) {
          const rest = restsUntil - performance.now()
          if (why !== 'news' || rest <= 0) end(why)
          else resting ??= setTimeout(end, rest, 'news')
        },
      }
      const gone = () => end('gone')
      const late = setTimeout(end, ms, 'late')
      set.add(waiter)
      response.once('close', gone)
      if (stopping) end('stopping')
      else if (response.closed) end('gone')
      const isQuiet = async () => {
        const [head] = await db.query<{ sequence: number }>(sql`select sequence from audit_heads where organization_id = ${organizationId}`)
        return (head?.sequence ?? 0) <= seen
      }
      return { isQuiet, ended, end: () => end('news') }
    },
    stop() {
      stopping = true
      clearInterval(timer)
      wakeAll('stopping')
    },
  }
}

const refuseWait = (detail: string): never =>
  refuse('too_many_waits', { detail: `${detail} Let one end, or ask without \`wait\`.`, headers: { 'retry-after': '5' } })
