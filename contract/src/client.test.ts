import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { auditTrail, type ClientOptions, call, createClient, ProblemError } from './client.ts'
import { declaration, operationIds } from './operations.ts'
import { bodiless, isChange, isVerbatim, type OperationId, queried, route } from './paths.ts'
import { problem } from './problems.ts'

interface Seen {
  method: string
  url: URL
  headers: IncomingMessage['headers']
  body: string
}

/** A server that says what it saw; a test puts other answers in front of it. */
let answers: ((seen: Seen, response: ServerResponse) => void)[] = []
let log: Seen[] = []
const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const seen: Seen = { method: request.method!, url: new URL(request.url!, 'http://x'), headers: request.headers, body }
  log.push(seen)
  const answer = answers.shift()
  if (answer) return answer(seen, response)
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
})
let url = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  answers = []
  log = []
})

const client = (options: ClientOptions = {}) => createClient({ url, ...options })
const refuses =
  (
    status: number,
    code: 'rate_limited' | 'not_found' | 'unavailable' | 'outcome_unknown' | 'request_running',
    headers: Record<string, string> = {},
  ) =>
  (seen: Seen, response: ServerResponse) => {
    const text = JSON.stringify({ ...problem('not_found', seen.url.pathname), status, code })
    response.writeHead(status, { 'content-type': 'application/problem+json', ...headers }).end(text)
  }
const breaks = (_: Seen, response: ServerResponse) => void response.destroy()
const problemOf = (promise: Promise<unknown>) => promise.then(() => undefined).catch((error: ProblemError) => error)

describe('a method per operation', () => {
  it.each(operationIds.filter((id) => !isVerbatim(id)))('%s sends its method, path, query and body', async (id) => {
    const [method, template] = route(id)
    const { query, body } = declaration(id)
    const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
    const path = Object.fromEntries(names.map((name) => [name, `${name} /ü`]))
    const asked = Object.fromEntries(Object.keys(query?.shape ?? {}).map((name) => [name, `${name}&=`]))
    const sent = { some: 'body', n: 1 }
    const args = [...(names.length || query ? [{ ...path, ...asked }] : []), ...(body ? [sent] : [])]
    await (client()[id] as (...args: object[]) => Promise<unknown>)(...args)
    await call(client(), id, { params: { ...path, ...asked }, body: sent, options: { headers: { 'x-by': 'id' } } })

    const [seen, byId] = log
    expect([byId!.method, byId!.url.href, byId!.body, byId!.headers['x-by']]).toEqual([method, seen!.url.href, seen!.body, 'id'])
    expect(seen!.method).toBe(method)
    expect(seen!.url.pathname).toBe(template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name]!)))
    expect(Object.fromEntries(seen!.url.searchParams)).toEqual(asked)
    expect(seen!.body).toBe(body ? JSON.stringify(sent) : '')
    expect(seen!.headers['content-type']).toBe(body ? 'application/json' : undefined)
  })

  it('knows without schemas what the schemas declare: which changes have no body, which reads have a query but no parameter', () => {
    const without = operationIds.filter((id) => isChange(id) && route(id)[0] !== 'DELETE' && !declaration(id).body && !isVerbatim(id))
    expect([...bodiless].sort(), '`bodiless` of contract/src/paths.ts differs from the declarations without `body`').toEqual(without.sort())
    const only = operationIds.filter((id) => declaration(id).query && !route(id)[1].includes('{'))
    expect([...queried].sort(), '`queried` of contract/src/paths.ts differs from the declarations with `query` alone').toEqual(only.sort())
    expect(operationIds.filter((id) => declaration(id).body && ['GET', 'DELETE'].includes(route(id)[0]))).toEqual([])
    for (const id of operationIds) expect(Object.keys(declaration(id).params?.shape ?? {}), id).toEqual(parameters(id))
  })

  it('passes a path, a query and a body on as they are, and hands back whatever an ad system answers', async () => {
    const at = { orgSlug: 'agency', workspaceSlug: 'client', id: 'i', path: 'v25/customers/1:mutate?a=(b:List(1))' }
    await client().proxyPost(at, '{"a": 1}', { headers: { 'content-type': 'text/x-own' } })
    await client().proxyGet({ ...at, path: '/rest/x%3Ay' })
    expect(log.map(({ method, url, body }) => [method, url.href.slice(url.origin.length), body])).toEqual([
      ['POST', '/v1/organizations/agency/workspaces/client/integrations/i/proxy/v25/customers/1:mutate?a=(b:List(1))', '{"a": 1}'],
      ['GET', '/v1/organizations/agency/workspaces/client/integrations/i/proxy/rest/x%3Ay', ''],
    ])
    expect(log[0]!.headers['content-type']).toBe('text/x-own')
    answers.push((_, response) => response.writeHead(429, { 'adjoin-answer': 'google_ads' }).end('slow down'))
    const answer = await client().proxyGet(at)
    expect([answer.status, await answer.text()]).toEqual([429, 'slow down'])
  })

  it('leaves out what is undefined, and sends an empty object where every field has a default', async () => {
    await client().listAuditLogs({ orgSlug: 'agency', cursor: undefined, limit: 5 })
    await client().rotateApiKey({ orgSlug: 'agency', id: 'k' }, {})
    expect(log.map(({ url, body }) => [url.search, body])).toEqual([
      ['?limit=5', ''],
      ['', '{}'],
    ])
  })

  it('sends the headers of the client and of the one request, the latter winning', async () => {
    await client({ headers: { 'x-api-key': 'adj_1', 'x-more': '1' } }).getMe({ headers: { 'x-more': '2' } })
    expect(log[0]!.headers).toMatchObject({ 'x-api-key': 'adj_1', 'x-more': '2', accept: 'application/json' })
  })
})

