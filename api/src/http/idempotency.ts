// Idempotency-Key: a change is carried out once, and repeating the request gives the first answer again for a day.
import { declaration, isChange, type OperationId, type VerbatimRequest } from '@adjoin/contract'
import { type Call, type Caller, callerKey, type Parts } from '../call.ts'
import { exactly } from '../db/exactly.ts'
import { type Fragment, sql } from '../db/sql.ts'
import { refuse, refuseField } from '../refusal.ts'
import { isSealBroken } from '../vault/seal.ts'
import { digest } from '../vault/tokens.ts'
import type { Answer, Headers } from './answer.ts'
import type { Input } from './input.ts'

type Claim = NonNullable<Call['idempotency']>
type Slot = Omit<Claim, 'since'>

/**
 * Longer than any verb takes (an ad system's ten seconds, the wait for its lease, the transaction). A claim older than this that never
 * committed belongs to a process that died: it may be taken over, and whoever repeats waits no longer.
 */
const RUNNING_SECONDS = 25

/** Which key this request names, if it is one that can be repeated. */
export function slotOf(header: string | string[] | undefined, id: OperationId, path: string, caller: Caller | undefined): Slot | undefined {
  if (header === undefined || !caller || !isChange(id)) return undefined
  if (typeof header !== 'string' || !/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(header))
    return refuseField('Idempotency-Key', 'must have 1 to 255 visible ASCII characters')
  return { caller: callerKey(caller), operation: id, pathHash: digest(path), key: header }
}

const where = (slot: Slot) =>
  sql`caller = ${slot.caller} and operation = ${slot.operation} and path_hash = ${slot.pathHash} and key = ${slot.key}`

/** Only as long as nobody has taken the claim over. */
const whereMine = (claim: Claim) => sql`${where(claim)} and ${exactly(sql`started_at`)} = ${claim.since}`

const binding = (slot: Slot) => ['idempotency', slot.caller, slot.operation, slot.pathHash.toString('base64url'), slot.key]

type Asked = Pick<Input, 'body' | 'query'>

/** Keyed: a body may hold a password, and a plain hash of one can be guessed at. `?force=true` asks for something else, too. */
function hashOf({ secrets }: Parts, { operation }: Slot, { body, query }: Asked): Buffer {
  const sent = declaration(operation).verbatim
    ? sentOf(body as VerbatimRequest)
    : Object.keys(query as object).length
      ? [body ?? null, query]
      : (body ?? null)
  return secrets.lookup('idempotency', JSON.stringify(sent))
}

/** What was answered when it was carried out, to one who has lost sight of the place by it. */
export async function carriedOut(parts: Parts, slot: Slot, asked: Asked): Promise<Answer | undefined> {
  const [first] = await parts.db.query<{ answer: string }>(sql`select answer from idempotency
    where ${where(slot)} and body_hash = ${hashOf(parts, slot, asked)} and answer is not null and started_at > now() - interval '24 hours'`)
  return first && opened(parts, slot, first.answer)
}

/** By the clock of the row that is offered: what is compared there may depend on no setting of the connection. */
const startedBefore = (age: Fragment) => sql`i.started_at at time zone 'utc' < excluded.started_at at time zone 'utc' - ${age}`

/** Claims the key for this request, or gives the first answer back. Authorization has been checked again by now. */
export async function claim(parts: Parts, slot: Slot, asked: Asked): Promise<{ claim: Claim } | { first: Answer }> {
  const { db } = parts
  const bodyHash = hashOf(parts, slot, asked)
  const [mine] = await db.query<{ since: string }>(sql`
    insert into idempotency as i (caller, operation, path_hash, key, body_hash)
    values (${slot.caller}, ${slot.operation}, ${slot.pathHash}, ${slot.key}, ${bodyHash})
    on conflict (caller, operation, path_hash, key) do update set started_at = excluded.started_at, body_hash = excluded.body_hash, committed_at = null, answer = null
      where ${startedBefore(sql`interval '24 hours'`)}
        or (i.committed_at is null and i.answer is null and ${startedBefore(sql`make_interval(secs => ${RUNNING_SECONDS})`)})
    returning ${exactly(sql`i.started_at`)} as since`)
  if (mine) return { claim: { ...slot, since: mine.since } }
  const [first] = await db.query<{ body_hash: Buffer; answer: string | null; committed: boolean; lost: boolean }>(
    sql`select body_hash, answer, committed_at is not null as committed, committed_at < now() - interval '5 seconds' as lost from idempotency where ${where(slot)}`,
  )
  const soon = { headers: { 'retry-after': '1' } }
  if (!first) return refuse('request_running', soon) // it was refused and let go between our two statements
  if (!first.body_hash.equals(bodyHash)) refuse('idempotency_mismatch')
  if (first.answer) return { first: opened(parts, slot, first.answer) }
  if (first.committed && declaration(slot.operation).verbatim) refuse('already_sent')
  // The answer is kept right after the change: only when it has not come for a while is it lost.
  return first.lost ? refuse('answer_lost') : refuse('request_running', soon)
}

/** A request that is passed on is the same if its bytes are; headers say nothing about what is asked for. */
const sentOf = ({ query, bytes }: VerbatimRequest) => [query, Buffer.from(bytes).toString('base64')]

function opened({ vault }: Parts, slot: Slot, sealed: string): Answer {
  try {
    return JSON.parse(vault.open(sealed, binding(slot)))
  } catch (error) {
    if (isSealBroken(error)) return refuse('answer_lost')
    throw error
  }
}

/** Keeps the answer, sealed, without what is shown only once. One that is written while it is read is not kept: what it came from
 * was recorded, or may be asked again. */
export async function keep({ db, vault, log }: Parts, mine: Claim, answer: Answer): Promise<void> {
  if (typeof answer.body !== 'string') return releaseClaim({ db }, mine).catch(() => {})
  const stored = { ...answer, body: withoutSecrets(mine.operation, answer.body), headers: lasting(answer.headers) }
  const saved = db.query(sql`update idempotency set answer = ${vault.seal(JSON.stringify(stored), binding(mine))} where ${whereMine(mine)}`)
  // The change is made: its client must hear so, even if a repetition will not.
  await saved.catch((error) => log.warn({ err: error, operation: mine.operation }, 'an answer was not kept for repetitions'))
}

/** Refused: nothing was changed, so the same key may try again. */
export async function releaseClaim({ db }: Pick<Parts, 'db'>, mine: Claim): Promise<void> {
  await db.query(sql`delete from idempotency where ${whereMine(mine)} and committed_at is null and answer is null`)
}

function withoutSecrets(id: OperationId, body: string): string {
  const { shownOnce } = declaration(id)
  if (!shownOnce) return body
  const kept = Object.entries(JSON.parse(body)).filter(([name]) => !shownOnce.includes(name))
  return JSON.stringify(Object.fromEntries(kept))
}

/** Cookies are for the first answer alone, and what is left of a limit was true then. */
const lasting = ({ 'set-cookie': _, ratelimit: __, 'ratelimit-policy': ___, ...headers }: Headers) => headers
