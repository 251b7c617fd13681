/** Letters that are no other letter with a mark, and how people type them. */
const LETTERS: Record<string, string> = { ß: 'ss', ł: 'l', ø: 'o', đ: 'd', æ: 'ae', œ: 'oe', ı: 'i' }

/** The words of a text in any script, without case and diacritics. */
const wordsIn = (text: string): string[] =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßłøđæœı]/g, (letter) => LETTERS[letter]!)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

/** Every word of what was typed begins a word of the text. */
export function fits(text: string, typed: string): boolean {
  const words = wordsIn(text)
  return wordsIn(typed).every((part) => words.some((word) => word.startsWith(part)))
}
