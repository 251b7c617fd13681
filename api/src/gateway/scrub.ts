// The second line of defence: no secret leaves in an answer,
// however it is spelled and wherever the stream happens to be cut.
import { createMatcher, type Matcher } from './matcher.ts'
import { unescaped } from './unescaped.ts'

/** Shorter ones are sent to login paths only, which are closed. */
export const SHORTEST_SECRET = 12
const MASK = 0x2a

export interface Scrubber {
  /**
   * What may go on; an end that could be the beginning of a secret is held back.
   * The chunk is masked in place.
   */
  push(chunk: Buffer): Buffer
  /** What was held back. */
  end(): Buffer
  /** All of it at once: nothing is held back. Masked in place. */
  whole(bytes: Buffer): Buffer
  /** How many secrets were masked. */
  readonly count: number
}

/** For one set of secrets; a scrubber for each answer. */
export interface Scrub {
  scrubber(): Scrubber
  text(text: string): string
}

export function createScrub(secrets: Iterable<string>): Scrub {
  const patterns = [...new Set([...secrets].filter(({ length }) => length >= SHORTEST_SECRET).flatMap(spellings))]
  const matcher = patterns.length ? createMatcher(patterns.map((pattern) => Buffer.from(pattern))) : undefined
  const shortest = Math.min(...patterns.map(({ length }) => length))
  const scrubber = () => (matcher ? scrubberOf(matcher) : PASSING)
  return {
    scrubber,
    // No spelling is shorter than the secret: most headers need no search.
    text: (text) => (text.length < shortest ? text : scrubber().whole(Buffer.from(text)).toString()),
  }
}

const NOTHING = Buffer.alloc(0)
const PASSING: Scrubber = { push: (chunk) => chunk, end: () => NOTHING, whole: (bytes) => bytes, count: 0 }

function scrubberOf(matcher: Matcher): Scrubber {
  let held = NOTHING
  /** How much of what is held back belongs to a secret that has been found already. */
  let known = 0
  let count = 0

  const pass = (bytes: Buffer, last: boolean): Buffer => {
    const { spans, until } = look(matcher, bytes, last)
    const hidden = known
    known = 0
    for (const [from, to] of spans) {
      if (from >= until) continue
      count++
      known = Math.max(known, to - until)
      bytes.fill(MASK, from, Math.min(to, until))
    }
    bytes.fill(MASK, 0, Math.min(hidden, until))
    known = Math.max(known, hidden - until)
    held = until < bytes.length ? Buffer.from(bytes.subarray(until)) : NOTHING
    return bytes.subarray(0, until)
  }
  return {
    push: (chunk) => pass(held.length ? Buffer.concat([held, chunk]) : chunk, false),
    end: () => pass(held, true),
    whole: (bytes) => pass(bytes, true),
    get count() {
      return count
    },
  }
}

/** Where secrets stand, as the bytes are and as they read unescaped, and until where no more can follow. */
function look(matcher: Matcher, bytes: Buffer, last: boolean): { spans: [from: number, to: number][]; until: number } {
  const plain = matcher.find(bytes).map(({ at, length }): [number, number] => [at, at + length])
  const open = last ? bytes.length : matcher.openEnd(bytes)
  const read = unescaped(bytes)
  if (!read) return { spans: plain, until: open }
  const escaped = matcher.find(read.bytes).map(({ at, length }): [number, number] => [read.offsets[at]!, read.offsets[at + length]!])
  const until = last ? open : Math.min(open, read.offsets[matcher.openEnd(read.bytes)]!, read.complete)
  return { spans: [...plain, ...escaped], until }
}

/** As it is, and in base64 at each of the three places it can begin at; escapes are read by `unescaped`. */
function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const encoded = [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/={1,2}$/, '')
    // The characters at both ends that also depend on what stands around it are left out.
    const from = Math.ceil((offset * 8) / 6)
    const to = Math.floor(((offset + bytes.length) * 8) / 6)
    const inner = text.slice(from, to)
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')]
  })
  return [secret, encodeForm(secret), ...encoded]
}

/** A blank may be a plus in a form: no escape, so it is a spelling of its own. */
const encodeForm = (secret: string): string => secret.replaceAll(' ', '+')
