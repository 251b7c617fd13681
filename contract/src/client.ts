import type * as z from 'zod'
import { type EventsOptions, followEvents } from './events-client.ts'
import type { Impact } from './impact.ts'
import { addressIn, type IntegrationCalls, type IntegrationPlace, integrationCalls, isPassedOn } from './integration-fetch.ts'
import type { SentBody, SentParams } from './operation.ts'
import type { Operations, Output } from './operations.ts'
import { isVerbatim, type OperationId, paths, route, takesBody, takesParams } from './paths.ts'
import { ProblemError, type ProblemErrorCode, problemError } from './problem-error.ts'

export { ProblemError, type ProblemErrorCode }

export interface ClientOptions {
  /** Where the API is, such as `https://adjoin.agency.example`; a browser on the same origin leaves it out. */
  url?: string
  /** Sent with every request: `x-api-key` or `authorization`. */
  headers?: Record<string, string>
  fetch?: typeof fetch
  /**
   * How often a request is repeated after 429, 503 or a broken connection. Default 2. After the last two, only what is a read or carries an
   * Idempotency-Key: nothing is done twice.
   */
  retries?: number
  /** A longer Retry-After is handed to the caller instead of waited for. Default 5000. */
  longestWaitMs?: number
  /**
   * How long a call may take, repeats and waits included, until its answer is read; then it fails with a `TimeoutError`. As long as it takes
   * when left out. What is asked to `wait` for events gets those seconds on top.
   */
  timeoutMs?: number
}
export interface RequestOptions {
  /** A new one for each change when left out. */
  idempotencyKey?: string
  headers?: Record<string, string>
  /** Aborts the request, and the wait before a repeat. The call fails with the signal's reason. */
  signal?: AbortSignal
  /** In place of the client's. */
  timeoutMs?: number
}

type Empty<T> = keyof T extends never ? true : false
/** The fields themselves, so that editors show them and not how they came about. */
type Plain<T> = T extends infer U ? { [Name in keyof U]: U[Name] } : never
type Arguments<Id extends OperationId, P = Plain<SentParams<Operations[Id]>>, B = SentBody<Operations[Id]>> = [B] extends [never]
  ? Empty<P> extends true
    ? [options?: RequestOptions]
    : [params: P, options?: RequestOptions]
  : Empty<P> extends true
    ? [body: B, options?: RequestOptions]
    : [params: P, body: B, options?: RequestOptions]

/** A typed method per operation: `client.rotateApiKey({ orgSlug, id }, { graceHours: 24 })`. */
export type Methods = { [Id in OperationId]: (...args: Arguments<Id>) => Promise<Output<Id>> }

export interface Client extends Methods {
  /** `client.integration({ org, workspace, id }).fetch('v25/customers:listAccessibleCustomers')` */
  integration: (place: IntegrationPlace) => IntegrationCalls
  /** The feed: `for await (const event of client.events({ orgSlug, after }))`. */
  events: (options: EventsOptions) => ReturnType<typeof followEvents>
}

export function createClient(options: ClientOptions = {}): Client {
  const methods = Object.keys(paths).map((id) => [id, (...args: object[]) => send(options, id as OperationId, args)])
  const client = Object.fromEntries(methods) as Methods
  return Object.assign(client, {
    integration: (place: IntegrationPlace) => integrationCalls(options, place),
    events: (following: EventsOptions) => followEvents(client, following),
  })
}

/** What Adjoin itself refused, to be thrown or read; undefined for whatever the ad system answered. */
export async function refusalOf(answer: Response): Promise<ProblemError | undefined> {
  return isPassedOn(answer) || answer.status < 400 ? undefined : problemError(answer.clone())
}

/** What an operation is called with, by name instead of by place. */
export interface Sent {
  params?: object | undefined
  body?: object | string | undefined
  options?: RequestOptions | undefined
}

/** Calls the operation that an id names, for whoever gets ids from the tables: `call(client, 'getMe', {})`. */
export function call<Id extends OperationId>(client: Pick<Client, Id>, id: Id, { params, body, options }: Sent): Promise<Output<Id>> {
  const method = client[id] as (...args: unknown[]) => Promise<Output<Id>>
  return method(...(takesParams(id) ? [params ?? {}] : []), ...(takesBody(id) ? [body ?? {}] : []), options)
}

/** The changes that say beforehand what they would end. */
type Previewed = { [Id in OperationId]: Operations[Id] extends { preview: true } ? Id : never }[OperationId]

/** What a change would end, without making it: `wouldEnd(client, 'deleteWorkspace', { orgSlug, workspaceSlug })`. */
export const wouldEnd = async <Id extends Previewed>(
  client: Pick<Client, Id>,
  id: Id,
  params: SentParams<Operations[Id]>,
): Promise<WouldEnd> => ((await call(client, id, { params: { ...params, dryRun: 'true' } })) as unknown as { wouldEnd: WouldEnd }).wouldEnd

type WouldEnd = z.output<typeof Impact>['wouldEnd']

/** All pages of the audit trail, newest entry first: `for await (const entry of auditTrail(client, { orgSlug }))`. */
export async function* auditTrail(client: Pick<Client, 'listAuditLogs'>, params: Parameters<Client['listAuditLogs']>[0]) {
  for (let cursor = params.cursor; ; ) {
    const { auditLogs, nextCursor } = await client.listAuditLogs({ ...params, ...(cursor && { cursor }) })
    yield* auditLogs
    if (!nextCursor) return
    cursor = nextCursor
  }
}

