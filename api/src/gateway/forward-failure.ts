// Why a call has no answer: what broke, and whose fault it was.

/** Why there is none. */
export type ForwardFailure = { readonly failure: 'unreachable' | 'timeout' | 'unusable'; readonly detail: string }

export class Aborted extends Error {}

/** Not the network: what arrived makes no sense. */
export class Unusable extends Error {}

export class TimedOut extends Error {
  readonly code = 'ADJOIN_TOTAL_TIMEOUT'
}

/** `hasHead`: of an answer that had begun. Its connection was good, so a read is not tried again. */
export function failureOf(error: Error, hasHead: boolean): ForwardFailure {
  const { code = '', message, name } = error as NodeJS.ErrnoException
  if (/TIMEOUT/.test(code) && code !== 'UND_ERR_CONNECT_TIMEOUT') return { failure: 'timeout', detail: code }
  if (error instanceof Unusable || hasHead || name === 'HTTPParserError' || NO_HTTP.test(code) || NO_HTTP.test(message))
    return { failure: 'unusable', detail: code || message }
  return { failure: 'unreachable', detail: code || 'network error' }
}

/** What undici calls an answer that is none, besides what its parser says. */
const NO_HTTP = /^(UND_ERR_(RES_|HEADERS_OVERFLOW)|bad (response|upgrade)$)/

/** Did the ad system break off, or did the caller hang up? */
export const isHangUp = (error: Error | null): boolean => error instanceof Aborted
