// The HTTP server: every operation of the contract, mounted in one loop.
import { randomUUID } from 'node:crypto'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { atOnce, declaration, isVerbatim, type OperationId, oneClick, route } from '@adjoin/contract'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { proxyRequestIdOf, traceIdOf } from '../context.ts'
import { requestBudget } from '../db/budget.ts'
import { logRequest } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { Refusal, refuse } from '../refusal.ts'
import type { SpanEnd } from '../tracer.ts'
import type { Waits } from '../waits.ts'
import { send } from './answer.ts'
import { crossOrigin, securityHeaders } from './browser-headers.ts'
import { addressBucket, clientAddress } from './client-address.ts'
import { arrive, type Mounting, run } from './dispatch.ts'
import { answerOddRequests, answerParserError, dropBody, originForm, parseJsonOnly, pathOf, takeBytes } from './edges.ts'
import type { Kernel } from './journey.ts'
import { MCP_PATH, serveAgents } from './mcp.ts'
import { allowedMethods, fixedPaths, refuseRoute, takesHead } from './methods.ts'
import type { Overload } from './overload.ts'
import { servePages } from './pages.ts'
import { type AddressPlace, leaveAddress, spending } from './place.ts'
import { sendProblem, sendToErrorPage } from './problem.ts'
import { createShares } from './shares.ts'
import { type Shedding, watchShedding } from './shedding.ts'
import { type Sockets, watchSockets } from './sockets.ts'

export interface Server {
  readonly app: FastifyInstance
  /** From now on every answer asks the client to open a new connection elsewhere. */
  drain(): void
  /**
   * Takes no new connection, and waits for those that are open. Closing the server of `node:http` would also cut the
   * ones that are idle at this moment, with a request on its way to them: twenty restarts under load lost 69.
   */
  leavePort(withinMs: number): Promise<void>
}

const MAX_HEADER_BYTES = 16 * 1024

export function createServer(kernel: Kernel, served: readonly OperationId[], overload: Overload, metrics: Metrics, waits: Waits): Server {
  const { config, log, tracer } = kernel.parts
  let draining = false
  const app = Fastify({
    bodyLimit: 64 * 1024,
    genReqId: () => randomUUID(),
    trustProxy: config.trustedProxies.length ? config.trustedProxies : false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: waits.request,
    keepAliveTimeout: 65_000, // longer than a balancer's usual minute: it, not we, ends an idle connection
    routerOptions: { maxParamLength: MAX_HEADER_BYTES }, // the schemas judge every parameter
    rewriteUrl: ({ url }) => originForm(url),
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: waits.requestHead,
      requireHostHeader: false,
      joinDuplicateHeaders: true, // a second Authorization makes the header malformed, instead of being dropped in silence
      connectionsCheckingInterval: 1000,
    },
    frameworkErrors: (error, request, reply) => {
      securityHeaders(request, reply as FastifyReply, config) // no hook has run yet
      sendProblem(error, request, reply as FastifyReply, log)
    },
    clientErrorHandler: (error, socket) => answerParserError(error, socket as Socket, sockets),
  })
  const shed = watchShedding(log, metrics)
  const sockets = watchSockets(app.server, {
    trustedProxies: config.trustedProxies,
    perAddress: Math.max(1, Math.round(atOnce.connections * config.limitsFactor)),
    onCut: shed,
  })
  app.addHook('preClose', (done) => {
    sockets.close()
    done()
  })
  const shares = createShares(config.limitsFactor, shed)
  app.decorateRequest('state')
  answerOddRequests(app, sockets)
  parseJsonOnly(app)
  const pages = servePages(kernel.parts)
  const methodsOf = (url: string) => allowedMethods(url) ?? (pages.has(pathOf(url)) ? ['GET', 'HEAD'] : undefined)

  // With `done` instead of a promise: what every request passes through should cost it next to nothing.
  app.addHook('onRequest', (request, reply, done) => {
    securityHeaders(request, reply, config)
    if (request.raw.httpVersion === '1.1' && !namesOneHost(request)) refuse('host_missing', { headers: { connection: 'close' } })
    if (crossOrigin(request, reply, config, methodsOf)) return
    const address = addressOf(request, sockets)
    const budget = requestBudget(address, kernel.parts.db.timeouts)
    const fromProxy = sockets.addressOf(request.socket) === undefined
    const proxyRequestId = fromProxy ? proxyRequestIdOf(request.headers['x-request-id']) : undefined
    if (proxyRequestId) reply.header('x-proxy-request-id', proxyRequestId)
    const traceparent = request.headers.traceparent as string | undefined
    const span = isProbe(request) ? undefined : tracer?.start(request.method, { kind: 'server', parent: traceparent, decided: fromProxy })
    const traceId = span?.traceId ?? traceIdOf(traceparent)
    const place: AddressPlace = { address, held: false, pausedMs: 0 }
    request.state = { budget, place, found: undefined, span, context: { requestId: request.id, budget, proxyRequestId, traceId, span } }
    const only = fixedPaths.get(pathOf(request.url))
    if (only && !only.includes(request.method)) refuseRoute(request, methodsOf)
    if (isProbe(request)) return done()
    const entering = shares.address.enter(address, reply.raw)
    const enter = () => {
      place.held = true
      reply.raw.on('close', () => leaveAddress(shares, place))
      if (request.is404 && allowedMethods(request.url)) refuseRoute(request, methodsOf)
      if (request.is404) return pages.answer(request, reply).then((page) => page ?? refuseRoute(request, methodsOf))
      if (isWork(request) && overload.shed()) refuseBusy(shed)
      return undefined
    }
    const going = entering ? spending(budget, entering).then(enter) : enter()
    if (going) return going
    done()
  })
  // When the answer leaves, not when the request came: whoever is answered last before the stop must hear of it too.
  app.addHook('onSend', (_, reply, payload, done) => {
    if (draining) reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? '-'
    const ms = reply.elapsedTime - (request.state?.place.pausedMs ?? 0) // waiting for news is what was asked for
    metrics.request(route, request.method, reply.statusCode, ms / 1000)
    const { statusCode: status } = reply
    request.state?.span?.end(requestEnd(request, route, status))
    // Whatever asks every second, and the files of a page, would hide what people and programs do.
    const level = status < 400 && (route === '-' || isProbe(request)) ? 'debug' : 'info'
    logRequest(log, level, request.state?.context ?? { requestId: request.id }, {
      method: request.method,
      route,
      status,
      ms,
      ip: request.ip,
    })
    done()
  })
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, log))
  app.setNotFoundHandler((request, reply) => sendProblem(new Refusal('not_found'), request, reply, log))

  const mounting = { kernel, overload, shares }
  const mountAll = (scope: FastifyInstance, which: (id: OperationId) => boolean) => {
    for (const id of served.filter(which)) mount(scope, mounting, id)
  }
  mountAll(app, (id) => !isVerbatim(id) && !oneClick.has(id))
  takeBytes(app, (scope) => mountAll(scope, isVerbatim))
  dropBody(app, (scope) => mountAll(scope, (id) => oneClick.has(id)))
  if (config.roles.api) serveAgents(app, mounting)
  return {
    app,
    drain() {
      draining = true
      kernel.parts.notices.stop()
    },
    async leavePort(withinMs) {
      if (!app.server.listening) return
      const left = new AbortController()
      const closed = new Promise((done) => NetServer.prototype.close.call(app.server, done))
      await Promise.race([closed, sleep(withinMs, undefined, { signal: left.signal })])
      left.abort()
    },
  }
}