interface Prepared {
  readonly url: string
  readonly init: RequestInit
  /** May be sent again although nobody knows whether it arrived. */
  readonly repeatable: boolean
  readonly timeoutMs: number | undefined
}

async function send(client: ClientOptions, id: OperationId, args: object[]): Promise<unknown> {
  const prepared = prepare(client, id, args)
  const { timeoutMs, init } = prepared
  if (timeoutMs === undefined) return attempts(client, prepared)
  const limited = timeLimit(timeoutMs, init.signal)
  let answer: unknown
  try {
    answer = await attempts(client, { ...prepared, init: { ...init, signal: limited.signal } })
    return answer
  } finally {
    limited.end(answer instanceof Response)
  }
}

async function attempts(client: ClientOptions, { url, init, repeatable }: Prepared): Promise<unknown> {
  const { retries = 2, longestWaitMs = 5000 } = client
  for (let attempt = 0; ; attempt++) {
    const answer = await (client.fetch ?? fetch)(url, init).catch((error: unknown) => {
      if (!repeatable || attempt >= retries || init.signal?.aborted) throw error
      return undefined
    })
    // After a repetition, a 409 that says when to come back means that our own first request is still running.
    const running = attempt > 0 && answer?.status === 409 && answer.headers.has('retry-after')
    const busy = !answer || answer.status === 429 || answer.status === 503 || running
    // Without a key, what may have been made is not made again.
    const mayBeMade = !repeatable && answer?.status === 503 && (await refusalOf(answer))?.code === 'outcome_unknown'
    if (answer && (!busy || mayBeMade || isPassedOn(answer))) return read(answer)
    const retryAfter = Number(answer?.headers.get('retry-after')) * 1000
    const wait = retryAfter || 200 * 2 ** attempt * (1 + Math.random())
    // A 429 comes before anything is done; a 503 may come from the middle of it.
    const safe = repeatable || answer?.status === 429
    if (answer && (!safe || attempt >= retries || wait > longestWaitMs)) return read(answer)
    await answer?.body?.cancel()
    await pause(wait, init.signal)
  }
}

/** Stops after a time, or with the caller's own signal. An answer that its caller reads while it arrives is no longer timed, but still stopped. */
function timeLimit(ms: number, own: AbortSignal | null | undefined) {
  const controller = new AbortController()
  const late = () => controller.abort(new DOMException(`Adjoin did not answer within ${ms} ms.`, 'TimeoutError'))
  const stopped = () => controller.abort(own!.reason)
  const timer = setTimeout(late, ms)
  if (own?.aborted) stopped()
  own?.addEventListener('abort', stopped, { once: true })
  const end = (stillRead: boolean) => {
    clearTimeout(timer)
    if (!stillRead) own?.removeEventListener('abort', stopped)
  }
  return { signal: controller.signal, end }
}

const pause = (ms: number, signal: AbortSignal | null | undefined) =>
  new Promise<void>((resolve, reject) => {
    const stopped = () => {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stopped)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stopped, { once: true })
  })

async function read(answer: Response): Promise<unknown> {
  if (isPassedOn(answer)) return answer
  if (answer.status >= 400) throw await problemError(answer)
  if (answer.status === 204) return undefined
  return answer.headers.get('content-type')?.startsWith('application/json') ? answer.json() : answer
}

/** Not `randomUUID`: browsers keep that to https. */
const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

function prepare(client: ClientOptions, id: OperationId, args: object[]): Prepared {
  const [method, template] = route(id)
  const rest = [...args]
  const hasBody = takesBody(id)
  const params = { ...(takesParams(id) && rest.shift()) } as Record<string, unknown>
  const body = hasBody ? rest.shift() : undefined
  const options = (rest.shift() ?? {}) as RequestOptions
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (isVerbatim(id) && name === 'path') return ''
    const value = params[name]
    delete params[name]
    return encodeURIComponent(String(value))
  })
  const base = `${client.url ?? ''}${path}`
  const url = isVerbatim(id) ? addressIn(base, String(params.path)) : base
  if (isVerbatim(id)) delete params.path
  const query = new URLSearchParams(
    Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as [string, string]])),
  )
  // Only these look at the key; what anyone may call has nobody to remember it for.
  const key = method === 'GET' || !/^\/v1\/(?:organizations|me)\b/.test(template) ? undefined : (options.idempotencyKey ?? newKey())
  const limit = options.timeoutMs ?? client.timeoutMs
  return {
    url: `${url}${query.size ? `?${query}` : ''}`,
    timeoutMs: limit === undefined ? undefined : limit + 1000 * Number(params.wait ?? 0),
    repeatable: method === 'GET' || key !== undefined,
    init: {
      method,
      redirect: 'manual',
      headers: {
        accept: 'application/json',
        ...(hasBody && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
        ...client.headers,
        ...options.headers,
      },
      ...(hasBody && { body: isVerbatim(id) ? (body as RequestInit['body']) : JSON.stringify(body ?? {}) }),
      ...(options.signal && { signal: options.signal }),
    },
  }
}
