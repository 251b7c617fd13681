// Many byte strings searched for at once (Wu–Manber): most positions are skipped by looking at two bytes.

export interface Hit {
  readonly at: number
  readonly length: number
}

export interface Matcher {
  /** Of patterns that begin at one place the longest; hits may overlap. */
  find(bytes: Uint8Array): Hit[]
  /**
   * Where the longest end of `bytes` begins that is the beginning
   * of a pattern; its length where there is none.
   */
  openEnd(bytes: Uint8Array): number
}

/** Patterns of at least two bytes. */
export function createMatcher(patterns: readonly Uint8Array[]): Matcher {
  const shortest = Math.min(...patterns.map(({ length }) => length))
  const longest = Math.max(0, ...patterns.map(({ length }) => length))
  const shift = new Uint8Array(65_536).fill(Math.min(255, shortest - 1))
  /** By the two bytes that end the part of a pattern that all of them have the length of. */
  const ending = new Map<number, Uint8Array[]>()
  const beginning = new Map<number, Uint8Array[]>()
  for (const pattern of patterns) {
    beginning.set(pattern[0]!, [...(beginning.get(pattern[0]!) ?? []), pattern])
    for (let i = 1; i < shortest; i++) {
      const pair = (pattern[i - 1]! << 8) | pattern[i]!
      shift[pair] = Math.min(shift[pair]!, shortest - 1 - i)
    }
    const last = (pattern[shortest - 2]! << 8) | pattern[shortest - 1]!
    ending.set(
      last,
      [...(ending.get(last) ?? []), pattern].sort((a, b) => b.length - a.length),
    )
  }

  return {
    find(bytes) {
      const hits: Hit[] = []
      for (let i = shortest - 1; i < bytes.length; ) {
        const pair = (bytes[i - 1]! << 8) | bytes[i]!
        if (shift[pair]) {
          i += shift[pair]!
          continue
        }
        const at = i - shortest + 1
        const found = ending.get(pair)?.find((pattern) => startsAt(bytes, at, pattern, pattern.length))
        if (found) hits.push({ at, length: found.length })
        i++
      }
      return hits
    },
    openEnd(bytes) {
      for (let at = Math.max(0, bytes.length - longest + 1); at < bytes.length; at++) {
        const left = bytes.length - at
        if (beginning.get(bytes[at]!)?.some((pattern) => pattern.length > left && startsAt(bytes, at, pattern, left))) return at
      }
      return bytes.length
    },
  }
}

function startsAt(bytes: Uint8Array, at: number, pattern: Uint8Array, length: number): boolean {
  if (at + length > bytes.length) return false
  for (let i = 0; i < length; i++) if (bytes[at + i] !== pattern[i]) return false
  return true
}
