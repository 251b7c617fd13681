// Text that strangers chose: names, and what an ad system or a browser said.
// In a sentence of ours it is data: cut, on one line, and never something
// that a mail program, a dashboard or a terminal turns into a link.

import { withoutHidden } from '@adjoin/contract'

/** At most so many characters, as people count them. */
export function truncate(text: string, longest: number): string {
  const characters = [...text]
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : text
}

/** Nothing that hides a border between words, or words; what scripts and emoji need stays. */
const onOneLine = (text: string) => withoutHidden(text.toWellFormed()).replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')

/**
 * A blank where a link would hold together: reads the same, and leads nowhere.
 * `J.R.R.` and `2.0` are no hosts and stay whole.
 */
export const withoutLinks = (text: string): string =>
  onOneLine(text)
    .replace(/(?<!\d)\d+(?:\.\d+){3}/g, (address) => address.replaceAll('.', '. '))
    .replace(/(?<=\S)([.．。｡])(?=\p{L}\p{M}*[\p{L}\p{N}-])/gu, '$1 ')
    .replace(/(?<=\p{L}):(?=\S)/gu, ': ')
    .replace(/(?<=\S)[@＠](?=\S)/gu, ' @ ')
    .replace(/\\(?=\\)/g, '\\ ')

/** For a subject: words alone, so that neither an address nor a scheme is left of what was one. */
export function plainWords(text: string, longest = 60): string {
  const words = onOneLine(text)
    .replace(/[^\p{L}\p{M}\p{N}\p{Join_Control}'’&(),-]+/gu, ' ')
    .trim()
  return /[\p{L}\p{N}]/u.test(words) ? truncate(words, longest) : '…'
}
