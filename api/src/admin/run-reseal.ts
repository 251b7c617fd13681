// `adjoin-admin reseal`: first whether every running process can open what it will leave behind, then the work, then what is left to do.
import type { Database } from '../db/pool.ts'
import { processName, type RunningProcess, runningProcesses } from '../features/infra/processes.ts'
import type { Vault } from '../vault/seal.ts'
import { progressBar } from './progress-bar.ts'
import { reseal } from './reseal.ts'

type Say = (text: string) => void

export async function runReseal(db: Database, vault: Vault, anyway: boolean, say: Say): Promise<number> {
  const first = vault.keyIds[0]!
  const lacking = await processesThat(db, ({ keyIds }) => !keyIds.includes(first))
  for (const name of lacking) say(`LACKING  ${name} does not have the key ${first}, so it can’t open what is resealed`)
  if (lacking.length && !anyway) {
    say('nothing was resealed: restart these processes with the new SEAL_KEYS first, or add --anyway')
    return 1
  }
  const bar = progressBar('resealing')
  const { done, unreadable } = await reseal(db, vault, bar.show)
  bar.end()
  // What they have sealed since then is not resealed yet.
  const older = await processesThat(db, ({ keyIds }) => keyIds[0] !== first)
  for (const name of older) say(`OLDER  ${name} still seals with an older key`)
  const next = unreadable
    ? `, ${unreadable} can’t be opened: put their key back into SEAL_KEYS and run this again`
    : older.length
      ? `; restart these processes with ${first} as the first key, and run this again`
      : '; you can remove the older keys from SEAL_KEYS'
  say(`${done} resealed${next}`)
  return unreadable || older.length ? 1 : 0
}

const processesThat = async (db: Database, match: (running: RunningProcess) => boolean): Promise<string[]> =>
  (await runningProcesses(db)).filter(match).map(processName)
