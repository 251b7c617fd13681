// How long a session lives: a week after its last use, and a month at most.
// The database's clock decides.
import { type Fragment, sql } from '../db/sql.ts'

const IDLE_DAYS = 7
const LIFE_DAYS = 30
const MAX_IDLE = sql`interval '7 days'`
const MAX_LIFE = sql`interval '30 days'`
const DAY_MS = 86_400_000

/** Of one that begins now. */
export const firstExpiry = (createdAt: Date) => ({
  longest: new Date(createdAt.getTime() + LIFE_DAYS * DAY_MS),
  expires_at: new Date(createdAt.getTime() + IDLE_DAYS * DAY_MS),
})

/** When a session expires, however often it is used. */
const latestExpiry = sql`created_at + ${MAX_LIFE}`
/** When it expires if it is not used again. */
export const expiry = sql`least(last_used_at + ${MAX_IDLE}, ${latestExpiry})`

const live = (s: Fragment) => sql`${s}ended_at is null and ${s}last_used_at > now() - ${MAX_IDLE} and ${s}created_at > now() - ${MAX_LIFE}`

export const isLive = live(sql``)
/** The same, for a query in which sessions are called `s`. */
export const isLiveSession = live(sql`s.`)

/**
 * Sessions that ended at least a month ago, for whatever reason. Only the creation time counts:
 * it never changes, so that using a session updates no index.
 */
export const isSweepable = sql`created_at < now() - ${MAX_LIFE} - interval '30 days'`
