// What takes long to make and is wanted again soon: kept for a while after its last use, and only so many.

export interface Kept<T> {
  /** The one that is kept for this key, or a new one. */
  of(key: string, make: () => T): T
}

/** `keepMs`: it is gone at the latest after twice that time without a use. No timer runs while nothing is kept. */
export function keepFor<T>(keepMs: number, most: number): Kept<T> {
  // Two generations: what was used since the last turn, and what was used in the one before.
  let young = new Map<string, T>()
  let old = new Map<string, T>()
  let timer: NodeJS.Timeout | undefined
  const turn = () => {
    old = young
    young = new Map()
    timer = old.size ? setTimeout(turn, keepMs).unref() : undefined
  }
  return {
    of(key, make) {
      const kept = young.get(key)
      if (kept !== undefined) return kept
      const found = old.get(key) ?? make()
      young.set(key, found)
      if (young.size * 2 >= most) {
        clearTimeout(timer)
        turn()
      }
      timer ??= setTimeout(turn, keepMs).unref()
      return found
    },
  }
}
