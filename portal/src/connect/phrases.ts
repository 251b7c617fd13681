import { ProblemError } from '@adjoin/contract/problem-error'
import type { Phrases } from '../design/phrases.ts'
import type { Words } from './words/en.ts'

/** As much of a language as this needs. */
type Spoken = { words: Words; inSeconds: (seconds: number) => string }

/** A refusal in the client's language: told by its status, never in the words of the API. */
export function explainIn({ words: { trouble }, inSeconds }: Spoken, error: unknown): ReturnType<Phrases['explain']> {
  if (!(error instanceof ProblemError)) return trouble.offline
  const reference = error.problem.requestId ? { requestId: error.problem.requestId } : {}
  if (error.status === 429) return { title: trouble.tooMany.title, detail: trouble.tooMany.detail(inSeconds(error.retryAfter ?? 60)) }
  if (error.status === 503) return { ...trouble.away, ...reference }
  return error.status >= 500 ? { ...trouble.ours, ...reference } : trouble.refused
}

export const phrasesIn = (speech: Spoken): Phrases => ({
  ...speech.words.form,
  explain: (error) => explainIn(speech, error),
  fieldErrors: (error) => {
    const { fillIn, wrongFormat } = speech.words.form
    const faults = error instanceof ProblemError ? (error.problem.errors ?? []) : []
    return Object.fromEntries(faults.map(({ path, message }) => [path, /is required/.test(message) ? fillIn : wrongFormat]))
  },
})
