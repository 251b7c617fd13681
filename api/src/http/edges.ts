// The edges of HTTP that a framework answers in its own words: here every one of them gets a problem document.
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ProblemCode, problem, statusOf } from '@adjoin/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../refusal.ts'

export const PROBLEM_TYPE = 'application/problem+json'
const MAX_DEPTH = 32

/** Written straight to a socket whose request could not be parsed. */
function rawProblem(code: ProblemCode, headers: Record<string, string> = {}): string {
  const status = statusOf(code)
  const body = JSON.stringify(problem(code, '/'))
  const all = {
    'Content-Type': PROBLEM_TYPE,
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    Connection: 'close',
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}

const PARSER_CODES: Record<string, ProblemCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

export function answerParserError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  socket.end(rawProblem(PARSER_CODES[error.code ?? ''] ?? 'malformed_request'))
}

export function answerOddRequests(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request, response) => {
    const body = JSON.stringify(problem('expectation_failed', pathOf(request.url ?? '/')))
    response.writeHead(417, { 'content-type': PROBLEM_TYPE, connection: 'close' }).end(body)
  })
  app.server.on('connect', (_, socket) => socket.end(rawProblem('method_not_allowed', { Allow: 'GET' })))
  app.server.on('upgrade', (_, socket) => socket.end(rawProblem('malformed_request')))
  // Known to node's parser but not to Fastify: let them in, so that our own 405 answers.
  for (const method of ['TRACE', 'PROPFIND', 'PROPPATCH', 'MKCOL', 'COPY', 'MOVE', 'LOCK', 'UNLOCK', 'SEARCH', 'REPORT', 'QUERY'])
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
}

/** One JSON parser of our own: strict UTF-8, no content encodings, bounded depth, no `__proto__`. */
export function parseJsonOnly(app: FastifyInstance): void {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    try {
      done(null, parseBody(request, body, utf8))
    } catch (error) {
      done(error as Error)
    }
  })
}

function parseBody(request: FastifyRequest, body: Buffer, utf8: InstanceType<typeof TextDecoder>): unknown {
  const encoding = request.headers['content-encoding']
  if (encoding && encoding.toLowerCase() !== 'identity') throw new Refusal('unsupported_media_type')
  if (!body.length) return undefined
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(body))
  } catch {
    throw new Refusal('invalid_json')
  }
  if (!isHarmless(value)) throw new Refusal('invalid_json')
  return value
}

/** Level by level instead of recursively: depth costs nothing until it is too much. */
function isHarmless(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    const objects = level.filter((item) => typeof item === 'object' && item !== null)
    if (!objects.length) return true
    if (objects.some((item) => Object.hasOwn(item as object, '__proto__'))) return false
    level = objects.flatMap((item) => Object.values(item as object))
  }
  return false
}

export const pathOf = (url: string): string => url.split(/[?#]/, 1)[0] || '/'
