import { hash } from 'node:crypto'
import { canonicalMailbox, type Limit, limits, type OperationId } from '@adjoin/contract'
import type { At, Caller } from '../call.ts'
import type { Database } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import { refuse } from '../refusal.ts'
import { addressBucket, NETWORK_TIMES, networkOf } from './client-address.ts'

/** What the buckets of a request are named after. */
export interface Subject {
  readonly ip: string
  readonly caller: Caller | undefined
  /**
   * The place that the caller was let into. Whoever was not,
   * or names the id of something elsewhere, must not use up what others have.
   */
  readonly at: At | null
  readonly params: Record<string, unknown>
  readonly body: unknown
}

/** Null: this limit does not count this request (a limit on keys, and a person calls). */
function subjectOf(by: Limit['by'], { ip, caller, at, params, body }: Subject): string | null {
  if (by === 'address') return addressBucket(ip)
  if (by === 'key') return caller?.class === 'session' || !caller ? null : caller.key.id
  if (by === 'email') return canonicalMailbox(String((body as { email?: unknown } | undefined)?.email ?? ''))
  if (by === 'token') return String(params.token)
  if (by === 'person') return caller?.user.id ?? null
  if (by === 'organization') return at?.organization?.id ?? null
  return at && [at.organization?.id, at.workspace?.id, params[by === 'request' ? 'requestId' : 'id']].join('|')
}

/**
 * Takes one from every bucket of the request, in one statement by the database's clock:
 * exact over any number of replicas.
 * When the counters do not answer, what they guard is closed (503):
 * each of these operations needs the same database a moment later.
 */
export async function consumeLimits(
  db: Pick<Database, 'query'>,
  id: OperationId,
  subject: Subject,
  factor: number,
  when?: Limit['when'],
): Promise<Record<string, string>> {
  const counted: Counted[] = []
  for (const rule of limits[id] ?? []) {
    const of = rule.when === when ? subjectOf(rule.by, subject) : null
    if (of === null) continue
    counted.push({ rule, limit: multiplied(rule.limit, factor), name: nameOf(rule), bucket: bucketOf(rule, of) })
    const network = rule.by === 'address' ? networkOf(of) : undefined
    if (network)
      counted.push({
        rule,
        limit: multiplied(rule.limit * NETWORK_TIMES, factor),
        name: `${rule.bucket}-network-${rule.seconds}`,
        bucket: bucketOf(rule, network),
      })
  }
  if (!counted.length) return {}
  const rows = await db.query<{ bucket: string; hits: number; resets_in: number }>(sql`
    select bucket, hits, resets_in
    from take_limits(${counted.map((c) => c.bucket)}, ${counted.map((c) => c.rule.seconds)}, ${counted.map((c) => c.limit)})`)
  const states = counted.map(({ rule, limit, name, bucket }) => {
    const { hits, resets_in } = rows.find((row) => row.bucket === bucket)!
    return { rule, limit, name, resetsIn: resets_in, left: Math.max(0, limit - hits), exceeded: hits > limit }
  })
  // How many mails others have sent to a mailbox is not for this caller to know.
  const own = states.filter(({ rule: { by, when } }) => by !== 'email' || when !== 'done')
  const tightest = own.reduce((one, other) => (other.left < one.left ? other : one))
  const headers = {
    'ratelimit-policy': states.map(({ name, limit, rule }) => `"${name}";q=${limit};w=${rule.seconds}`).join(', '),
    ratelimit: `"${tightest.name}";r=${tightest.left};t=${tightest.resetsIn}`,
  }
  const over = states.filter(({ exceeded }) => exceeded)
  if (over.length) {
    const longest = over.reduce((one, other) => (other.resetsIn > one.resetsIn ? other : one))
    const wait = longest.resetsIn
    refuse('limit_exceeded', {
      detail: `${longest.rule.says ?? 'Too many requests of this kind.'} Try again in ${inWords(wait)}.`,
      headers: { ...headers, 'retry-after': String(wait) },
    })
  }
  return headers
}

interface Counted {
  readonly rule: Limit
  /** By the operator's factor. */
  readonly limit: number
  readonly name: string
  readonly bucket: string
}

const nameOf = ({ bucket, by, seconds }: Limit): string => `${bucket}-${by}-${seconds}`

/** Tokens and addresses have no business in a table of counters: they are hashed. Our own ids are not worth the time. */
function bucketOf({ bucket, by, seconds }: Limit, of: string): string {
  const name = `${bucket}|${by}|${seconds}|${of}`
  return SECRET_SUBJECTS.has(by) ? hash('sha256', name, 'base64url') : name
}

const SECRET_SUBJECTS: ReadonlySet<Limit['by']> = new Set(['address', 'email', 'token'])

const inWords = (seconds: number) =>
  seconds < 120
    ? `${seconds} second${seconds === 1 ? '' : 's'}`
    : seconds < 7200
      ? `${Math.ceil(seconds / 60)} minutes`
      : `${Math.ceil(seconds / 3600)} hours`

/** What the database counts with is no larger. */
const LARGEST = 2 ** 31 - 1

const multiplied = (limit: number, factor: number): number => Math.min(LARGEST, Math.max(1, Math.round(limit * factor)))

/** Guessing at credentials, counted per process and address; a good credential is never blocked by it. */
export function countBadCredentials(factor: number): (ip: string) => void {
  const LIMIT = Math.max(1, Math.round(30 * factor))
  const WINDOW = 60_000
  let counts = new Map<string, number>()
  let began = performance.now() // not by the clock on the wall, which may be set back
  const count = (bucket: string) => {
    const found = (counts.get(bucket) ?? 0) + 1
    counts.set(bucket, found)
    return found
  }
  return (ip) => {
    if (performance.now() - began > WINDOW || counts.size > 100_000) {
      counts = new Map()
      began = performance.now()
    }
    const address = addressBucket(ip)
    const network = networkOf(address)
    const tooMany = [count(address) > LIMIT, network !== undefined && count(network) > LIMIT * NETWORK_TIMES]
    if (tooMany.includes(true))
      refuse('limit_exceeded', {
        detail: 'Too many invalid credentials came from this address. Check the key or token, then try again after `Retry-After` seconds.',
        headers: { 'retry-after': String(Math.max(1, Math.ceil((began + WINDOW - performance.now()) / 1000))) },
      })
  }
}
