// How findings are said, the same after every command that looks through a database.

import type { Findings } from './check.ts'
import { say } from './command.ts'
import type { Comparison } from './compare-checkpoints.ts'

export const ofChains = (chains: number, entries: number, bad: number) =>
  `${entries} audit ${entries === 1 ? 'entry' : 'entries'} in ${chains} ${chains === 1 ? 'chain' : 'chains'}, ${bad ? `${bad} broken` : 'all intact'}`

export function printFindings({ chains, entries, bad, sealed, unreadable }: Findings): number {
  for (const { organization, message } of bad) say(`BROKEN  ${organization}: ${message}`)
  for (const { column, id } of unreadable) say(`SEALED  ${column} of ${id} can’t be opened with this key ring`)
  say(ofChains(chains, entries, bad.length))
  say(
    `${sealed} sealed values, ${unreadable.length ? `${unreadable.length} can’t be opened: set SEAL_KEYS to the key ring that sealed them` : 'all can be opened'}`,
  )
  return bad.length || unreadable.length ? 1 : 0
}

export const ofCheckpoints = ({ checkpoints, unreadable, bad }: Comparison) =>
  `${checkpoints} checkpoints compared, ${bad.length ? `${bad.length} trails don’t match them` : 'all match'}${unreadable ? `; ${unreadable} lines can’t be read` : ''}`
