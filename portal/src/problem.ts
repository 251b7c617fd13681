import { ProblemError } from '@adjoin/contract/problem-error'
import { refusedSession } from './session.ts'

/**
 * Which field a refusal belongs to, where the service names the case by its code:
 * `{ slug_taken: 'organizationSlug' }`.
 */
export type CodeFields = Record<string, string>

export function fieldErrors(error: unknown, codes: CodeFields = {}): Record<string, string> {
  if (!(error instanceof ProblemError)) return {}
  const named = codes[error.code]
  if (named) return { [named]: error.message }
  return Object.fromEntries((error.problem.errors ?? []).map(({ path, message }) => [path, asSentence(message)]))
}

const asSentence = (message: string) => {
  const text = message.replace(/^must /, 'This must ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
}

/** What to show a person: what happened, and what to do next. */
export function explain(error: unknown): { title: string; detail: string; requestId?: string } {
  if (!(error instanceof ProblemError)) return { title: 'We can’t reach Adjoin', detail: 'Check your internet connection, then try again.' }
  if (refusedSession(error))
    return { title: 'Your session has ended', detail: 'Sign in again, then come back and retry. What you typed stays here.' }
  const { status, problem, retryAfter } = error
  const reference = problem.requestId ? { requestId: problem.requestId } : {}
  if (status === 429) return { title: 'Too many attempts', detail: problem.detail ?? `Wait ${seconds(retryAfter ?? 60)}, then try again.` }
  if (status === 404) return { title: 'Not found', detail: 'This doesn’t exist, or you don’t have access to it.' }
  if (status === 500) return { title: 'Something went wrong on our side', detail: 'Try again in a moment.', ...reference }
  if (status === 503) return { title: 'Adjoin is temporarily unavailable', detail: 'Try again in a moment.', ...reference }
  // Faults that belong to no field in sight: what they say, not that a schema was missed.
  const faults = problem.code === 'validation_failed' && problem.errors?.map(({ message }) => asSentence(message)).join(' ')
  return { title: titles[status] ?? problem.title, detail: faults || problem.detail || 'Try again.' }
}

const titles: Record<number, string> = {
  400: 'Some values are not valid',
  401: 'You’re not signed in',
  403: 'You don’t have permission',
  409: 'This isn’t possible right now',
}

export const seconds = (count: number): string =>
  count < 90 ? `${count} second${count === 1 ? '' : 's'}` : `${Math.ceil(count / 60)} minutes`
