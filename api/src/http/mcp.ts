// The door for agents: one path that speaks the Model Context Protocol. What a tool asks takes the same journey as a request of its own.
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { isVerbatim, type OperationId, type Output, route } from '@adjoin/contract'
import { isTrustedOrigin } from '@adjoin/contract/trusted-url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuseMissing } from '../access/authorize.ts'
import type { Protocol, Visit } from '../agents/protocol.ts'
import type { AskedCall, AskedWith, Asking } from '../agents/tool.ts'
import type { Config } from '../config.ts'
import { isWellFormedKey } from '../domain/api-key.ts'
import type { Refusal } from '../refusal.ts'
import { arrive, type Mounting, run } from './dispatch.ts'
import type { Incoming } from './journey.ts'
import { fieldErrors, refusalFrom } from './problem.ts'
import { jsonOf, textOf } from './read-answer.ts'

export const MCP_PATH = '/mcp'

/** What anyone may ask who may ask anything: identifies callers whose request names no operation. */
const ENTRANCE: OperationId = 'listProviders'

/** These identify their caller by the operation that they ask. */
const ASKING = ['tools/call', 'resources/read']

/** Answered with their status, as the protocol asks, not as the error of a tool. */
const UNAUTHORIZED = ['credential_missing', 'credential_invalid']

export function serveAgents(app: FastifyInstance, mounting: Mounting): void {
  const { kernel } = mounting
  const { config, log } = kernel.parts
  // Loaded for the first agent that comes: where none does, the start and the memory stay as they are.
  let loading: Promise<Protocol> | undefined
  const protocol = () => {
    loading ??= import('../agents/protocol.ts').then(({ createProtocol }) => createProtocol(kernel.version))
    return loading
  }

  const doorProblem = doorFor(config)
  app.post(MCP_PATH, {
    onRequest: (request, reply, done) => {
      const wrong = doorProblem(request)
      if (wrong) return void refuseAtDoor(reply, 403, wrong)
      // Whether it is any good is found out with the operation that is asked for.
      if (request.headers['x-api-key'] === undefined && request.headers.authorization === undefined) refuseMissing(ENTRANCE)
      done()
    },
    handler: async (request, reply) => {
      const body = request.body as { method?: unknown } | undefined
      if (typeof body !== 'object' || body === null || Array.isArray(body)) return refuseAtDoor(reply, 400, 'Send one JSON-RPC message.')
      let unauthorized: Refusal | undefined
      const entering = () => arrive(mounting, ENTRANCE, incoming(request, ENTRANCE, {}), reply, request.state)
      const visit: Visit = {
        asking: askingFor(mounting, request, reply),
        requestId: request.id,
        arrive: () =>
          entering().catch((error) => {
            throw visit.refusalFrom(error)
          }),
        began: (tool) => {
          request.state.context.tool = tool
        },
        ended: (tool, outcome) => countTool(mounting, request, tool, outcome),
        fieldErrors,
        refusalFrom: (error) => {
          const refusal = refusalFrom(error, request, log)
          // Whoever was let in, and lost the power meanwhile, is told by the tool that was cut.
          if (UNAUTHORIZED.includes(refusal.code) && !request.state.found) unauthorized = refusal
          return refusal
        },
      }
      if (!ASKING.includes(String(body.method))) await entering()
      const { status, type, text } = await (await protocol())(request.headers, body, visit)
      if (unauthorized) throw unauthorized
      if (type) reply.header('content-type', type)
      return reply
        .code(status)
        .serializer(asItIs)
        .send(text || undefined)
    },
  })
}

/** For those who see the key: people’s own sessions are not watched. */
function countTool({ kernel }: Mounting, { state: { found } }: FastifyRequest, tool: string, outcome: Parameters<Visit['ended']>[1]): void {
  if (!found || found.caller.class === 'session') return
  const { id: keyId, organizationId } = found.caller.key
  kernel.parts.toolUsage.count({ organizationId, keyId, tool, workspace: found.workspace?.slug ?? '', outcome })
}

