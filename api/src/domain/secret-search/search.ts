/**
 * Where secrets stand in a text, whole or in runs of 16 characters and more, however they are spelled: with any number
 * of escapes upon escapes, and in base64 or hexadecimal digits, one in the other, up to four deep.
 */
import { createStretches, type UnpackedText } from './packed.ts'
import { createRunFinder, RUN, type RunFinder, type Span } from './runs.ts'
import { isEscaped, unescaped } from './unescaped.ts'

/** Shorter ones could be part of an ordinary word. */
export const SHORTEST_SECRET = 12
const DEEPEST = 4
/** Characters that are read once more together with what follows: more than a run that is too short to be looked into. */
export const KEPT = 48

/** Larger chunks are not copied where that can be avoided. */
export const WORTH_A_COPY = 4096

export interface Seen {
  /** In their order; they touch nowhere. */
  readonly spans: readonly Span[]
  /** Where the first secret may begin that goes on behind the end. */
  readonly open: number
  /** From where on the text must be read again together with what follows. */
  readonly kept: number
}

export interface SecretSearch {
  /** `open`: more may follow. */
  look(bytes: Buffer, open: boolean): Seen
  /** No spelling of a secret is shorter. */
  readonly shortest: number
}

/** Undefined: nothing of it is long enough to be looked for. */
export function createSecretSearch(secrets: Iterable<string>): SecretSearch | undefined {
  const long = [...new Set(secrets)].filter(({ length }) => length >= SHORTEST_SECRET)
  // A blank may be a plus in a form: no escape, so it is a spelling of its own.
  const spelled = long.flatMap((secret) => [secret, secret.replaceAll(' ', '+')])
  const read = spelled
    .map((text) => latin1(unescaped(Buffer.from(text), false)?.bytes ?? NOTHING))
    .filter(({ length }) => length >= SHORTEST_SECRET)
  const all = [...new Set([...spelled.map((text) => latin1(Buffer.from(text))), ...read])]
  if (!all.length) return undefined
  // What is part of another is found with it; a short one is found whole only.
  const needed = all.filter((one) => one.length < RUN || !all.some((other) => other !== one && other.includes(one)))
  const patterns = needed.map((text) => Buffer.from(text, 'latin1'))
  const text = Uint8Array.from({ length: 256 }, (_, byte) => Number((byte >= 0x20 && byte < 0x7f) || [9, 10, 13].includes(byte)))
  for (const pattern of patterns) for (const byte of pattern) text[byte] = 1
  const least = Math.min(RUN, ...patterns.map(({ length }) => length))
  const ascii = !text.subarray(0x80).includes(1)
  const spell = { finder: createRunFinder(patterns, all), least, text, ascii }
  return { shortest: least, look: (bytes, open) => look(spell, bytes, open) }
}

const NOTHING = new Uint8Array()
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

interface Spell {
  readonly finder: RunFinder
  readonly least: number
  readonly text: Uint8Array
  readonly ascii: boolean
}

/** A text as it reads at some depth, and where each of its bytes stands in the source. */
interface Reading {
  readonly bytes: Uint8Array
  readonly from: (i: number) => number
  readonly to: (i: number) => number
  readonly open: boolean
}

function look(spell: Spell, source: Buffer, open: boolean): Seen {
  const { finder } = spell
  const spans: Span[] = []
  let opens = source.length
  let kept = source.length
  // In a large chunk the first bits of a secret are not worth a copy of it.
  const ends = (at: number) => {
    if (source.length < WORTH_A_COPY) opens = Math.min(opens, at)
  }

  const find = (reading: Reading, depth: number, packed: boolean) => {
    const { bytes, from, to, open: goesOn } = reading
    const stretches = packed ? createStretches(bytes, spell.least) : undefined
    for (const [first, last] of finder.find(bytes, stretches?.add)) spans.push([from(first), to(last - 1)])
    const found = (text: UnpackedText) => read(unpacked(reading, text), depth + 1)
    stretches?.unpack({ ...spell, open: goesOn, found, ends: (at) => ends(from(at)) })
    if (!goesOn || !bytes.length) return
    const at = finder.openEnd(bytes)
    if (at < bytes.length) opens = Math.min(opens, from(at))
    kept = Math.min(kept, from(Math.max(0, bytes.length - KEPT)))
  }
  /** As it is, and without its escapes; what is packed in it only once. */
  const read = (reading: Reading, depth: number) => {
    const plain = isEscaped(asBuffer(reading.bytes)) ? unescaped(reading.bytes, reading.open) : undefined
    const packed = depth < DEEPEST
    find(reading, depth, packed && !plain)
    if (!plain) return
    const { bytes, from } = plain
    const end = from[bytes.length]!
    // What begins there and is not all there yet is not known: for now the text ends before it.
    if (end < reading.bytes.length) opens = Math.min(opens, reading.from(end))
    const to = (i: number) => reading.to(Math.max(from[i]!, from[i + 1]! - 1))
    find({ bytes, from: (i) => reading.from(from[i]!), to, open: reading.open }, depth, packed)
  }
  read({ bytes: source, from: (i) => i, to: (i) => i + 1, open }, 0)
  return { spans: united(spans), open: opens, kept: Math.min(kept, opens) }
}

const unpacked = ({ from, to }: Reading, text: UnpackedText): Reading => ({
  bytes: text.bytes,
  from: (i) => from(text.from[i]!),
  to: (i) => to(text.to[i]! - 1),
  open: text.open,
})

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)

function united(spans: Span[]): Span[] {
  if (spans.length < 2) return spans
  const all: Span[] = []
  for (const [from, to] of spans.sort((a, b) => a[0] - b[0])) {
    const last = all.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else all.push([from, to])
  }
  return all
}
