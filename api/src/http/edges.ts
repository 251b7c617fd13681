// The edges of HTTP that a framework answers in its own words: here each of them gets a problem document.
import { type IncomingMessage, METHODS, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ProblemCode, problem, statusOf } from '@adjoin/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../refusal.ts'
import { PROTECTIVE } from './browser-headers.ts'
import type { Serve, Sockets } from './sockets.ts'

export const PROBLEM_TYPE = 'application/problem+json'
const MAX_DEPTH = 32

/** How long a refused client may take to read why, before its connection is cut. */
const LINGER_MS = 1000

/**
 * A refusal for a request that never became one, straight to its socket. What the client still sends is read
 * and dropped for a moment: closing on unread bytes would reset the connection and take our answer with it.
 */
function refuseOnSocket(socket: Duplex, code: ProblemCode, headers: Record<string, string> = {}): void {
  socket.on('error', () => {})
  if (!socket.writable) return void socket.destroy()
  const status = statusOf(code)
  const body = JSON.stringify(problem(code, '/'))
  const all = { ...PROTECTIVE, ...headers, 'content-type': PROBLEM_TYPE, 'content-length': Buffer.byteLength(body), connection: 'close' }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}

const PARSER_CODES: Record<string, ProblemCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

export function answerParserError(error: NodeJS.ErrnoException, socket: Socket, sockets: Sockets): void {
  const code = PARSER_CODES[error.code ?? ''] ?? 'malformed_request'
  const answer = sockets.latest(socket)
  if (error.code === 'ECONNRESET') return void socket.destroy()
  // The bad bytes follow good requests: their answers go first.
  if (!answer || answer.req.complete) return void sockets.lastly(socket, () => refuseOnSocket(socket, code))
  // The rest of a request that has been answered already: a second answer would be taken for the next one's.
  if (answer.headersSent) return void socket.destroy()
  refuseOnSocket(socket, code)
}

export function answerOddRequests(app: FastifyInstance, sockets: Sockets): void {
  // Before the framework, which would serve all requests
  // of a connection at once, and answers some without asking us.
  const [serve] = app.server.listeners('request') as [Serve]
  app.server.removeListener('request', serve)
  app.server.on('request', (request, response) => sockets.inTurn(request, response, serve))
  app.server.on('checkExpectation', (request, response) => sockets.inTurn(request, response, refuseExpectation))
  app.server.on('connect', (_, socket) => refuseOnSocket(socket, 'method_not_allowed', { allow: 'GET' }))
  // Known to node's parser but not to Fastify: let them in, so that our own 405 answers.
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: false })
}

function refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
  const body = JSON.stringify(problem('expectation_failed', pathOf(originForm(request.url))))
  response
    .writeHead(417, { ...PROTECTIVE, 'content-type': PROBLEM_TYPE, 'content-length': Buffer.byteLength(body), connection: 'close' })
    .end(body)
}

/** `GET http://adjoin.example/v1/me` is `GET /v1/me`: every later check sees one spelling. */
export function originForm(target = '/'): string {
  if (target.startsWith('/') || target === '*') return target
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '')
  return path.startsWith('/') ? path : `/${path}`
}

/** One JSON parser of our own: strict UTF-8, no content encodings, bounded depth, no `__proto__`. */
export function parseJsonOnly(app: FastifyInstance): void {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }) // a mark is no JSON
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    try {
      done(null, parseBody(request, body, utf8))
    } catch (error) {
      done(error as Error)
    }
  })
}

/** In a scope of its own: whatever it is, as bytes. A content encoding would hide from judgement what it holds. */
export const takeBytes = (app: FastifyInstance, mount: (scope: FastifyInstance) => void): void =>
  inScope(app, mount, (request, body, done) => {
    const encoding = request.headers['content-encoding']
    if (encoding && encoding.toLowerCase() !== 'identity')
      done(new Refusal('unsupported_media_type', { detail: 'Send the body without a content encoding.' }))
    else done(null, body)
  })

/** In a scope of its own: whatever comes says nothing that the address does not. */
export const dropBody = (app: FastifyInstance, mount: (scope: FastifyInstance) => void): void =>
  inScope(app, mount, (_request, _body, done) => done(null, undefined))

type BodyParser = (request: FastifyRequest, body: Buffer, done: (error: Error | null, value?: unknown) => void) => void

function inScope(app: FastifyInstance, mount: (scope: FastifyInstance) => void, parse: BodyParser): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => parse(request, body, done))
    mount(scope)
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
