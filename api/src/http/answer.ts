import { Readable } from 'node:stream'
import { declaration, Impact, type OperationId, type Streamed } from '@adjoin/contract'
import type { FastifyReply } from 'fastify'
import { type Stored, sendStored, store } from './stored.ts'

export type Headers = Record<string, string | string[]>

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array> | Stored
}

/** The answer is parsed by its schema: what is not declared does not leave. */
export function answerOf(id: OperationId, result: unknown, headers: Headers): Answer {
  const { ok, created, accepted, redirect, stream, constant } = declaration(id)
  if (redirect) return { status: 302, headers: { ...headers, location: (result as { location: string }).location }, body: '' }
  if (stream) {
    const { type, chunks, status = 200, headers: own } = result as Streamed
    return { status, headers: { ...headers, ...own, 'content-type': type }, body: chunks }
  }
  const schema = ok ?? created ?? accepted
  if (!schema) return { status: 204, headers, body: '' }
  if (constant) return { status: 200, headers, body: storedOf(result as object, (value) => JSON.stringify(schema.parse(value))) }
  return {
    status: ok ? 200 : created ? 201 : 202,
    headers: { ...headers, 'content-type': JSON_TYPE },
    body: JSON.stringify(schema.parse(result)),
  }
}

/** What a change would end, in place of its own answer. */
export const previewAnswer = (impact: Impact, headers: Headers): Answer => ({
  status: 200,
  headers: { ...headers, 'content-type': JSON_TYPE },
  body: JSON.stringify(Impact.parse(impact)),
})

const JSON_TYPE = 'application/json; charset=utf-8'
const constants = new WeakMap<object, Stored>()

function storedOf(result: object, textOf: (result: object) => string): Stored {
  const found = constants.get(result) ?? store(JSON_TYPE, Buffer.from(textOf(result)))
  constants.set(result, found)
  return found
}

export function send(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply | Promise<FastifyReply> {
  reply.code(status).headers(headers).serializer(asItIs)
  if (body instanceof Uint8Array) return reply.send(body)
  if (typeof body === 'object' && 'hash' in body) return sendStored(reply.header('cache-control', 'no-cache'), body)
  if (typeof body === 'string') return reply.send(body || undefined)
  return reply.send(body instanceof Readable ? body : Readable.from(body))
}

const asItIs = (body: unknown) => body as string
