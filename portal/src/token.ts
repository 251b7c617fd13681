/** The token of a mailed link. It stands in the fragment, which no server sees, and leaves the address bar once read. */
export function tokenOfFragment(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  return token || undefined
}
