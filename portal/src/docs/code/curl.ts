import type { ListedOperation } from '../document.ts'
import { addressOf, credentialOf, type Filled, hasJsonBody, headersOf, parsedBody, takesAnyBody } from '../request.ts'

export const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const CREDENTIAL = {
  key: ['-H "x-api-key: $ADJOIN_API_KEY"'],
  token: ['-H "authorization: Bearer $ADJOIN_TOKEN"'],
  none: [],
}

/** Usual without a flag: GET, and POST with a body. */
const methodFlag = (method: string, hasBody: boolean) => (method === (hasBody ? 'POST' : 'GET') ? '' : `-X ${method} `)

export function curl(entry: ListedOperation, filled: Filled, server: string): string {
  const body = hasJsonBody(entry) || takesAnyBody(entry) ? filled.body.trim() : ''
  const value = parsedBody(filled)
  return [
    `curl ${methodFlag(entry.method, body !== '')}${shellQuoted(`${server}${addressOf(entry, filled)}`)}`,
    ...CREDENTIAL[credentialOf(entry)],
    ...headersOf(entry, filled).map(([name, text]) => `-H ${shellQuoted(`${name.toLowerCase()}: ${text}`)}`),
    ...(body ? ["-H 'content-type: application/json'", `-d ${shellQuoted(value === undefined ? body : JSON.stringify(value))}`] : []),
  ].join(' \\\n  ')
}
