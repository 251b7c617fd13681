import type { Problem, ProblemCode } from './problems.ts'

/** `unknown`: what answered is no Adjoin server, or something in front of it. A newer service may have codes that are not listed here. */
export type ProblemErrorCode = ProblemCode | 'unknown'

/** A refusal, as the problem document the service answered with. */
export class ProblemError extends Error {
  /** The whole document; `errors` lists each field that is not valid. */
  readonly problem: Problem
  readonly status: number
  /** Which problem it is: one of docs/problems.md. */
  readonly code: ProblemErrorCode
  /** Seconds to wait before the next try. */
  readonly retryAfter: number | undefined

  constructor(problem: Problem, retryAfter?: number) {
    super(problem.detail ?? problem.title)
    this.name = 'ProblemError'
    this.problem = problem
    this.status = problem.status
    this.code = problem.code as ProblemErrorCode
    this.retryAfter = retryAfter
  }
}

export const problemError = async (answer: Response): Promise<ProblemError> =>
  new ProblemError(await problemOf(answer), Number(answer.headers.get('retry-after')) || undefined)

/** The service answers with problems; what stands in front of it may not. */
async function problemOf(answer: Response): Promise<Problem> {
  const { status, statusText, url } = answer
  const text = await answer.text()
  try {
    const parsed = JSON.parse(text) as Problem
    if (typeof parsed.status === 'number' && typeof parsed.title === 'string') return parsed
  } catch {}
  const detail =
    status < 500
      ? `This does not look like an Adjoin server (it answered ${status}). Check the address.`
      : `Adjoin is temporarily unavailable (a server in front of it answered ${status}). Try again in a moment.`
  return { type: 'about:blank', title: statusText || 'Unexpected Response', status, code: 'unknown', instance: url, detail }
}
