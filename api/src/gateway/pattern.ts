// Path patterns of the gateway's tables, as regular expressions over decoded paths.

/**
 * `{name}` is one segment, or its part up to a colon;
 * `{version}` one of the provider's versions; `*`, only at the end, any rest.
 * An allow list compares exactly.
 */
export const exactPattern = (pattern: string, versions: readonly string[]): RegExp =>
  new RegExp(`^${translate(pattern, (name) => (name === 'version' ? `(?:${versions.map(escaped).join('|')})` : '[^/:]+'))}$`)

/**
 * A deny list is wider: letter case and one last slash do not matter, a name may hold a colon, a version
 * may be any. `{ownApp}` is the operator's own app id, which the group of that name is compared with.
 */
export const widePattern = (pattern: string): RegExp => {
  const whole = pattern.length > 1 && pattern.endsWith('/') ? pattern.slice(0, -1) : pattern
  return new RegExp(`^${translate(whole, (name) => (name === 'ownApp' ? '(?<ownApp>[^/]+)' : '[^/]+'))}/?$`, 'i')
}

/** As an allow list, with what stands for `{account}` or `{handle}` as a group of that name. */
export const capturingPattern = (pattern: string): RegExp =>
  new RegExp(`^${translate(pattern, (name) => (name === 'account' || name === 'handle' ? `(?<${name}>[^/:]+)` : '[^/:]+'))}$`)

function translate(pattern: string, named: (name: string) => string): string {
  if (!pattern.startsWith('/') && pattern !== '*') throw new Error(`a path pattern starts with a slash: ${pattern}`)
  return pattern
    .split(/(\{\w+\}|\*$)/)
    .map((part) => (part === '*' ? '.*' : part.startsWith('{') ? named(part.slice(1, -1)) : escaped(part)))
    .join('')
}

/** Within a text of any length, in any letter case: lowering a text of a mebibyte takes longer than looking through it. */
export const partPattern = (part: string): RegExp => new RegExp(escaped(part.toLowerCase()).replaceAll('i', '[iıİ]'), 'iu')

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
