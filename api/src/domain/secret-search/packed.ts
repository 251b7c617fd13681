// Runs of characters that may be base64 or hexadecimal digits, and the texts that are packed in them:
// at each place where they could begin, also with line breaks in between.
import { ONLY_DIGITS, SIX } from './packed-signs.ts'
import type { PackedAt, Span } from './runs.ts'
import { beginOf, endOf, SPACES } from './stretches.ts'
import { HEX } from './unescaped.ts'

/** Part of an unpacked run that reads as text. */
export interface UnpackedText {
  readonly bytes: Uint8Array
  /** Where the characters that each byte is packed in begin and end. */
  readonly from: Uint32Array
  readonly to: Uint32Array
  /** It goes to the end of what is there. */
  readonly open: boolean
}

export interface Unpacking {
  /** Shorter texts are not looked for. */
  readonly least: number
  /** The bytes that a text is made of. */
  readonly text: Uint8Array
  /** All of them are ASCII: most of what is no text is recognized by its bits. */
  readonly ascii: boolean
  /** More may follow: a run at the end may be the beginning of a longer one. */
  readonly open: boolean
  found(text: UnpackedText): void
  /** Where the last sign of a run stands that goes to the end: it may have the first bits of a text. */
  ends(at: number): void
}

/** They may stand for six bits each. */
const IN_SIXES = Uint8Array.from(SIX, (bits) => Number(bits >= 0))

export interface Stretches {
  /** Adds what goes over this place, if it is long enough. */
  add: PackedAt
  /** Unpacks them, and what goes to the end. */
  unpack(unpacking: Unpacking): void
}

/** A run of signs that something may be packed in; it has at least so many bytes. */
export function createStretches(bytes: Uint8Array, leastBytes: number): Stretches {
  const least = Math.ceil((leastBytes * 8) / 6)
  const stretches: Span[] = []
  let seen = 0
  return {
    add(at, how) {
      if (at < seen) return
      // So many digits are behind one of the places that are looked at.
      const far = bytes[at + leastBytes + 3]
      if (how === ONLY_DIGITS && (far === undefined || (HEX[far]! < 0 && !SPACES[far]))) return
      const from = beginOf(bytes, IN_SIXES, at, seen)
      if (from > at) return
      seen = endOf(bytes, IN_SIXES, at)
      if (seen - from >= least) stretches.push([from, seen])
    },
    unpack(unpacking) {
      for (const [from, to] of stretches) unpackRun(bytes, from, to, unpacking)
      const rest = stretches.at(-1)?.[1] ?? 0
      if (!unpacking.open || rest === bytes.length) return
      const last = beginOf(bytes, IN_SIXES, bytes.length - 1, rest)
      if (last < bytes.length) unpackRun(bytes, last, bytes.length, unpacking)
    },
  }
}

/** The signs of a run without what stands between them. */
interface Signs {
  readonly signs: Uint8Array
  /** Where each of them stands, counted from `start`; undefined where nothing stands between them. */
  readonly places: Uint32Array | undefined
  readonly start: number
  readonly open: boolean
}

function unpackRun(bytes: Uint8Array, from: number, to: number, unpacking: Unpacking): void {
  const run = { ...together(bytes, from, to), open: unpacking.open && to === bytes.length }
  for (let phase = 0; phase < 4; phase++) unpackSixes(run, phase, unpacking)
  unpackHex(run, unpacking)
  if (run.open && IN_SIXES[bytes[to - 1]!] && endsWithBits(run)) unpacking.ends(to - 1)
}

/** The last sign may have the first bits of an ASCII character, wherever the run may begin. */
function endsWithBits({ signs }: Signs): boolean {
  const last = signs.at(-1)!
  return [32, 8, 2].some((highest, before) => before < signs.length && !(SIX[last]! & highest)) || (HEX[last]! >= 0 && HEX[last]! < 8)
}

function together(bytes: Uint8Array, from: number, to: number): Omit<Signs, 'open'> {
  let first = from
  while (first < to && !SPACES[bytes[first]!]) first++
  if (first === to) return { signs: bytes.subarray(from, to), places: undefined, start: from }
  const [signs, places] = [new Uint8Array(to - from), new Uint32Array(to - from)]
  let count = 0
  for (let i = from; i < to; i++) {
    if (SPACES[bytes[i]!]) continue
    signs[count] = bytes[i]!
    places[count++] = i - from
  }
  return { signs: signs.subarray(0, count), places, start: from }
}

