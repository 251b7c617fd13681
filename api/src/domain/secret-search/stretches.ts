// Long stretches of certain characters in a text, with line breaks in between.

const [BREAK, BLANK] = [1, 2]
/** What may stand between the lines of a stretch. */
export const SPACES = new Uint8Array(256)
for (const [spaces, kind] of [['\n\r', BREAK], [' \t', BLANK]] as const) for (const space of spaces) SPACES[space.charCodeAt(0)] = kind // biome-ignore format: a table
const DEEPEST_INDENT = 64

export const isBreak = (byte: number): boolean => SPACES[byte] === BREAK

/** Where the stretch begins that goes over `at`, but not before `start`; behind `at` where there is none. */
export const beginOf = (bytes: Uint8Array, signs: Uint8Array, at: number, start: number): number =>
  Math.max(start, before(bytes, signs, at, start) + 1)

/** Where the stretch ends that goes over `at`. */
export function endOf(bytes: Uint8Array, signs: Uint8Array, at: number): number {
  let to = at + 1
  while (to < bytes.length && (signs[bytes[to]!] || (SPACES[bytes[to]!] && before(bytes, signs, to, to - 1) < to - 1))) to++
  return to
}

/** The last one at or before `at` that belongs to no stretch; one before `start` where there is none. */
function before(bytes: Uint8Array, signs: Uint8Array, at: number, start: number): number {
  let i = at
  while (i >= start) {
    const byte = bytes[i]!
    if (!signs[byte]) {
      if (!SPACES[byte]) return i
      // Blanks belong to it behind a line break only.
      let space = i
      while (SPACES[bytes[space]!] === BLANK && space > 0 && i - space < DEEPEST_INDENT) space--
      if (SPACES[bytes[space]!] !== BREAK) return i
      i = space
    }
    i--
  }
  return i
}
