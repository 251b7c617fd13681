// Different names of members, counted before anything is parsed: an object with names of its own costs more than all that is in it.

/** By the hash of a name, the mark of the count that saw it last: a few names that share one count as one. */
const seenBy = new Float64Array(1 << 16)
let marks = 0

/** The mark of a new count. */
export const newMark = (): number => ++marks

/** Whether the name between these two places of a text is the first of its kind in this count. */
export function isNewName(text: string, from: number, to: number, mark: number): boolean {
  let hash = 0
  for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0
  const place = (hash ^ (hash >>> 16)) & 0xffff
  if (seenBy[place] === mark) return false
  seenBy[place] = mark
  return true
}
