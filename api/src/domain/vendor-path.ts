// A path is decoded once, and judged as decoded:
// what two readers could read in two ways is refused, never repaired.

/** Undefined: not a path that can mean one thing only. */
export function decodedPath(raw: string): string | undefined {
  if (!/^(?:\/[A-Za-z0-9\-._~!$&'()*+,=:@%]+)+\/?$/.test(raw)) return undefined
  const decoded = raw.includes('%') ? decodedOnce(raw) : raw
  if (decoded === undefined || !decoded.split('/').slice(1).every(isPlainSegment)) return undefined
  return decoded
}

/**
 * An encoded character may stand for itself alone:
 * no separator, no dot, no further encoding, nothing that is not printed.
 */
function decodedOnce(raw: string): string | undefined {
  let odd = false
  const decoded = raw.replace(/%(..)?/g, (_, hex: string | undefined) => {
    const code = /^[0-9A-Fa-f]{2}$/.test(hex ?? '') ? Number.parseInt(hex!, 16) : 0
    const character = String.fromCharCode(code)
    if (code < 0x20 || code > 0x7e || '/\\.%;?#'.includes(character)) odd = true
    return character
  })
  return odd ? undefined : decoded
}

/**
 * Some servers trim, some resolve: blanks at an end and runs of dots
 * have no business in a vendor's path. The last one may be empty.
 */
const isPlainSegment = (segment: string, index: number, all: readonly string[]): boolean =>
  segment === '' ? index === all.length - 1 : !segment.includes('..') && segment !== '.' && segment.trim() === segment
