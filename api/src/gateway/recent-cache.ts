// Values that take long to make and are likely to be needed again soon.
// Each is kept for a while after its last use, and only so many at once.

export interface RecentCache<T> {
  /** The value kept for this key, or a new one. */
  getOrMake(key: string, make: () => T): T
}

/** A value is gone at the latest `2 * keepMs` after its last use. No timer runs while nothing is kept. */
export function createRecentCache<T>(keepMs: number, maxSize: number): RecentCache<T> {
  // Two generations: values used since the last turn, and values used only in the one before.
  let young = new Map<string, T>()
  let old = new Map<string, T>()
  let timer: NodeJS.Timeout | undefined
  const turn = () => {
    old = young
    young = new Map()
    timer = old.size ? setTimeout(turn, keepMs).unref() : undefined
  }
  return {
    getOrMake(key, make) {
      const recent = young.get(key)
      if (recent !== undefined) return recent
      const value = old.get(key) ?? make()
      young.set(key, value)
      if (young.size * 2 >= maxSize) {
        clearTimeout(timer)
        turn()
      }
      timer ??= setTimeout(turn, keepMs).unref()
      return value
    },
  }
}
