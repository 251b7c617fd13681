import { Readable } from 'node:stream'
import { declaration, type OperationId } from '@adjoin/contract'
import type { FastifyReply } from 'fastify'

export type Headers = Record<string, string | string[]>

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: string | AsyncIterable<string>
}

/** The answer is parsed by its schema: what is not declared does not leave. */
export function answerOf(id: OperationId, result: unknown, headers: Headers): Answer {
  const { ok, created, accepted, redirect, stream } = declaration(id)
  if (redirect) return { status: 302, headers: { ...headers, location: (result as { location: string }).location }, body: '' }
  if (stream) {
    const { type, chunks } = result as { type: string; chunks: AsyncIterable<string> }
    return { status: 200, headers: { ...headers, 'content-type': type }, body: chunks }
  }
  const schema = ok ?? created ?? accepted
  if (!schema) return { status: 204, headers, body: '' }
  return {
    status: ok ? 200 : created ? 201 : 202,
    headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(schema.parse(result)),
  }
}

export function send(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  reply.code(status).headers(headers).serializer(asItIs)
  return reply.send(typeof body === 'string' ? body || undefined : Readable.from(body))
}

const asItIs = (body: unknown) => body as string
