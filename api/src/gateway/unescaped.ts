// Bytes as they read once `%41`, `\u0041`, `\/` and the like are taken
// for what they stand for, with the way back to where each one stood.

export interface Unescaped {
  readonly bytes: Uint8Array
  /** Where each of them begins, and, as the last one, where they end. */
  readonly offsets: Uint32Array
  /** Where an escape begins that is not all there yet; the length of the source where there is none. */
  readonly complete: number
}

const PERCENT = 0x25
const BACKSLASH = 0x5c
const LETTER_U = 0x75

/** Undefined: nothing in it is escaped, so it reads as it is. */
export function unescaped(source: Buffer): Unescaped | undefined {
  if (!source.includes(PERCENT) && !source.includes(BACKSLASH)) return undefined
  const bytes = new Uint8Array(source.length)
  const offsets = new Uint32Array(source.length + 1)
  let length = 0
  let complete = source.length
  for (let i = 0; i < source.length; ) {
    const { value, width } = read(source, i)
    if (i + width > source.length) {
      complete = i
      break
    }
    bytes[length] = value
    offsets[length++] = i
    i += width
  }
  offsets[length] = complete
  return { bytes: bytes.subarray(0, length), offsets, complete }
}

/** One character of the source. A width past the end says that the rest of an escape is still to come. */
function read(source: Buffer, at: number): { value: number; width: number } {
  const byte = source[at]!
  if (byte === PERCENT) return escapeAt(source, at, at + 1, 2)
  if (byte !== BACKSLASH) return { value: byte, width: 1 }
  const next = source[at + 1]
  if (next === undefined) return { value: byte, width: 2 }
  if (next === LETTER_U) return escapeAt(source, at, at + 2, 4)
  return '"\\/'.includes(String.fromCharCode(next)) ? { value: next, width: 2 } : { value: byte, width: 1 }
}

/** Secrets are ASCII: what stands for more than a byte is as good as any other byte. */
function escapeAt(source: Buffer, at: number, from: number, digits: number): { value: number; width: number } {
  let value = 0
  for (let i = from; i < from + digits; i++) {
    const digit = i < source.length ? hex(source[i]!) : 0
    if (digit < 0) return { value: source[at]!, width: 1 }
    value = value * 16 + digit
  }
  return { value: value < 0x80 ? value : 0, width: from - at + digits }
}

const hex = (byte: number): number =>
  byte >= 0x30 && byte <= 0x39 ? byte - 0x30 : byte >= 0x41 && byte <= 0x46 ? byte - 0x37 : byte >= 0x61 && byte <= 0x66 ? byte - 0x57 : -1
