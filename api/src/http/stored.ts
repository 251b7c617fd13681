// Bytes that are the same for everyone: made once, with an ETag, and compressed once for those who take it.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyReply } from 'fastify'

const CODINGS = { br: promisify(brotliCompress), gzip: promisify(gzip) }
type Coding = keyof typeof CODINGS

export interface Stored {
  readonly type: string
  readonly body: Buffer
  readonly hash: string
  readonly coded: { [C in Coding]?: Promise<Buffer> }
}

/** What is smaller gains nothing. */
const WORTH_COMPRESSING = 1024

export const store = (type: string, body: Buffer): Stored => ({
  type,
  body,
  hash: createHash('sha256').update(body).digest('base64url').slice(0, 22),
  coded: {},
})

export async function sendStored(reply: FastifyReply, { type, body, hash, coded }: Stored): Promise<FastifyReply> {
  const { 'accept-encoding': accepted, 'if-none-match': known } = reply.request.headers
  const coding = body.length < WORTH_COMPRESSING ? undefined : codingOf(accepted)
  const etag = coding ? `"${hash}-${coding}"` : `"${hash}"` // strong: other bytes, another tag
  reply.headers({ 'content-type': type, etag, vary: 'Accept-Encoding, Origin' })
  if (matches(known, etag)) return reply.code(304).send()
  if (!coding) return reply.send(body)
  coded[coding] ??= CODINGS[coding](body)
  return reply.header('content-encoding', coding).send(await coded[coding])
}

/** A weight above nothing, as RFC 9110 writes one: whoever writes another has not said that they take it. */
const ACCEPTED_WEIGHT = /^q=(?:1(?:\.0{0,3})?|0\.(?!0*$)\d{1,3})$/

function codingOf(accepted: string | string[] | undefined): Coding | undefined {
  const taken = String(accepted ?? '')
    .toLowerCase()
    .split(',')
    .map((entry) => entry.split(';').map((part) => part.trim()))
    .filter(([, weight = 'q=1']) => ACCEPTED_WEIGHT.test(weight))
    .map(([name]) => name)
  return (Object.keys(CODINGS) as Coding[]).find((coding) => taken.includes(coding))
}

const matches = (known: string | undefined, etag: string): boolean =>
  (known ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
