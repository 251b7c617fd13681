// Idempotency-Key: a change is carried out once, and repeating the request gives the first answer again for a day.
import type { OperationId } from '@adjoin/contract'
import type { Call, Caller, Parts } from '../call.ts'
import { sql } from '../db/sql.ts'
import { refuse, refuseField } from '../refusal.ts'
import { digest } from '../vault/tokens.ts'

export interface StoredAnswer {
  readonly status: number
  readonly headers: Record<string, string | string[]>
  readonly body: string
}

type Slot = NonNullable<Call['idempotency']>

const RUNNING_SECONDS = 60

export function slotOf(header: string | string[] | undefined, id: OperationId, path: string, caller: Caller): Slot | undefined {
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(header))
    refuseField('Idempotency-Key', 'must have 1 to 255 visible ASCII characters')
  const who = caller.class === 'session' ? `user:${caller.user.id}` : `key:${caller.key.id}`
  return { caller: who, operation: id, pathHash: digest(path), key: header as string }
}

const where = (slot: Slot) =>
  sql`caller = ${slot.caller} and operation = ${slot.operation} and path_hash = ${slot.pathHash} and key = ${slot.key}`

const binding = (slot: Slot) => ['idempotency', slot.caller, slot.operation, slot.pathHash.toString('base64url'), slot.key]

/** Claims the key for this request, or gives the first answer back. Authorization has been checked again by now. */
export async function claim({ db, vault }: Parts, slot: Slot, body: unknown): Promise<StoredAnswer | undefined> {
  const bodyHash = digest(JSON.stringify(body ?? null))
  // A claim that never committed and is old belongs to a process that died before it changed anything: it may be taken over.
  const [mine] = await db.query(sql`
    insert into idempotency as i (caller, operation, path_hash, key, body_hash)
    values (${slot.caller}, ${slot.operation}, ${slot.pathHash}, ${slot.key}, ${bodyHash})
    on conflict (caller, operation, path_hash, key) do update set started_at = now(), body_hash = excluded.body_hash, committed_at = null, answer = null
      where i.started_at < now() - interval '24 hours'
        or (i.committed_at is null and i.answer is null and i.started_at < now() - make_interval(secs => ${RUNNING_SECONDS}))
    returning key`)
  if (mine) return undefined
  const [first] = await db.query<{ body_hash: Buffer; answer: string | null; committed: boolean }>(
    sql`select body_hash, answer, committed_at is not null as committed from idempotency where ${where(slot)}`,
  )
  if (!first) return refuse('request_running') // it was refused and let go between our two statements
  if (!first.body_hash.equals(bodyHash)) refuse('idempotency_mismatch')
  if (first.answer) return JSON.parse(vault.open(first.answer, binding(slot)))
  return refuse(first.committed ? 'answer_lost' : 'request_running', { headers: { 'retry-after': '1' } })
}

/** Keeps the answer, sealed. A raw key is shown once and never again, so a replay comes without it. */
export async function keep({ db, vault }: Parts, slot: Slot, answer: StoredAnswer): Promise<void> {
  const stored = { ...answer, body: withoutRawKey(answer.body), headers: withoutCookies(answer.headers) }
  await db.query(sql`update idempotency set answer = ${vault.seal(JSON.stringify(stored), binding(slot))} where ${where(slot)}`)
}

/** Refused: nothing was changed, so the same key may try again. */
export async function letGo({ db }: Parts, slot: Slot): Promise<void> {
  await db.query(sql`delete from idempotency where ${where(slot)} and committed_at is null and answer is null`)
}

function withoutRawKey(body: string): string {
  if (!body.includes('"key":"adj_')) return body
  const { key, ...rest } = JSON.parse(body)
  return JSON.stringify(rest)
}

function withoutCookies({ 'set-cookie': _, ...headers }: StoredAnswer['headers']) {
  return headers
}
