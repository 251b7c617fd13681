// Every organization's chain, as an outsider would check an export of it,
// and against the head that the next entry will be chained to.
import { type ChainedEntry, verifyAuditTrail } from '@adjoin/contract/audit-chain'
import { type EntryRow, oldestWithin, toEntry } from '../audit/read.ts'
import type { Database } from '../db/pool.ts'
import { sql } from '../db/sql.ts'

interface Head {
  id: string
  slug: string
  sequence: number | null
  hash: Buffer | null
}

export interface BadChain {
  readonly organization: string
  /** The first bad entry. Null: the chain has no head. */
  readonly sequence: number | null
  readonly message: string
}

const PAGE = 500

/** Beside live writes: each chain is read up to the head that was there when its turn came. */
export async function verifyAudit(
  db: Pick<Database, 'query'>,
  onProgress: (progress: { done: number; total: number }) => void,
): Promise<{ chains: number; entries: number; bad: BadChain[] }> {
  const heads = await db.query<{ id: string }>(sql`select id from organizations order by slug`)
  const [count] = await db.query<{ total: number }>(sql`select coalesce(sum(sequence), 0)::bigint as total from audit_heads`)
  const bad: BadChain[] = []
  let entries = 0
  for (const { id } of heads) {
    const before = entries
    const [head] = await db.query<Head>(sql`select o.id, o.slug, h.sequence, h.hash from organizations o
      left join audit_heads h on h.organization_id = o.id where o.id = ${id}`)
    if (!head) continue // deleted meanwhile
    const fault = await verifyChain(db, head, (read) => {
      entries = before + read
      onProgress({ done: entries, total: count!.total })
    })
    if (fault) bad.push({ organization: head.slug, ...fault })
  }
  return { chains: heads.length, entries, bad }
}

async function verifyChain(
  db: Pick<Database, 'query'>,
  head: Head,
  progress: (entries: number) => void,
): Promise<Omit<BadChain, 'organization'> | undefined> {
  if (head.sequence === null) return { sequence: null, message: 'The head of the chain is missing, so nothing can be recorded.' }
  const verdict = await verifyAuditTrail(entriesOf(db, head.id, head.sequence), { progress })
  if (verdict.fault) return { sequence: verdict.fault.sequence, message: verdict.fault.message }
  if (verdict.missing) return { sequence: verdict.missing.from, message: `Entry ${verdict.missing.from} is missing.` }
  const last = verdict.last?.sequence ?? 0
  if (last < head.sequence)
    return { sequence: last + 1, message: `Entry ${last + 1} is missing: the chain should end at ${head.sequence}.` }
  if (verdict.last && verdict.last.hash !== head.hash!.toString('hex'))
    return { sequence: last, message: `Entry ${last} is not the one that was recorded last.` }
  return undefined
}

async function* entriesOf(db: Pick<Database, 'query'>, organizationId: string, last: number): AsyncGenerator<ChainedEntry> {
  for (let after = 0; ; ) {
    const rows = await db.query<EntryRow>(oldestWithin(organizationId, {}, after, last, PAGE))
    for (const row of rows) yield { ...toEntry(row), createdAt: row.created_at.toISOString() } as ChainedEntry
    if (rows.length < PAGE) return
    after = rows.at(-1)!.sequence
  }
}
