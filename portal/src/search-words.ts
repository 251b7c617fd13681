/** Letters that are no other letter with a mark, and how people type them; and marks that are letters to Unicode. */
const LETTERS: Record<string, string> = {
  ...{ ß: 'ss', ł: 'l', ø: 'o', đ: 'd', æ: 'ae', œ: 'oe', ı: 'i', þ: 'th', ð: 'd' },
  ...{ ى: 'ي', ة: 'ه', ـ: '' },
}
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')

/** Digits of any script are the same digits: the blocks of decimal digits begin at zero and hold ten. */
const digit = (character: string): string => {
  let zero = character.codePointAt(0)!
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1)) && character.codePointAt(0)! - zero < 9) zero--
  return String(character.codePointAt(0)! - zero)
}

/** A text in any script, without case and diacritics. */
const folded = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(LETTER, (letter) => LETTERS[letter]!)
    .replace(/(?![0-9])\p{Nd}/gu, digit)

const wordsIn = (text: string): string[] =>
  folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

/** Scripts that put nothing between words: what is typed may begin anywhere. */
const UNSPACED =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer}|\p{Script=Myanmar}/u

/** Every word of what was typed begins a word of the text. */
export function fits(text: string, typed: string): boolean {
  const words = wordsIn(text)
  return wordsIn(typed).every((part) => words.some((word) => (UNSPACED.test(part) ? word.includes(part) : word.startsWith(part))))
}
