// One spelling for all that some server takes for the same name. Wider than any one of them: a name that is refused in vain
// costs a message, one that slips through a credential.
import { remembered } from './remembered.ts'

/** Letter case (.NET), underscores (Google's JSON) and the brackets of lists (PHP) do not make another name. */
export const canonicalName = (name: string): string => bracketsAs(folded(name), () => '').replaceAll('_', '')

/** In a query or a form dots and blanks stand for underscores to some. */
export const canonicalParameter = remembered((name) => canonicalName(name.replace(/[. ]/g, '')))

/** Or dots and brackets make structures: `a[b]` and `a.b` are `b` inside of `a`. */
export const canonicalNested = (name: string): string => canonicalName(bracketsAs(name, (inner) => `.${inner}`))

/** No name of an ad system is longer: who sends one wants something else, such as our time. */
export const LONGEST_NAME = 256

/** Some readers take `ſ` for `s`, the sign of Kelvin for `k` and `ı` for `i` where they do not mind letter case. */
const folded = (name: string): string =>
  isAscii(name) ? name.toLowerCase() : name.normalize('NFKC').toUpperCase().toLowerCase().replaceAll('\u0307', '')

const isAscii = (text: string): boolean => !/[^ -~]/.test(text)

/** What stands in brackets becomes something else. A pattern would look for the end of every bracket that has none. */
function bracketsAs(name: string, become: (inner: string) => string): string {
  let read = ''
  for (let at = 0; ; ) {
    const open = name.indexOf('[', at)
    const close = open < 0 ? -1 : name.indexOf(']', open)
    if (close < 0) return read + name.slice(at)
    read += name.slice(at, open) + become(name.slice(open + 1, close))
    at = close + 1
  }
}

/** Some servers skip a blank at the beginning, or what is not printed, or stop reading there; and none has names that long. */
export const isOddName = (name: string): boolean =>
  name.length > LONGEST_NAME || name !== name.trim() || (!isAscii(name) && /[\p{Cc}\p{Cf}\p{Cs}]/u.test(name))

/** In a query or a form no name of an ad system has other letters, or a second encoding, which some servers undo. */
export const isOddParameter = (name: string): boolean => isOddName(name) || !isAscii(name) || /%[0-9a-f]{2}|%u/i.test(name)
