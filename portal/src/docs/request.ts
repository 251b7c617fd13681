// One request as the reader has filled it in: what the examples show, and what “Try it” sends.
import { isPassedOn, type ListedOperation, waysIn } from './document.ts'

export type Filled = {
  /** By name: parameters of the path, the query and the headers. Empty ones are left out. */
  values: Readonly<Record<string, string>>
  /** JSON, or whatever the ad system takes; empty: none. */
  body: string
}

/** The credential that stands in an example: never one that somebody has typed. */
export type ShownCredential = 'key' | 'token' | 'none'

export function credentialOf(entry: ListedOperation): ShownCredential {
  const ways = waysIn(entry)
  return ways.includes('apiKey') ? 'key' : ways.includes('bearer') ? 'token' : 'none'
}

const given = ({ parameters = [] }: ListedOperation, where: string, { values }: Filled): [string, string][] =>
  parameters.filter((one) => one.in === where && values[one.name]?.trim()).map(({ name }) => [name, values[name]!.trim()])

export const queryOf = (entry: ListedOperation, filled: Filled): [string, string][] => given(entry, 'query', filled)
export const headersOf = (entry: ListedOperation, filled: Filled): [string, string][] => given(entry, 'header', filled)

/** The path with its parameters; what is passed on stays as it was written. */
export function pathOf(entry: ListedOperation, { values }: Filled): string {
  return entry.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]?.trim() ?? ''
    if (name === 'path' && isPassedOn(entry)) return value.replace(/^\/+/, '')
    return value ? encodeURIComponent(value) : `{${name}}`
  })
}

export function addressOf(entry: ListedOperation, filled: Filled): string {
  const query = new URLSearchParams(queryOf(entry, filled)).toString()
  const path = pathOf(entry, filled)
  return query ? `${path}${path.includes('?') ? '&' : '?'}${query}` : path
}

/** Parameters of the path that are still missing, by name. */
export const missingOf = ({ parameters = [] }: ListedOperation, { values }: Filled): string[] =>
  parameters.filter(({ name, required }) => required && !values[name]?.trim()).map(({ name }) => name)

/** The body as a value; undefined where there is none, or it is no JSON. */
export function parsedBody({ body }: Filled): unknown {
  try {
    return body.trim() ? JSON.parse(body) : undefined
  } catch {
    return undefined
  }
}

export const hasJsonBody = ({ requestBody }: ListedOperation): boolean => requestBody?.content['application/json'] !== undefined
export const takesAnyBody = (entry: ListedOperation): boolean => isPassedOn(entry) && entry.method !== 'GET'
