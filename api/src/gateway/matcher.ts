// Many byte strings searched for at once (Wu–Manber): most positions are skipped by looking at three bytes.

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

/**
 * Three bytes as one number, small enough for a table that stays in the processor's nearest memory.
 * Two would be in some pattern or other nearly everywhere in a text; where numbers meet, less is skipped.
 */
const gram = (a: number, b: number, c: number): number => ((a << 7) ^ (b << 4) ^ c) & 0x3fff

/** Patterns of at least three bytes. */
export function createMatcher(patterns: readonly Uint8Array[]): Matcher {
  const shortest = Math.min(...patterns.map(({ length }) => length))
  const longest = Math.max(0, ...patterns.map(({ length }) => length))
  const shift = new Uint8Array(0x4000).fill(Math.min(255, shortest - 2))
  /** By the three bytes that end the part of a pattern that all of them have the length of. */
  const ending = new Map<number, Uint8Array[]>()
  const beginning = new Map<number, Uint8Array[]>()
  for (const pattern of patterns) {
    beginning.set(pattern[0]!, [...(beginning.get(pattern[0]!) ?? []), pattern])
    for (let i = 2; i < shortest; i++) {
      const three = gram(pattern[i - 2]!, pattern[i - 1]!, pattern[i]!)
      shift[three] = Math.min(shift[three]!, shortest - 1 - i)
    }
    const last = gram(pattern[shortest - 3]!, pattern[shortest - 2]!, pattern[shortest - 1]!)
    ending.set(
      last,
      [...(ending.get(last) ?? []), pattern].sort((a, b) => b.length - a.length),
    )
  }
  const begins = new Uint8Array(256)
  for (const first of beginning.keys()) begins[first] = 1

  return {
    find(bytes) {
      const hits: Hit[] = []
      for (let i = shortest - 1; i < bytes.length; ) {
        const three = gram(bytes[i - 2]!, bytes[i - 1]!, bytes[i]!)
        const skip = shift[three]!
        if (skip) {
          i += skip
          continue
        }
        const at = i - shortest + 1
        const found = ending.get(three)?.find((pattern) => startsAt(bytes, at, pattern, pattern.length))
        if (found) hits.push({ at, length: found.length })
        i++
      }
      return hits
    },
    openEnd(bytes) {
      for (let at = Math.max(0, bytes.length - longest + 1); at < bytes.length; at++) {
        if (!begins[bytes[at]!]) continue
        const left = bytes.length - at
        if (beginning.get(bytes[at]!)!.some((pattern) => pattern.length > left && startsAt(bytes, at, pattern, left))) return at
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
