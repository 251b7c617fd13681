// One spelling for all that some server takes for the same name. Wider than any one of them: a name that is refused in vain
// costs a message, one that slips through a credential.

/** Letter case (.NET), underscores (Google's JSON) and the brackets of lists (PHP) do not make another name. */
export const canonicalName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/\[[^\]]*\]/g, '')
    .replaceAll('_', '')

/** In a query or a form dots and blanks stand for underscores to some. */
export const canonicalParameter = (name: string): string => canonicalName(name.replace(/[. ]/g, ''))

/** Or dots and brackets make structures: `a[b]` and `a.b` are `b` inside of `a`. */
export const canonicalNested = (name: string): string => canonicalName(name.replace(/\[([^\]]*)\]/g, '.$1'))

/** Some servers skip a blank at the beginning, or stop reading at what is not printed. */
export const isOddName = (name: string): boolean => name !== name.trim() || /\p{Cc}/u.test(name)
