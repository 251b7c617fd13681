// The disk of the embedded PostgreSQL is full: first its tables cannot grow, then not even its log.
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { runningEmbedded } from '../../api/src/db/embedded.ts'
import type { Finding, Size } from '../finding.ts'
import { killDatabaseIn } from '../scratch.ts'
import { type FaultKind, playKind } from './kind.ts'
import { createServiceUnderLoad } from './service-under-load.ts'

const NAME = 'disk full for 5 s, under tables and log alike'
/**
 * Each round leaves the log a file of 16 MB longer:
 * room enough that what is full in the end is the filler's doing.
 */
const SIZE = '600m'

export async function* diskFaults(size: Size): AsyncGenerator<Finding> {
  const disk = mkdtempSync(join(tmpdir(), 'adjoin-proof-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=0755`, 'tmpfs', disk], { stdio: 'pipe' })
  } catch {
    rmSync(disk, { recursive: true })
    yield { tried: NAME, found: 'not run: only root may mount a small disk here' }
    return
  }
  const release = () => {
    killDatabaseIn(join(disk, 'data'))
    execFileSync('umount', ['--lazy', disk])
    rmSync(disk, { recursive: true })
  }
  process.once('exit', release)
  try {
    const subject = await createServiceUnderLoad({ DATA_DIR: join(disk, 'data') })
    try {
      yield await playKind(subject, full(disk), size)
    } finally {
      await subject.remove()
    }
  } finally {
    process.off('exit', release)
    release()
  }
}

const full = (disk: string): FaultKind => ({
  name: NAME,
  refusals: ['unavailable', 'outcome_unknown'],
  // A database that died of it is started again, at first at once, then every 5 s.
  withinMs: 20_000,
  cause: async () => {
    const filler = join(disk, 'filler')
    fill(filler)
    await sleep(1500)
    await fillLog(join(disk, 'data'))
    await sleep(3500)
    rmSync(filler)
  },
})

function fill(file: string): void {
  try {
    for (;;) appendFileSync(file, Buffer.alloc(65_536))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}

/**
 * The log is kept in files of a fixed size, some of them ready for use:
 * each switch takes one, until a new one cannot be made.
 */
async function fillLog(dataDir: string): Promise<void> {
  const connection = runningEmbedded(dataDir)
  if (!connection) return
  const client = new pg.Client(connection)
  client.on('error', () => {})
  try {
    await client.connect()
    for (let i = 0; i < 10; i++) await client.query(`select pg_switch_wal(), pg_logical_emit_message(false, 'proof', 'x')`)
  } catch {
    // It died of it, as it should.
  } finally {
    await client.end().catch(() => {})
  }
}