/** Nearly all that is no base64 is told apart by a few looks: groups of four signs that stand for ASCII are rare in it. */
function unpackSixes(run: Signs, phase: number, unpacking: Unpacking): void {
  const { signs, open } = run
  const count = Math.floor((signs.length - phase) / 4)
  // A text has so many groups that are all its own.
  const whole = Math.floor((unpacking.least - 2) / 3)
  let start = 0
  let unpacked = 0
  const unpackGroups = (from: number, to: number) => {
    unpacked = to
    texts(inSixes(run, phase + 4 * from, Math.min(signs.length, phase + 4 * to)), unpacking)
  }
  for (let group = whole - 1; group < count; ) {
    let i = group
    while (i >= start && isAscii(signs, phase + 4 * i, unpacking)) i--
    if (i >= start) {
      start = i + 1
      group = i + whole
      continue
    }
    let end = group + 1
    while (end < count && isAscii(signs, phase + 4 * end, unpacking)) end++
    // What is beside them may have a byte or two of it.
    unpackGroups(Math.max(0, start - 1), end + 1)
    start = end + 1
    group = end + whole
  }
  if (open && unpacked <= count) unpackGroups(Math.max(0, count - whole - 1), count + 1)
}

const isAscii = (signs: Uint8Array, at: number, { ascii }: Unpacking): boolean =>
  !ascii || !(SIX[signs[at]!]! & 32 || SIX[signs[at + 1]!]! & 8 || SIX[signs[at + 2]!]! & 2)

function inSixes(run: Signs, start: number, end: number): UnpackedText {
  const { signs } = run
  const text = room(run, Math.max(0, Math.floor(((end - start) * 6) / 8)), end)
  for (let i = 0, at = start; i < text.bytes.length; i++, at++) {
    const third = i % 3
    if (i && !third) at++
    const shift = 2 * third + 2
    text.bytes[i] = (SIX[signs[at]!]! << shift) | (SIX[signs[at + 1]!]! >> (6 - shift))
    setPlace(run, text, i, at)
  }
  return text
}

function unpackHex(run: Signs, unpacking: Unpacking): void {
  const { signs, open } = run
  const end = signs.length
  const least = 2 * unpacking.least
  for (let start = 0; start < end; ) {
    // From the last digit that a run of the least length would have: most are none.
    let i = Math.min(end, start + least) - 1
    if (i - start + 1 < (open ? 2 : least)) return
    while (i >= start && HEX[signs[i]!]! >= 0) i--
    if (i >= start) {
      start = i + 1
      continue
    }
    let to = Math.min(end, start + least)
    while (to < end && HEX[signs[to]!]! >= 0) to++
    for (let phase = 0; phase < 2; phase++) texts(inDigits(run, start + phase, to), unpacking)
    start = to + 1
  }
}

function inDigits(run: Signs, start: number, end: number): UnpackedText {
  const text = room(run, Math.max(0, (end - start) >> 1), end)
  for (let i = 0, at = start; i < text.bytes.length; i++, at += 2) {
    text.bytes[i] = (HEX[run.signs[at]!]! << 4) | HEX[run.signs[at + 1]!]!
    setPlace(run, text, i, at)
  }
  return text
}

const room = ({ signs, open }: Signs, count: number, end: number): UnpackedText => ({
  bytes: new Uint8Array(count),
  from: new Uint32Array(count),
  to: new Uint32Array(count),
  open: open && end === signs.length,
})

/** A byte is packed in two signs. */
function setPlace({ places, start }: Signs, { from, to }: UnpackedText, i: number, at: number): void {
  from[i] = start + (places ? places[at]! : at)
  to[i] = start + (places ? places[at + 1]! : at + 1) + 1
}

/** The parts of it that are long enough and read as text. */
function texts({ bytes, from, to, open }: UnpackedText, { least, text, found }: Unpacking): void {
  for (let i = 0; i < bytes.length; i++) {
    const start = i
    while (i < bytes.length && text[bytes[i]!]) i++
    const goesOn = open && i === bytes.length
    if (i > start && (i - start >= least || goesOn))
      found({ bytes: bytes.subarray(start, i), from: from.subarray(start, i), to: to.subarray(start, i), open: goesOn })
  }
}