const parameters = (id: OperationId) => [...route(id)[1].matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)

describe('answers', () => {
  it('gives nothing for 204, the response itself for a stream, and the parsed body otherwise', async () => {
    answers = [
      (_, response) => response.writeHead(204).end(),
      (_, response) => response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end('{"a":1}\n'),
      (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"email":"ada@agency.example"}'),
    ]
    expect(await client().revokeApiKey({ orgSlug: 'agency', id: 'k' })).toBeUndefined()
    expect(await (await client().exportAuditLogs({ orgSlug: 'agency' })).text()).toBe('{"a":1}\n')
    expect(await client().getMe()).toEqual({ email: 'ada@agency.example' })
  })

  it('throws a problem as a typed error', async () => {
    answers = [refuses(404, 'not_found')]
    const error = await problemOf(client().getOrganization({ orgSlug: 'nowhere' }))
    expect(error).toBeInstanceOf(ProblemError)
    expect(error).toMatchObject({ name: 'ProblemError', status: 404, code: 'not_found' })
    expect(error!.problem).toMatchObject({ title: 'Not Found', instance: '/v1/organizations/nowhere' })
  })

  it('makes a problem of a refusal that is none, as of a proxy in between', async () => {
    answers = [(_, response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>')]
    expect(await problemOf(client().getMe())).toMatchObject({ status: 502, code: 'unknown', message: expect.stringContaining('502') })
  })
})

describe('repeats', () => {
  it.each([429, 503])('waits as long as Retry-After says after %i, then repeats with the same Idempotency-Key and body', async (status) => {
    answers = [refuses(status, 'rate_limited', { 'retry-after': '1' })]
    const began = performance.now()
    await client().createWorkspace({ orgSlug: 'agency' }, { name: 'Client A', slug: 'client-a' })
    expect(performance.now() - began).toBeGreaterThanOrEqual(990)
    expect(log).toHaveLength(2)
    const [first, second] = log.map(({ headers, body }) => [headers['idempotency-key'], body])
    expect(first).toEqual(second)
    expect(first![0]).toMatch(/^[\w-]{20,}$/)
  })

  it('hands a longer Retry-After to the caller instead of sleeping through it', async () => {
    answers = [refuses(429, 'rate_limited', { 'retry-after': '60' })]
    expect(await problemOf(client().getMe())).toMatchObject({ status: 429, retryAfter: 60 })
    expect(log).toHaveLength(1)
  })

  it('gives up after the retries it may make', async () => {
    answers = [1, 2, 3].map(() => refuses(503, 'unavailable', { 'retry-after': '0' }))
    expect(await problemOf(client({ retries: 1 }).getMe())).toMatchObject({ status: 503 })
    expect(log).toHaveLength(2)
    expect(await problemOf(client({ retries: 0 }).getMe())).toMatchObject({ status: 503 })
    expect(log).toHaveLength(3)
  })

  it('repeats what may have been made only if it carries a key, also while the first request is still running', async () => {
    const soon = { 'retry-after': '0' }
    answers = [refuses(503, 'outcome_unknown', soon), refuses(409, 'request_running', soon)]
    await client().updateMe({ name: 'Ada' })
    expect(new Set(log.splice(0).map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    answers = [refuses(503, 'outcome_unknown', soon)]
    expect(await problemOf(client().verifySignIn({ token: 't' }))).toMatchObject({ code: 'outcome_unknown' })
    expect(log.splice(0)).toHaveLength(1)
    answers = [refuses(409, 'request_running', soon)]
    expect(await problemOf(client().updateMe({ name: 'Ada' }))).toMatchObject({ code: 'request_running' })
    expect(log).toHaveLength(1)
  })

  it('repeats after a broken connection what is a read or carries a key, and nothing else', async () => {
    answers = [breaks]
    await client().getMe()
    expect(log.splice(0)).toHaveLength(2)
    answers = [breaks]
    await client().updateMe({ name: 'Ada' })
    expect(log.map(({ headers }) => headers['idempotency-key'])).toEqual([expect.any(String), log[0]!.headers['idempotency-key']])
    log = []
    answers = [breaks]
    await expect(client().verifySignIn({ token: 't' })).rejects.toThrow('fetch failed')
    expect(log).toHaveLength(1)
    expect(log[0]!.headers['idempotency-key']).toBeUndefined()
  })

  it('repeats a public change, which has no key, after 429 alone: a 503 may come when it was half done', async () => {
    answers = [refuses(503, 'unavailable', { 'retry-after': '0' })]
    expect(await problemOf(client().verifySignIn({ token: 't' }))).toMatchObject({ status: 503 })
    expect(log.splice(0)).toHaveLength(1)
    answers = [refuses(429, 'rate_limited', { 'retry-after': '0' })]
    await client().verifySignIn({ token: 't' })
    expect(log).toHaveLength(2)
  })

  it('takes a key of one’s own, and another one for every call without', async () => {
    await client().updateMe({ name: 'Ada' }, { idempotencyKey: 'mine-1' })
    await client().updateMe({ name: 'Ada' })
    await client().updateMe({ name: 'Ada' })
    const keys = log.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).toBe('mine-1')
    expect(new Set(keys).size).toBe(3)
  })

  it('stops waiting when it is told to stop', async () => {
    answers = [refuses(429, 'rate_limited', { 'retry-after': '4' })]
    const stop = new AbortController()
    const stopped = expect(client().getMe({ signal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' })
    await expect.poll(() => log).toHaveLength(1)
    stop.abort()
    await stopped
    expect(log, 'nothing was repeated').toHaveLength(1)
  })
})

/** Answers later than anyone waits. */
const hangs = () => {}

describe('time', () => {
  const timedOut = { name: 'TimeoutError', message: expect.stringContaining('did not answer within') }

  it('ends a call that nobody answers, as the client or the call says', async () => {
    answers = [hangs, hangs]
    await expect(client({ timeoutMs: 2000 }).getMe()).rejects.toMatchObject(timedOut)
    await expect(client({ timeoutMs: 60_000 }).getMe({ timeoutMs: 2000 })).rejects.toMatchObject(timedOut)
    expect(log.length, 'nothing is repeated once the time is up').toBeLessThanOrEqual(2)
  })

  it('counts repeats, the waits between them and the body of the answer', async () => {
    answers = [refuses(429, 'rate_limited', { 'retry-after': '4' })]
    await expect(client({ timeoutMs: 2000 }).getMe()).rejects.toMatchObject(timedOut)
    await expect.poll(() => log).toHaveLength(1)
    answers = [(_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{"half":')]
    await expect(client({ timeoutMs: 2000 }).getMe()).rejects.toMatchObject(timedOut)
  })

  it('does not count the seconds that a read was asked to wait for events', async () => {
    answers = [(_, response) => void setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'), 500)]
    expect(await client({ timeoutMs: 300 }).listEvents({ orgSlug: 'agency', wait: 25 })).toEqual({})
  })

  it('stops when a file begins to arrive, which its reader can still abort', async () => {
    const stop = new AbortController()
    answers = [(_, response) => void response.writeHead(200, { 'content-type': 'application/x-ndjson' }).write('{"a":1}\n')]
    const file = await client({ timeoutMs: 10_000 }).exportAuditLogs({ orgSlug: 'agency' }, { signal: stop.signal })
    const reader = file.body!.getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('{"a":1}\n')
    await new Promise((resolve) => setTimeout(resolve, 10_100))
    stop.abort()
    await expect(reader.read()).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('leaves the reason to a signal that comes first, also one that came before the call', async () => {
    const stop = new AbortController()
    answers = [() => stop.abort(new Error('not needed any more'))]
    await expect(client({ timeoutMs: 60_000 }).getMe({ signal: stop.signal })).rejects.toThrow('not needed any more')
    await expect(client({ timeoutMs: 60_000 }).getMe({ signal: stop.signal })).rejects.toThrow('not needed any more')
    await expect(client().getMe({ signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('the audit trail', () => {
  it('is one list of all pages, fetched as it is read, with the filters on each', async () => {
    const pages = [
      { auditLogs: [{ sequence: 3 }, { sequence: 2 }], nextCursor: 'below-2' },
      { auditLogs: [{ sequence: 1 }], nextCursor: null },
    ]
    answers = pages.map((page) => (_: Seen, response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page))
    })
    const sequences: number[] = []
    for await (const { sequence } of auditTrail(client(), { orgSlug: 'agency', action: 'workspace.*' })) {
      sequences.push(sequence)
      expect(log).toHaveLength(sequence === 1 ? 2 : 1)
    }
    expect(sequences).toEqual([3, 2, 1])
    expect(log.map(({ url }) => url.search)).toEqual(['?action=workspace.*', '?action=workspace.*&cursor=below-2'])
  })
})

describe('a browser', () => {
  it('needs nothing of Node and no zod: what the client imports at run time, imports neither', () => {
    const seen = new Set<string>()
    const visit = (file: string) => {
      if (seen.has(file)) return
      seen.add(file)
      const text = readFileSync(new URL(file, import.meta.url), 'utf8')
      for (const [, from] of text.matchAll(/^(?:import|export) (?!type\b).*from '(.+)'/gm)) {
        expect(from, `imported by ${file}`).toMatch(/^\.\//)
        visit(from!)
      }
      expect(text).not.toMatch(/\b(process|Buffer|require)\b\./)
    }
    visit('./client.ts')
    expect([...seen].sort()).toEqual(['./client.ts', './events-client.ts', './integration-fetch.ts', './paths.ts', './problem-error.ts'])
  })

  it('calls its own origin when no address is given', async () => {
    const called: string[] = []
    const own = createClient({
      fetch: async (address) => {
        called.push(String(address))
        return new Response('{}', { headers: { 'content-type': 'application/json' } })
      },
    })
    await own.getMe()
    expect(called).toEqual(['/v1/me'])
  })
})
