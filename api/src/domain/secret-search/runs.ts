/**
 * Every run of 16 or more characters of many secrets, found at once: four characters in a row are looked at in so few
 * places that every run holds one of these, and what stands around four that a secret has too is compared with it.
 */
import { mayBePacked } from './packed-signs.ts'

export type Span = [from: number, to: number]

/** What `mayBePacked` says of a place. It must search nothing meanwhile. */
export type PackedAt = (at: number, how: number) => void

export interface RunFinder {
  /** Where they stand, in their order; spans may overlap. Where something may be packed, `packedAt` is told. */
  find(bytes: Uint8Array, packedAt?: PackedAt): Span[]
  /** Where the longest end of `bytes` begins that may become one; their number where there is none. */
  openEnd(bytes: Uint8Array): number
}

/** What may be left of a secret is shorter than this. */
export const RUN = 16
const FOUR = 4
/** Of an end that is not the beginning of a secret: less of it would be in nearly every text. */
const SHORTEST_END = 4
/** Four characters that come again and again in a secret, each time among others, are compared at so many places. */
const MOST_PLACES = 64

/** Bytes of which the places are collected before they are looked at one by one: so the loop over nearly all bytes has nothing else in it. */
const AT_ONCE = 8192
const found = new Uint32Array(AT_ONCE)
let foundCount = 0

/** Of four characters, in a secret. */
interface Place {
  readonly secret: Uint8Array
  readonly at: number
}

/** Few enough bits for a table that stays in the processor's nearest memory. */
const hashOf = (four: number): number => Math.imul(four, 0x9e3779b1) >>> 18

/**
 * Secrets of at least twelve bytes. Those of fewer than sixteen are found whole. With `beginnings`, in latin1, what they
 * and parts of them begin with.
 */
export function createRunFinder(secrets: readonly Uint8Array[], beginnings: readonly string[]): RunFinder {
  const step = Math.min(RUN, ...secrets.map(({ length }) => length)) - FOUR + 1
  const places = new Map<number, Place[]>()
  const known = new Uint8Array(1 << 14)
  for (const secret of secrets)
    for (let at = 0; at + FOUR <= secret.length; at++) {
      const four = secret[at]! | (secret[at + 1]! << 8) | (secret[at + 2]! << 16) | (secret[at + 3]! << 24)
      const same = places.get(four) ?? []
      if (same.length >= MOST_PLACES || same.some((place) => isAlike(place, { secret, at }))) continue
      places.set(four, [...same, { secret, at }])
      known[hashOf(four)] = 1
    }
  const firsts = new Uint8Array(256)
  for (const text of beginnings) firsts[text.charCodeAt(0)] = 1
  const all = secrets.map(latin1)
  const other = Number(secrets.some((secret) => secret.some((byte) => byte >= 0x80)))
  /** Of all places up to `last`, those from `from` on where there may be something, as many as there is room for; returns the next. */
  const collect = (view: DataView, from: number, last: number): number => {
    const until = Math.min(last, from + AT_ONCE)
    let i = from
    let count = 0
    for (; i <= until; i += step) {
      const four = view.getInt32(i, true)
      if (known[hashOf(four)]! | mayBePacked(four, view.getInt32(i + FOUR, true), other)) found[count++] = i
    }
    foundCount = count
    return i
  }

  return {
    find(bytes, packedAt) {
      const spans: Span[] = []
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
      const last = bytes.length - FOUR
      const addRun = (i: number, four: number) => {
        const ending = spans.at(-1)
        // All sixteen that these four could be in are masked.
        const isSeen = ending && ending[0] <= i + FOUR - RUN && ending[1] >= i + RUN
        const span = known[hashOf(four)] && !isSeen ? runAround(bytes, i, places.get(four)) : undefined
        if (span) spans.push(span)
      }
      let i = 0
      while (i + FOUR <= last) {
        i = collect(view, i, last - FOUR)
        for (let n = 0; n < foundCount; n++) {
          const four = view.getInt32(found[n]!, true)
          const how = packedAt ? mayBePacked(four, view.getInt32(found[n]! + FOUR, true), other) : 0
          if (how) packedAt!(found[n]!, how)
          addRun(found[n]!, four)
        }
      }
      for (; i <= last; i += step) addRun(i, view.getInt32(i, true))
      return spans
    },
    openEnd(bytes) {
      const end = latin1(bytes.subarray(Math.max(0, bytes.length - RUN + 1)))
      let open = SHORTEST_END - 1
      while (open < end.length && all.some((secret) => secret.includes(end.slice(-open - 1)))) open++
      if (open >= SHORTEST_END) return bytes.length - open
      for (open = Math.min(open, end.length); open > 0; open--)
        if (firsts[bytes[bytes.length - open]!] && beginnings.some((text) => text.startsWith(end.slice(-open)))) break
      return bytes.length - open
    },
  }
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')

/** Nothing that is around one of them as far as a run of sixteen goes is different around the other. */
function isAlike(one: Place, other: Place): boolean {
  if (Math.min(RUN, one.secret.length) !== Math.min(RUN, other.secret.length)) return false
  for (let i = FOUR - RUN; i < RUN; i++) if (one.secret[one.at + i] !== other.secret[other.at + i]) return false
  return true
}

/** What of secrets stands around the four bytes at `at`; what goes further back has others in it. */
function runAround(bytes: Uint8Array, at: number, places: readonly Place[] = []): Span | undefined {
  let [from, to] = [at, at]
  for (const { secret, at: place } of places) {
    const mostBefore = Math.min(place, at, RUN)
    let before = 0
    while (before < mostBefore && bytes[at - before - 1] === secret[place - before - 1]) before++
    const mostAfter = Math.min(secret.length - place, bytes.length - at)
    let after = FOUR
    while (after < mostAfter && bytes[at + after] === secret[place + after]) after++
    if (before + after < Math.min(RUN, secret.length)) continue
    from = Math.min(from, at - before)
    to = Math.max(to, at + after)
  }
  return to > at ? [from, to] : undefined
}
