// Settings of ad systems that nobody reads, because a letter is wrong: their system would silently stay without its app.
import { ConfigurationError } from '../config.ts'
import { providers } from './index.ts'
import { operatorSettings } from './operator-settings.ts'

/** Letters that may be wrong, missing or too many. */
const SLIPS = 3

export const knownSettings: ReadonlySet<string> = new Set(providers.flatMap((provider) => Object.values(operatorSettings(provider)).flat()))

/** Other names that begin with `ADJOIN_` are not ours to judge: the command line and Compose have some. */
export function refuseMisspelledSettings(settings: Readonly<Record<string, string>>): void {
  const faults = Object.keys(settings).flatMap((name) => {
    const meant = knownSettings.has(name) ? undefined : nearest(name)
    return meant ? [`${name} is not a setting. Did you mean ${meant}?`] : []
  })
  if (faults.length) throw new ConfigurationError(faults)
}

function nearest(name: string): string | undefined {
  const [best] = [...knownSettings].map((known) => ({ known, slips: distance(name, known) })).toSorted((a, b) => a.slips - b.slips)
  return best && best.slips <= SLIPS ? best.known : undefined
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++) next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (letter === b[j] ? 0 : 1)))
    row = next
  }
  return row[b.length]!
}
