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
