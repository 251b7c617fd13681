// What an answer means: a success, a refused credential, a request to slow down.
// The answer itself is never changed by it.
import type { CallOutcome } from '@adjoin/contract'
import type { ForwardFailure } from '../../gateway/forward-failure.ts'
import { saysStale } from '../../gateway/stale.ts'
import type { VendorAnswer } from '../../gateway/vendor-answer.ts'
import { judge } from '../../providers/answer.ts'
import type { Provider } from '../../providers/provider.ts'

export interface AnswerVerdict {
  readonly outcome: CallOutcome
  /** The ad system said that the access token has ended, and did nothing: even a change may be sent again with a new one. */
  readonly stale: boolean
  /** Seconds that the ad system asked to be left alone for. */
  readonly waitSeconds?: number
}

/** Errors are short: a longer answer is none. A slow one is not waited for. */
const PEEK_BYTES = 16 << 10
const PEEK_MS = 1000
const DEFAULT_WAIT_SECONDS = 5
const LONGEST_WAIT_SECONDS = 900

export async function judgeAnswer(provider: Provider, answer: VendorAnswer | ForwardFailure, now: Date): Promise<AnswerVerdict> {
  if ('failure' in answer) return { outcome: answer.failure === 'timeout' ? 'timeout' : 'unreachable', stale: false }
  const { status } = answer
  const failed = status >= 400
  const short = Number(answer.headers['content-length'] ?? Number.POSITIVE_INFINITY) <= PEEK_BYTES
  // Some systems say with 200 that something went wrong; only a whole, short body can be such an answer.
  // A short one is waited for in any case: at once it costs less than as a stream.
  if (!failed && !short) return { outcome: 'ok', stale: false }
  const { bytes, whole } = await answer.peek(PEEK_BYTES, PEEK_MS)
  if (!failed && !(whole && provider.codes && !provider.statusTells)) return { outcome: 'ok', stale: false }
  const headers = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]))
  const text = bytes.toString('utf8')
  const read = { status, headers, text, body: parsed(text) }
  const judged = judge(provider, 'verify', read, now, { anyBody: true })
  if (judged.outcome === 'answered') return { outcome: failed ? 'failed' : 'ok', stale: false }
  const stale = saysStale(provider, read)
  if (stale || status === 401) return { outcome: 'credential_refused', stale }
  if (judged.outcome === 'unreachable' && judged.reason === 'throttled')
    return { outcome: 'throttled', stale: false, waitSeconds: Math.min(judged.retryAfter ?? DEFAULT_WAIT_SECONDS, LONGEST_WAIT_SECONDS) }
  return { outcome: failed || judged.reason !== 'odd_answer' ? 'failed' : 'ok', stale: false }
}

/** Codes and words alone are looked for: no number must be exact, so the plain parser will do, which is many times as fast. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
