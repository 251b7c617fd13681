import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { declaration, type HangUp, isChange, type OperationId, operationIds, route } from '@adjoin/contract'
import * as z from 'zod'
import { decodedPath } from '../domain/vendor-path.ts'
import { refuse } from '../refusal.ts'
import { pathOf } from './edges.ts'
import { fieldErrors } from './problem.ts'

export interface Input {
  readonly params: Record<string, unknown>
  readonly query: unknown
  readonly body: unknown
}

/** As it came: with a path of its own in `url`, and what the router found in it. */
export interface Sent {
  readonly url: string
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly headers: IncomingHttpHeaders
}

const noParams = z.object({})
const noQuery = z.strictObject({})
const noBody = z.strictObject({}).optional()

/** Put together once: making a schema costs more than parsing with it. */
const shapes = new Map(
  operationIds.map((id) => {
    const { params = noParams, query = noQuery, body = noBody, verbatim } = declaration(id)
    return [id, { params, query, body: isChange(id) ? body : undefined, verbatim: verbatim !== undefined }]
  }),
)

/** Without its input an issue does not tell a wrong value from a missing one. */
const TELLING = { reportInput: true }

/** Params, query and body against their schemas; all faults are told at once. */
export function parseInput(id: OperationId, request: Sent, response: ServerResponse): Input {
  const shape = shapes.get(id)!
  if (shape.verbatim) return verbatimInput(id, request, shape.params, response)
  const params = shape.params.safeParse(request.params, TELLING)
  const query = shape.query.safeParse(request.query, TELLING)
  const body = shape.body?.safeParse(request.body, TELLING)
  if (params.success && query.success && body?.success !== false) return { params: params.data, query: query.data, body: body?.data }
  return refuse('validation_failed', { errors: [params, query, body].flatMap((part) => (part?.error ? fieldErrors(part.error) : [])) })
}

/** The rest of the path, the query and the body as they were written: whoever judges them must see what would be sent on. */
function verbatimInput(id: OperationId, request: Sent, schema: z.ZodType, response: ServerResponse): Input {
  const before = route(id)[1].split('/').length - 1
  const path = pathOf(request.url).split('/').slice(before).join('/')
  if (decodedPath(`/${path}`) === undefined) refuse('path_invalid')
  const params = schema.safeParse({ ...(request.params as object), path }, TELLING)
  if (!params.success) return refuse('validation_failed', { errors: fieldErrors(params.error) })
  const [, query = ''] = /\?([^#]*)/.exec(request.url) ?? []
  const bytes = (request.body as Uint8Array | undefined) ?? new Uint8Array()
  return { params: params.data as Input['params'], query: {}, body: { query, headers: request.headers, bytes, hungUp: hungUp(response) } }
}

/** Not an AbortController, whose events cost a call as much as its judgement. */
function hungUp(response: ServerResponse): HangUp {
  const listeners: (() => void)[] = []
  const signal = {
    aborted: false,
    addEventListener: (_: 'abort', listener: () => void) => void listeners.push(listener),
  }
  response.on('close', () => {
    if (response.writableFinished) return
    signal.aborted = true
    for (const listener of listeners) listener()
  })
  return signal
}
