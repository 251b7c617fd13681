import { type CallAnswer, MOST_BYTES, readUpTo } from '../run-call.ts'
import type { ListedOperation } from './document.ts'
import { addressOf, type Filled, hasJsonBody, headersOf, takesAnyBody } from './request.ts'

/** Whose permission it is sent with. `none`: what anyone may call, so nothing is sent along. */
export type TryCredential = { kind: 'session' } | { kind: 'key'; key: string } | { kind: 'none' }
export type TryAnswer = CallAnswer & { headers: [string, string][]; statusText: string }

/** Sends what was filled in, once, to the server that this page came from. */
export async function sendTry(entry: ListedOperation, filled: Filled, credential: TryCredential): Promise<TryAnswer> {
  const body = hasJsonBody(entry) || takesAnyBody(entry) ? filled.body.trim() : ''
  const began = performance.now()
  const answer = await fetch(addressOf(entry, filled), {
    method: entry.method,
    headers: {
      accept: 'application/json, */*',
      ...(body && { 'content-type': 'application/json' }),
      ...Object.fromEntries(headersOf(entry, filled)),
      ...(credential.kind === 'key' && { 'x-api-key': credential.key }),
    },
    ...(body && { body }),
    // A key is tried by itself: what the session may do says nothing about it.
    credentials: credential.kind === 'session' ? 'same-origin' : 'omit',
    cache: 'no-store',
    redirect: 'manual',
  })
  const { bytes, isCut } = await readUpTo(answer, MOST_BYTES)
  return {
    status: answer.status,
    statusText: answer.statusText,
    headers: [...answer.headers],
    milliseconds: Math.round(performance.now() - began),
    size: bytes.size,
    type: answer.headers.get('content-type') ?? '',
    bytes,
    isCut,
  }
}
