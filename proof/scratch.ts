// A folder of a proof's own. However the proof ends,
// by an interruption too, no PostgreSQL runs on in it, and it is gone.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders = new Set<string>()

export function scratchFolder(name = 'proof'): string {
  const folder = mkdtempSync(join(tmpdir(), `adjoin-${name}-`))
  folders.add(folder)
  return folder
}

export function removeScratch(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  folders.delete(folder)
}

/** Kills the PostgreSQL of a folder, if it lives. */
export function killDatabaseIn(folder: string): void {
  try {
    process.kill(Number(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n', 1)[0]), 'SIGKILL')
  } catch {
    // It is dead already, or never was.
  }
}

process.on('exit', () => {
  for (const folder of folders) {
    killDatabaseIn(folder)
    removeScratch(folder)
  }
})
// Without these a signal ends the process with no exit to speak of. Not `once`: npm passes on what
// the terminal sent to us as well, and the second one, in the middle of cleaning up, must not end it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130))
