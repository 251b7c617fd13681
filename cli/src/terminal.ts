// The only way to the terminal. What others wrote is made harmless on its way:
// names, messages and links may hold anything.
import { StringDecoder } from 'node:string_decoder'
import { styleText } from 'node:util'

/** May reach a terminal as it is: our own words, and values that were made harmless. */
export interface Safe {
  readonly safe: string
}
type Value = Safe | string | number | null | undefined
type Style = Parameters<typeof styleText>[0]

/**
 * Moves the cursor, changes the terminal, ends a line or turns its direction round:
 * C0, C1, line separators, bidi marks and tags.
 */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/** Controls are shown as what they are, not as what they do; a line stays one line. */
export const withoutControls = (text: string): string =>
  text.toWellFormed().replace(CONTROLS, (character) => (/[\n\t\u2028\u2029]/.test(character) ? ' ' : '\ufffd'))

/** Our words as they stand, every value in them made harmless. */
export const safe = (words: readonly string[], ...values: Value[]): Safe => ({
  safe: words.map((word, i) => word + (i < values.length ? shown(values[i]) : '')).join(''),
})
const shown = (value: Value): string =>
  typeof value === 'object' && value ? value.safe : value === null || value === undefined ? '' : withoutControls(String(value))

export const joined = (parts: readonly Safe[], between: string): Safe => ({ safe: parts.map((part) => part.safe).join(between) })

/** Colors on a terminal only, and not for whoever asks for none (no-color.org). */
export function paint(style: Style, text: string, out: NodeJS.WriteStream = process.stdout): Safe {
  const plain = withoutControls(text)
  const colors = out.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb'
  return { safe: colors ? styleText(style, plain, { validateStream: false }) : plain }
}

/** For people and pipes: say`Using ${place}.\n` */
export const say = (words: readonly string[], ...values: Value[]): void => void process.stdout.write(safe(words, ...values).safe)
/** Beside the answer. */
export const note = (words: readonly string[], ...values: Value[]): void => void process.stderr.write(safe(words, ...values).safe)

/** The same document for every program; on a terminal JSON escapes stand for what JSON lets through. */
export const sayJson = (value: unknown, indent?: number): void => {
  const text = JSON.stringify(value, null, indent)
  process.stdout.write(`${process.stdout.isTTY ? text.replace(CONTROLS, escaped) : text}\n`)
}
const escaped = (character: string): string =>
  character === '\n'
    ? character // between the members: in a string JSON has escaped it
    : Array.from({ length: character.length }, (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')

/** A file byte for byte; on a terminal its lines, made harmless. */
export async function* forTerminal(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | string> {
  if (!process.stdout.isTTY) return yield* chunks
  const decoder = new StringDecoder('utf8') // a character may come in two chunks
  for await (const chunk of chunks) yield decoder.write(Buffer.from(chunk)).split('\n').map(withoutControls).join('\n')
  yield withoutControls(decoder.end())
}
