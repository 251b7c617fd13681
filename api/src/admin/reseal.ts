// Moves everything sealed to the ring's first key:
// in batches, beside live writes, resumable at any point because what is done is done.
import type { Database } from '../db/pool.ts'
import type { Row } from '../db/sql.ts'
import { FIRST, keyCounts, LOWEST_UUID, type SealedColumn, sealedColumns } from '../features/infra/sealed-columns.ts'
import { isSealBroken, type Vault } from '../vault/seal.ts'
import type { Progress } from './backup.ts'

export interface ResealProgress extends Progress {
  readonly unreadable: number
}

const BATCH = 100

export async function reseal(db: Database, vault: Vault, onProgress: (progress: ResealProgress) => void): Promise<ResealProgress> {
  const [first] = vault.keyIds
  const total = (await keyCounts(db)).filter(({ key }) => key !== first).reduce((sum, { count }) => sum + count, 0)
  let done = 0
  let unreadable = 0
  for (const column of sealedColumns)
    for await (const step of walk(db, vault, column, first!)) {
      done += step.done
      unreadable += step.unreadable
      onProgress({ done, total, unreadable })
    }
  return { done, total, unreadable }
}

async function* walk(
  db: Database,
  vault: Vault,
  column: SealedColumn,
  keyId: string,
): AsyncGenerator<{ done: number; unreadable: number }> {
  for (let after = FIRST[column.name] ?? LOWEST_UUID; ; ) {
    const rows = await db.query(column.next(keyId, after, BATCH))
    if (!rows.length) return
    const outcomes = await Promise.all(rows.map((row) => resealRow(db, vault, column, row)))
    const unreadable = outcomes.filter((done) => !done).length
    after = rows.at(-1)!.id
    yield { done: rows.length - unreadable, unreadable }
  }
}

/** False: it does not open, and is left as it is. Its key may come back. */
async function resealRow(db: Database, vault: Vault, column: SealedColumn, row: Row): Promise<boolean> {
  const binding = column.binding(row)
  try {
    await db.query(column.replace(row, vault.seal(vault.open(row.sealed, binding), binding)))
    return true
  } catch (error) {
    if (isSealBroken(error)) return false
    throw error
  }
}
