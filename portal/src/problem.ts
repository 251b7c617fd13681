import { ProblemError } from '@adjoin/contract/client'

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
  if (!(error instanceof ProblemError))
    return { title: 'The service cannot be reached', detail: 'Check your connection, then try again. Nothing was changed.' }
  const { status, problem, retryAfter } = error
  const reference = problem.requestId ? { requestId: problem.requestId } : {}
  if (status === 429) return { title: 'Too many attempts', detail: problem.detail ?? `Wait ${seconds(retryAfter ?? 60)}, then try again.` }
  if (status === 404) return { title: 'Nothing here', detail: 'It does not exist, or your account cannot see it.' }
  if (status === 500) return { title: 'Something went wrong on our side', detail: 'Try again in a moment.', ...reference }
  if (status === 503) return { title: 'The service is busy', detail: 'It cannot answer just now. Try again in a moment.', ...reference }
  return { title: titles[status] ?? problem.title, detail: problem.detail ?? 'Try again.' }
}

const titles: Record<number, string> = {
  400: 'Something is not right yet',
  401: 'Not signed in',
  403: 'Not allowed',
  409: 'That does not fit',
}

export const seconds = (count: number): string =>
  count < 90 ? `${count} second${count === 1 ? '' : 's'}` : `${Math.ceil(count / 60)} minutes`
