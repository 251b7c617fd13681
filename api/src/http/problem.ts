import {
  type ConnectError,
  type FieldError,
  groupOf,
  type OperationId,
  type ProblemCode,
  problem,
  type SignInError,
  statusOf,
} from '@adjoin/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod'
import { CommitLost, unavailable } from '../db/pool.ts'
import type { Log } from '../log.ts'
import { Refusal } from '../refusal.ts'
import { PROBLEM_TYPE, pathOf } from './edges.ts'

/** The framework's own refusals, in our words. */
const FRAMEWORK: Record<string, ProblemCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_BAD_URL: 'invalid_url',
}

/** What a status owes its reader (RFC 9110, 15.5.2 and 15.6.4); a refusal may say it more precisely. */
const STATUS_HEADERS: Partial<Record<number, Record<string, string>>> = {
  401: { 'www-authenticate': 'Bearer realm="adjoin"' },
  503: { 'retry-after': '1' },
}

/**
 * Anything thrown becomes a problem document.
 * What is our own defect says nothing but its request id, and is logged.
 */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  const refusal = refusalFrom(error, request, log)
  const status = statusOf(refusal.code)
  const { detail, errors, headers, members } = refusal.details
  const document = problem(refusal.code, pathOf(request.url), {
    ...(detail && { detail }),
    requestId: request.id,
    ...(errors && { errors }),
    ...members,
  })
  // The framework closes the connection on a body it would not read;
  // a client still sending it would lose the answer with it.
  if (reply.hasHeader('connection')) reply.removeHeader('connection')
  return reply
    .code(status)
    .headers({ 'content-type': PROBLEM_TYPE, 'cache-control': 'no-store', ...STATUS_HEADERS[status], ...headers })
    .serializer((text) => text as string)
    .send(JSON.stringify(document))
}

/**
 * A browser that came too often can do nothing with a problem document:
 * it is sent to the page that says so. Undefined: anything else.
 */
export function sendToErrorPage(error: unknown, id: OperationId, publicUrl: string, reply: FastifyReply): FastifyReply | undefined {
  if (!(error instanceof Refusal) || error.code !== 'limit_exceeded') return undefined
  const code: SignInError | ConnectError = groupOf(id) === 'connect' ? 'connect_limit_exceeded' : 'limit_exceeded'
  return reply
    .code(302)
    .headers({ ...error.details.headers, location: `${publicUrl}/error?code=${code}` })
    .send()
}

/** What was thrown, as a refusal. */
export function refusalFrom(error: unknown, request: FastifyRequest, log: Log): Refusal {
  const refusal = asRefusal(error)
  const status = statusOf(refusal.code)
  if (status === 500) log.error({ err: error, requestId: request.id, route: request.routeOptions.url }, 'unexpected error')
  if (status === 503 && !refusal.details.unlogged)
    log.warn({ err: error, requestId: request.id, route: request.routeOptions.url }, 'temporarily unavailable')
  return refusal
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const { code = '', statusCode } = error as { code?: string; statusCode?: number }
  const known = FRAMEWORK[code]
  if (known) return new Refusal(known)
  // A client that broke off its own body: nobody reads the answer.
  if (code === 'ECONNRESET' && (error as Error).message === 'aborted') return new Refusal('malformed_request')
  if (error instanceof CommitLost) return new Refusal('outcome_unknown')
  if (unavailable(error)) return new Refusal('unavailable')
  // A fault of the request that the framework found before we did.
  if (statusCode && statusCode >= 400 && statusCode < 500) return new Refusal('malformed_request')
  return new Refusal('internal_error')
}

/** What `errors` holds at most: an answer must not grow with what was sent. */
const MAX_ERRORS = 50
const MAX_PATH = 200

export const fieldErrors = (error: z.ZodError): FieldError[] =>
  issuesOf(error.issues, [])
    .slice(0, MAX_ERRORS)
    .map(({ path, message }) => ({ path: path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path, message }))

/** Field-level errors; of the branches of a union, those of the one that came closest. */
function issuesOf(issues: readonly z.core.$ZodIssue[], prefix: string[]): FieldError[] {
  return issues.flatMap((issue): FieldError[] => {
    const path = [...prefix, ...issue.path.map(String)]
    if (issue.code === 'invalid_union' && issue.errors.length) {
      const nearest = issue.errors.reduce((best, branch) => (branch.length < best.length ? branch : best))
      return issuesOf(nearest, path)
    }
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ path: [...path, key].join('.'), message: 'is not a field of this request' }))
    return [{ path: path.join('.'), message: messageOf(issue) }]
  })
}

/** Our own sentence for what zod found; where a schema brings its own words, those. */
function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.input === undefined && issue.code !== 'custom') return 'is required'
  if (issue.code === 'invalid_type') return `must be ${NOUNS[issue.expected] ?? issue.expected}`
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`
  if (issue.code === 'invalid_format' && issue.format in FORMATS) return FORMATS[issue.format]!
  if (issue.code === 'too_big') return `must ${bound(issue.origin, `at most ${issue.maximum}`)}`
  if (issue.code === 'too_small') return `must ${bound(issue.origin, `at least ${issue.minimum}`)}`
  return issue.message
}

const NOUNS: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  record: 'an object',
}
const FORMATS: Record<string, string> = { uuid: 'must be a UUID', datetime: 'must be an ISO 8601 time such as 2026-01-31T12:00:00Z' }
const bound = (origin: string, text: string) =>
  origin === 'string' ? `have ${text} characters` : origin === 'array' ? `have ${text} entries` : `be ${text}`
