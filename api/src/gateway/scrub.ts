// The second line of defence: no secret leaves in an answer,
// however it is spelled and wherever the stream happens to be cut.
import { createSecretSearch, KEPT, type SecretSearch, WORTH_A_COPY } from '../domain/secret-search/search.ts'
import { isEscaped } from '../domain/secret-search/unescaped.ts'

const MASK = 0x2a
/** A spelling that takes more for sixteen characters is not followed from one chunk to the next. */
const MOST_KEPT = 32 << 10
/** Signs in a row that something may be packed in. */
const SHORTEST_PACKED = 16

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
  const search = createSecretSearch(secrets)
  const scrubber = () => (search ? scrubberOf(search) : PASSING)
  return {
    scrubber,
    // No spelling is shorter than the secret: most headers need no search.
    text: (text) => (!search || text.length < search.shortest ? text : scrubber().whole(Buffer.from(text)).toString()),
  }
}

const NOTHING = Buffer.alloc(0)
const PASSING: Scrubber = { push: (chunk) => chunk, end: () => NOTHING, whole: (bytes) => bytes, count: 0 }

function scrubberOf({ look }: SecretSearch): Scrubber {
  /** The end of what went on, as it was: a secret may go on in what follows. */
  let before: Buffer = NOTHING
  let held: Buffer = NOTHING
  /** What went on ended in the middle of a secret, as far as is known. */
  let within = false
  let count = 0

  /** Masks what stands in `bytes`, the first of which have gone on already. */
  const pass = (bytes: Buffer, gone: number, last: boolean, crossing = 0): Buffer => {
    const { spans, open, kept } = look(bytes, !last)
    const ending = spans.at(-1)
    // A secret that is masked to the end needs not be held back.
    let until =
      last || (ending && ending[0] <= open && ending[1] === bytes.length) ? bytes.length : Math.max(gone, open, bytes.length - MOST_KEPT)
    if (crossing > until) until = crossing
    held = copyOf(bytes, until, bytes.length)
    before = last ? NOTHING : copyOf(bytes, Math.max(0, Math.min(kept, until - KEPT), until - MOST_KEPT), until)
    bytes.fill(MASK, 0, crossing)
    for (const [from, to] of spans) {
      if (from >= until || to <= gone) continue
      if (from >= Math.max(gone, crossing) || !within) count++
      bytes.fill(MASK, Math.max(from, gone), Math.min(to, until))
    }
    within = ending !== undefined && ending[1] >= until
    return bytes.subarray(gone, until)
  }
  /** Until where a secret goes on from what went on before. */
  const across = (chunk: Buffer): number => {
    const seam = Buffer.concat([before, chunk.subarray(0, KEPT)])
    const [, to = 0] = look(seam, false).spans.find(([from, to]) => from < before.length && to > before.length) ?? []
    if (to && !within) count++
    return Math.max(0, to - before.length)
  }
  return {
    push(chunk) {
      if (!chunk.length) return chunk
      if (!held.length && (!before.length || (chunk.length >= WORTH_A_COPY && isPlain(before, chunk))))
        return pass(chunk, 0, false, before.length ? across(chunk) : 0)
      const gone = before.length
      return pass(Buffer.concat([before, held, chunk]), gone, false)
    },
    end: () => pass(Buffer.concat([before, held]), before.length, true),
    whole: (bytes) => pass(bytes, 0, true),
    get count() {
      return count
    },
  }
}

const copyOf = (bytes: Buffer, from: number, to: number): Buffer => (from < to ? Buffer.from(bytes.subarray(from, to)) : NOTHING)

/** Nothing that is escaped or packed goes across from one to the other. */
function isPlain(before: Buffer, after: Buffer): boolean {
  let from = before.length
  while (from > 0 && isPacking[before[from - 1]!]) from--
  let to = 0
  while (to < after.length && to < SHORTEST_PACKED && isPacking[after[to]!]) to++
  const across = from === before.length || to === 0 ? 0 : before.length - from + to
  return across < SHORTEST_PACKED && to < SHORTEST_PACKED && !isEscaped(before) && !isEscaped(after)
}

const isPacking = Uint8Array.from({ length: 256 }, (_, byte) => Number(/[A-Za-z0-9+/_\-\s]/.test(String.fromCharCode(byte))))
