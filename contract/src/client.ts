import type { SentBody, SentParams } from './operation.ts'
import type { Operations, Output } from './operations.ts'
import { bodiless, type OperationId, paths, route } from './paths.ts'
import type { Problem } from './problems.ts'

export interface ClientOptions {
  /** Where the API is, such as `https://adjoin.agency.example`; a browser on the same origin leaves it out. */
  url?: string
  /** Sent with every request: `x-api-key` or `authorization`. */
  headers?: Record<string, string>
  fetch?: typeof fetch
}
export interface RequestOptions {
  idempotencyKey?: string
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** A refusal, as the problem document the service answered with. */
export class ProblemError extends Error {
  readonly problem: Problem
  readonly status: number
  readonly code: string
  readonly retryAfter: number | undefined

  constructor(problem: Problem, retryAfter?: number) {
    super(problem.detail ?? problem.title)
    this.name = 'ProblemError'
    this.problem = problem
    this.status = problem.status
    this.code = problem.code
    this.retryAfter = retryAfter
  }
}

type Empty<T> = keyof T extends never ? true : false
type Arguments<Id extends OperationId, P = SentParams<Operations[Id]>, B = SentBody<Operations[Id]>> = [B] extends [never]
  ? Empty<P> extends true
    ? [options?: RequestOptions]
    : [params: P, options?: RequestOptions]
  : Empty<P> extends true
    ? [body: B, options?: RequestOptions]
    : [params: P, body: B, options?: RequestOptions]

/** A typed method per operation: `client.rotateApiKey({ orgSlug, id }, { graceHours: 24 })`. */
export type Client = { [Id in OperationId]: (...args: Arguments<Id>) => Promise<Output<Id>> }

export function createClient(options: ClientOptions = {}): Client {
  const call = (id: OperationId, args: object[]) => send(options, id, args)
  return Object.fromEntries(Object.keys(paths).map((id) => [id, (...args: object[]) => call(id as OperationId, args)])) as unknown as Client
}

async function send(client: ClientOptions, id: OperationId, args: object[]): Promise<unknown> {
  const [method, template] = route(id)
  const hasBody = method !== 'GET' && method !== 'DELETE' && !bodiless.has(id)
  const hasParams = template.includes('{') || !hasBody
  const params = { ...((hasParams && args.shift()) || {}) } as Record<string, unknown>
  const body = hasBody ? args.shift() : undefined
  const options = (args.shift() ?? {}) as RequestOptions
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    delete params[name]
    return encodeURIComponent(String(value))
  })
  const query = new URLSearchParams(
    Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as [string, string]])),
  )
  const response = await (client.fetch ?? fetch)(`${client.url ?? ''}${path}${query.size ? `?${query}` : ''}`, {
    method,
    redirect: 'manual',
    headers: {
      accept: 'application/json',
      ...(hasBody && { 'content-type': 'application/json' }),
      ...(options.idempotencyKey && { 'idempotency-key': options.idempotencyKey }),
      ...client.headers,
      ...options.headers,
    },
    ...(hasBody && { body: JSON.stringify(body ?? {}) }),
    ...(options.signal && { signal: options.signal }),
  })
  if (response.status >= 400)
    throw new ProblemError((await response.json()) as Problem, Number(response.headers.get('retry-after')) || undefined)
  if (response.status === 204) return undefined
  return response.headers.get('content-type')?.startsWith('application/json') ? response.json() : response
}
