// How long a session lives, said once: while it is used within a week,
// and never longer than a month. The database's clock decides.
import { type Fragment, sql } from '../db/sql.ts'

const IDLE = sql`interval '7 days'`
const LONGEST = sql`interval '30 days'`

/** When a session ends however often it is used. */
export const latestExpiry = sql`created_at + ${LONGEST}`
/** When it ends if it is not used again. */
export const expiry = sql`least(last_used_at + ${IDLE}, ${latestExpiry})`

const live = (s: Fragment) => sql`${s}ended_at is null and ${s}last_used_at > now() - ${IDLE} and ${s}created_at > now() - ${LONGEST}`

export const isLive = live(sql``)
/** The same of a session `s`, beside other tables. */
export const isLiveSession = live(sql`s.`)

/**
 * Those that ended a month ago at the latest, whatever ended them:
 * by the one time that never changes, so that a use touches no index.
 */
export const isSweepable = sql`created_at < now() - ${LONGEST} - interval '30 days'`
