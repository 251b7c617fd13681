// What is derived from a table is whole in the slow half of the tests. The quick half takes a sample, the same in every
// run: a failure that comes and goes with the sample could not be looked into.
import { createHash } from 'node:crypto'

export const QUICK = process.env.TESTS === 'quick'

/** As few as show every pair once, in an order by hash, so that they spread over the table. */
export function byPairs<T>(all: readonly T[], pairsOf: (one: T) => readonly string[]): readonly T[] {
  if (!QUICK) return all
  const rows = all.map((one) => {
    const pairs = pairsOf(one)
    return { one, pairs, rank: createHash('sha1').update(pairs.join()).digest('hex') }
  })
  const seen = new Set<string>()
  const kept = new Set<T>()
  for (const { one, pairs } of rows.toSorted((a, b) => (a.rank < b.rank ? -1 : 1))) {
    if (pairs.some((pair) => !seen.has(pair))) kept.add(one)
    for (const pair of pairs) seen.add(pair)
  }
  return all.filter((one) => kept.has(one))
}

/** Every n-th, from `turn` on, in both halves: lists that begin at different turns have all of it together. */
export const share = <T>(all: readonly T[], n: number, turn: number): readonly T[] => all.filter((_, i) => (i + turn) % n === 0)

/** The same in the quick half only. */
export const inTurns = <T>(all: readonly T[], n: number, turn = 0): readonly T[] => (QUICK ? share(all, n, turn) : all)