function mount(app: FastifyInstance, mounting: Mounting, id: OperationId): void {
  const [method, path] = route(id)
  const { stream, redirect, verbatim } = declaration(id)
  const { config, log } = mounting.kernel.parts
  app.route({
    method,
    url: (verbatim ? path.replace(/\{path\}$/, '*') : path).replace(/\{(\w+)\}/g, ':$1'),
    ...(verbatim && { bodyLimit: verbatim.mostBytes }),
    exposeHeadRoute: takesHead(id),
    ...(redirect && {
      errorHandler: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
        sendToErrorPage(error, id, config.publicUrl, reply) ?? sendProblem(error, request, reply, log),
    }),
    onRequest: async (request, reply) => {
      if (verbatim) reply.header('adjoin-answer', 'adjoin') // until somebody else answers
      await arrive(mounting, id, request, reply, request.state)
    },
    handler: (request, reply) =>
      run(mounting, id, request, reply, {
        state: request.state,
        streams: stream !== undefined,
        use: (answer) => send(reply, answer),
      }),
  })
}

/** By the route's template. A refusal is the caller's fault, and no error of ours. */
const requestEnd = ({ id, method, state }: FastifyRequest, route: string, status: number): SpanEnd => ({
  name: `${method} ${route}`,
  attributes: {
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
    'adjoin.request_id': id,
    ...(state.context.operation && { 'adjoin.operation': state.context.operation }),
  },
  error: status >= 500 ? String(status) : undefined,
})

/** Kept with the connection, unless a proxy speaks for others on it. */
const addressOf = (request: FastifyRequest, sockets: Sockets): string =>
  sockets.addressOf(request.socket) ?? addressBucket(clientAddress(request.ip, request.socket.remoteAddress))

const isWork = ({ url }: FastifyRequest) => url.startsWith('/v1/') || pathOf(url) === MCP_PATH

/** Whoever watches over the process asks from somewhere, too: an address that asks too much must not make it look dead. */
const isProbe = ({ url }: FastifyRequest) => url === '/health' || url === '/health/live'

function refuseBusy(shed: Shedding): never {
  shed('load')
  return refuse('unavailable', { detail: 'The service is busy. Repeat the request in a second.', unlogged: true })
}

/** Exactly one, and not empty: two readers of two names would see two different requests (RFC 9112, 3.2). */
function namesOneHost({ headers, raw: { rawHeaders } }: FastifyRequest): boolean {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === 'host') count++
  return count === 1 && headers.host !== ''
}
