const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u
const NOTHING = /^[\p{M}\p{Cf}]+$/u

/** The columns a terminal needs for a text: 株 and 🦊 take two, a combining accent none. */
export function width(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let columns = 0
  for (const { segment } of graphemes.segment(text)) columns += NOTHING.test(segment) ? 0 : WIDE.test(segment) ? 2 : 1
  return columns
}

export const padded = (text: string, columns: number): string => text + ' '.repeat(Math.max(0, columns - width(text)))

export function cut(text: string, most: number): string {
  if (width(text) <= most) return text
  let kept = text
  while (kept && width(kept) > most - 1) kept = [...kept].slice(0, -1).join('')
  return `${kept}…`
}

/** By words; one that is longer than a line is cut to it. */
export function wrapped(text: string, most: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1)
    if (last !== undefined && width(last) + 1 + width(word) <= most) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(cut(word, most))
  }
  return lines
}
