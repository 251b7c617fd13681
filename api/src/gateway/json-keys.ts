import { canonicalName } from './names.ts'

/**
 * Does an object of this JSON text have a member twice, in whatever spelling? Readers differ in which of the two counts,
 * so what is judged might not be what is done. The text is known to be JSON.
 */
export function hasRepeatedKeys(text: string): boolean {
  /** The keys of each object around the place, null for a list. */
  const around: (Set<string> | null)[] = []
  const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]]/g
  for (let token = tokens.exec(text); token; token = tokens.exec(text)) {
    const [found] = token
    if (found === '{') around.push(new Set())
    else if (found === '[') around.push(null)
    else if (found === '}' || found === ']') around.pop()
    else if (isKey(text, tokens.lastIndex)) {
      const keys = around.at(-1)!
      const key = canonicalName(JSON.parse(found))
      if (keys.has(key)) return true
      keys.add(key)
    }
  }
  return false
}

function isKey(text: string, after: number): boolean {
  for (let i = after; i < text.length; i++) {
    if (text[i] === ':') return true
    if (!/\s/.test(text[i]!)) return false
  }
  return false
}
