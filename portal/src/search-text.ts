/** Addresses are plain: every value is text, and what is not set is not there. */
export const parseSearch = (search: string) => Object.fromEntries(new URLSearchParams(search))
export const stringifySearch = (search: Record<string, unknown>) => {
  const set = Object.entries(search).filter((pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1] !== '')
  return set.length ? `?${new URLSearchParams(set)}` : ''
}
