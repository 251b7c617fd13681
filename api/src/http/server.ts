// The HTTP server: every operation of the contract, mounted in one loop.
import { randomUUID } from 'node:crypto'
import { type OperationId, operationIds, operations, type ProblemCode, route } from '@adjoin/contract'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Identified } from '../access/identify.ts'
import type { Handlers } from '../call.ts'
import type { Metrics } from '../metrics.ts'
import { Refusal, refuse } from '../refusal.ts'
import { crossOrigin, securityHeaders } from './browser-headers.ts'
import { answerOddRequests, answerParserError, parseJsonOnly, pathOf } from './edges.ts'
import { arrive, type Kernel, travel } from './journey.ts'
import type { Overload } from './overload.ts'
import { servePages } from './pages.ts'
import { sendProblem } from './problem.ts'

export interface Server {
  readonly app: FastifyInstance
  /** From now on every answer asks the client to open a new connection elsewhere. */
  drain(): void
}

export function createServer(kernel: Kernel, handlers: Partial<Handlers>, overload: Overload, metrics: Metrics): Server {
  const { config, log } = kernel.parts
  let draining = false
  const app = Fastify({
    bodyLimit: 64 * 1024,
    genReqId: () => randomUUID(),
    trustProxy: config.trustedProxies.length ? config.trustedProxies : false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 500 },
    http: {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 5000,
      requestTimeout: 15_000,
      keepAliveTimeout: 65_000,
      requireHostHeader: false,
      connectionsCheckingInterval: 1000,
    },
    frameworkErrors: (error, request, reply) => sendProblem(error, request, reply as FastifyReply, log),
    clientErrorHandler: answerParserError,
  })
  answerOddRequests(app)
  parseJsonOnly(app)
  const pages = servePages(kernel.parts)

  app.addHook('onRequest', async (request, reply) => {
    overload.enter()
    reply.raw.once('close', () => overload.leave())
    securityHeaders(request, reply, config)
    if (draining) reply.header('connection', 'close')
    if (!request.headers.host && request.raw.httpVersion === '1.1') refuse('host_missing')
    if (crossOrigin(request, reply, config, allowedMethods)) return reply
    if (request.is404) return (await pages(request, reply)) ?? refuseRoute(request)
    if (request.url.startsWith('/v1/') && overload.shed())
      refuse('unavailable', { detail: 'The service is busy. Repeat the request in a second.' })
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? '-'
    metrics.request(route, request.method, reply.statusCode, reply.elapsedTime / 1000)
    // The route's template, never the raw path: tokens travel in paths.
    log.info(
      {
        requestId: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ip: request.ip,
      },
      'request',
    )
  })
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, log))
  app.setNotFoundHandler((request, reply) => sendProblem(new Refusal('not_found'), request, reply, log))

  for (const id of operationIds) if (handlers[id]) mount(app, kernel, handlers as Handlers, id)
  return { app, drain: () => (draining = true) }
}

function mount(app: FastifyInstance, kernel: Kernel, handlers: Handlers, id: OperationId): void {
  const [method, path] = route(id)
  const { redirect, stream } = operations[id] as { redirect?: true; stream?: readonly string[] }
  const arrived = new WeakMap<FastifyRequest, Identified>()
  app.route({
    method,
    url: path.replace(/\{(\w+)\}/g, ':$1'),
    // A GET that writes (a callback, an export) must not be run by a HEAD that only looks.
    exposeHeadRoute: method === 'GET' && !redirect && !stream,
    onRequest: async (request) => {
      const found = await arrive(kernel, id, request)
      if (found) arrived.set(request, found)
    },
    handler: (request, reply) => travel(kernel, handlers, id, request, reply, arrived.get(request)),
  })
}

/** Which methods a path takes: for 405 and for preflights. */
const table = [...Map.groupBy(operationIds.map(route), ([, path]) => path)].map(([path, routes]) => ({
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  methods: routes.flatMap(([method]) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
  static: !path.includes('{'),
}))

export function allowedMethods(url: string): string[] | undefined {
  const path = pathOf(url)
  const hits = table.filter(({ pattern }) => pattern.test(path))
  return (hits.find((hit) => hit.static) ?? hits[0])?.methods
}

function refuseRoute(request: FastifyRequest): never {
  const methods = allowedMethods(request.url)
  const code: ProblemCode = methods ? 'method_not_allowed' : 'not_found'
  return refuse(code, methods ? { headers: { allow: [...methods, 'OPTIONS'].join(', ') } } : {})
}
