export interface Random {
  /** From 0 up to, but not including, 1. */
  next(): number
  below(limit: number): number
  chance(share: number): boolean
  pick<T>(items: readonly T[]): T
}

/** Mulberry32: small, and the same on every machine, so that a seed names a run. */
export function random(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { next, below, chance: (share) => next() < share, pick: (items) => items[below(items.length)]! }
}
