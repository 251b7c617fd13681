// Is this database intact? Every audit chain must verify, and the key ring must open everything sealed.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectDatabase } from '../db/connect.ts'
import { installedPrograms } from '../db/embedded-files.ts'
import type { Database } from '../db/pool.ts'
import { FIRST, LOWEST_UUID, type SealedColumn, sealedColumns } from '../features/infra/sealed-columns.ts'
import { isSealBroken, type Vault } from '../vault/seal.ts'
import type { Counts } from './backup-file.ts'
import { restore } from './restore.ts'
import { type BadChain, verifyAudit } from './verify-audit.ts'

export interface Findings {
  readonly chains: number
  readonly entries: number
  readonly bad: readonly BadChain[]
  readonly sealed: number
  readonly unreadable: readonly { column: string; id: string }[]
}

type ShowProgress = (what: string) => (progress: { done: number; total: number }) => void
const BATCH = 500
const noLog = { info() {}, warn() {} }

export async function check(db: Database, vault: Vault, show: ShowProgress): Promise<Findings> {
  const audit = await verifyAudit(db, show('audit entries'))
  const unreadable: { column: string; id: string }[] = []
  let sealed = 0
  for (const column of sealedColumns)
    for await (const { id, opens } of sealedValues(db, vault, column)) {
      sealed++
      if (!opens) unreadable.push({ column: column.name, id })
    }
  return { ...audit, sealed, unreadable }
}

/** Restores the backup into a temporary database, checks that, and deletes it. */
export async function checkBackup(
  file: string,
  vault: Vault,
  show: ShowProgress,
  identity?: string,
): Promise<Findings & { counts: Counts }> {
  refuseWithoutPrograms()
  const dataDir = mkdtempSync(join(tmpdir(), 'adjoin-check-'))
  try {
    const { db, connection, close } = await connectDatabase({ dataDir, max: 2, prepare: true, log: noLog })
    try {
      const counts = await restore(connection, file, show('restoring'), identity)
      return { counts, ...(await check(db, vault, show)) }
    } finally {
      await close()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** A production install brings no PostgreSQL of its own. */
function refuseWithoutPrograms(): void {
  try {
    installedPrograms()
  } catch (error) {
    const instead = 'Point DATABASE_URL to an empty database and run `adjoin-admin restore FILE`, which also checks what it restored.'
    throw new Error(`there is no PostgreSQL here to restore the backup into. ${instead}`, { cause: error })
  }
}

async function* sealedValues(db: Database, vault: Vault, column: SealedColumn): AsyncGenerator<{ id: string; opens: boolean }> {
  for (let after = FIRST[column.name] ?? LOWEST_UUID; ; ) {
    const rows = await db.query(column.next('', after, BATCH)) // no key has the id '', so this finds all of them
    for (const row of rows) yield { id: row.id, opens: canOpen(vault, row.sealed, column.binding(row)) }
    if (rows.length < BATCH) return
    after = rows.at(-1)!.id
  }
}

export function canOpen(vault: Vault, sealed: string, binding: readonly string[]): boolean {
  try {
    vault.open(sealed, binding)
    return true
  } catch (error) {
    if (isSealBroken(error)) return false
    throw error
  }
}