const asItIs = (text: unknown) => text as string

/** What is wrong with a page on somebody else's origin, or on a name that was pointed at this machine meanwhile. */
function doorFor(config: Config): (request: FastifyRequest) => string | undefined {
  const own = new Set(['localhost', ...[config.publicUrl, ...config.trustedOrigins].map((url) => new URL(url).hostname)])
  return ({ headers: { origin, host = '' } }) => {
    if (origin !== undefined && !isTrustedOrigin(origin, config)) return 'This origin may not use this service.'
    const name = host.replace(/:\d+$/, '').toLowerCase()
    return own.has(name) || isIP(name.replace(/^\[|\]$/g, '')) > 0 ? undefined : 'This service is not known by the name in `Host`.'
  }
}

const refuseAtDoor = (reply: FastifyReply, status: number, message: string) =>
  reply
    .code(status)
    .header('content-type', 'application/json')
    .serializer(asItIs)
    .send(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_600, message } }))

/** A key may come as a bearer, too: many clients know no other header. A cookie is no credential here. */
function credentialHeaders({ 'x-api-key': key, authorization }: IncomingHttpHeaders): IncomingHttpHeaders {
  const bearer = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]
  if (key === undefined && bearer && isWellFormedKey(bearer)) return { 'x-api-key': bearer }
  return { ...(key !== undefined && { 'x-api-key': key }), ...(authorization !== undefined && { authorization }) }
}

/** One request within another: its own path, parameters and body, and the same caller from the same place. */
function incoming(request: FastifyRequest, id: OperationId, sent: AskedWith & Partial<AskedCall>): Incoming {
  const [method, template] = route(id)
  const { params = {}, query = {}, path = '', headers = {}, body } = sent
  const written = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as [string, string]]))
  const address = template.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'path' ? '' : encodeURIComponent(params[name] ?? '')))
  return {
    id: request.id,
    ip: request.ip,
    socket: request.socket,
    raw: request.raw,
    method,
    url: isVerbatim(id) ? address + inAddress(path) : address, // the query is read from below
    params,
    query: Object.fromEntries(written),
    body: body === undefined ? undefined : Buffer.from(body),
    headers: { ...agentHeaders(headers), ...userAgent(request), ...credentialHeaders(request.headers) },
    readOnly: true,
  }
}

/** What an agent writes is meant for the ad system, and must not pass for what its client says to us. */
const agentHeaders = (headers: Readonly<Record<string, string>>): IncomingHttpHeaders =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => !['cookie', 'origin', 'authorization', 'x-api-key', 'idempotency-key', 'user-agent'].includes(name)),
  )

const userAgent = ({ headers: { 'user-agent': name } }: FastifyRequest) => (name === undefined ? {} : { 'user-agent': name })

/** As a client would write it: no control characters, blanks or fragments. */
const inAddress = (path: string): string =>
  path.replace(/^\/+/, '').replace(/[^\x21-\x7e]+|["#<>\\^`{|}]/g, (text) => encodeURIComponent(text.toWellFormed()))

function askingFor(mounting: Mounting, request: FastifyRequest, reply: FastifyReply): Asking {
  const { state } = request
  const asked = async <T>(id: OperationId, sent: AskedWith & Partial<AskedCall>, use: Parameters<typeof run<T>>[4]['use']): Promise<T> => {
    const inner = incoming(request, id, sent)
    await arrive(mounting, id, inner, reply, state)
    return run(mounting, id, inner, reply, { state, streams: false, use })
  }
  return {
    via: credentialHeaders(request.headers)['x-api-key'] === undefined ? 'bearer' : 'apiKey',
    ask: <Id extends OperationId>(id: Id, sent: AskedWith) => asked(id, sent, jsonOf<Output<Id>>),
    call: (id, sent) => asked(id, sent, (answer) => textOf(answer, sent.mostBytes)),
  }
}
