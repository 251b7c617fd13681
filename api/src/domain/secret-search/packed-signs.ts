// Whether something may be packed where eight bytes stand, told without a branch from what is known of each two of them:
// wrong now and then where nothing is, never where something is.
import { isBreak, SPACES } from './stretches.ts'
import { HEX } from './unescaped.ts'

/** What a sign stands for in base64. */
export const SIX = new Int8Array(256).fill(-1)
for (const [value, sign] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  SIX[sign.charCodeAt(0)] = value
SIX['-'.charCodeAt(0)] = 62
SIX['_'.charCodeAt(0)] = 63

/** Of two bytes: each may be the first of four signs, both are digits, there is no line break, both are signs or spaces; the first is a space. */
const [FIRSTS, DIGITS, UNBROKEN, SIGNS_BIT, SPACE_BIT] = [3, 4, 8, 4, 5]
/** What only hexadecimal digits may be packed in. */
export const ONLY_DIGITS = DIGITS

/** By two bytes, the lower one first. */
const PAIRS = new Uint8Array(1 << 16)
for (let two = 0; two < 256; two++)
  for (let one = 0; one < 256; one++) {
    const [isFirst, areFirst] = [one, two].map((sign) => Number(SIX[sign]! >= 0 && !(SIX[sign]! & 32)))
    const areDigits = HEX[one]! >= 0 && HEX[two]! >= 0
    const isBroken = isBreak(one) || isBreak(two)
    // A blank is among them behind a line break only.
    const areSigns = (SIX[one]! >= 0 || SPACES[one]! > 0) && (SIX[two]! >= 0 || isBreak(two) || (SPACES[two]! > 0 && SPACES[one]! > 0))
    PAIRS[one | (two << 8)] =
      isFirst! |
      (areFirst! << 1) |
      (areDigits ? DIGITS : 0) |
      (isBroken ? 0 : UNBROKEN) |
      (Number(areSigns) << SIGNS_BIT) |
      (Number(SPACES[one]! > 0) << SPACE_BIT)
  }

/**
 * Not 0: all are signs, and as they are in a text that is packed. In base64 the same sign of each four has its highest
 * bit clear, as ASCII has; hexadecimal digits are all that. Where lines meet there is a break, or an indent behind one.
 * `other`: 1 where more than ASCII may be packed, or else 0.
 */
export function mayBePacked(four: number, next: number, other: number): number {
  const head = PAIRS[four & 0xffff]!
  const odd = head & PAIRS[next & 0xffff]!
  const even = PAIRS[four >>> 16]! & PAIRS[next >>> 16]!
  const all = odd & even
  const like = ((odd | even) & FIRSTS) | (all & DIGITS) | (~all & UNBROKEN) | (head >> SPACE_BIT) | other
  return like & -((all >> SIGNS_BIT) & 1)
}
