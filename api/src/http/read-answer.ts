// An operation's answer, read within the service instead of being sent.
import type { AdSystemAnswer } from '../agents/tool.ts'
import type { Answer } from './answer.ts'

/** Only operations that answer with JSON are asked for it. */
export function jsonOf<T>({ body }: Answer): T {
  if (typeof body === 'string') return JSON.parse(body) as T
  if ('hash' in body) return JSON.parse(body.body.toString('utf8')) as T
  throw new Error('an operation that answers with a stream was asked for JSON')
}

/** At most so many bytes; the rest is not waited for. */
export async function textOf({ status, headers, body }: Answer, mostBytes: number): Promise<AdSystemAnswer> {
  const { bytes, whole } = await bytesOf(body, mostBytes)
  const header = (name: string) => (headers[name] === undefined ? undefined : String(headers[name]))
  return {
    status,
    type: header('content-type') ?? '',
    retryAfter: header('retry-after'),
    from: header('adjoin-answer') ?? '',
    text: bytes.toString('utf8'),
    whole,
  }
}

async function bytesOf(body: Answer['body'], most: number): Promise<{ bytes: Buffer; whole: boolean }> {
  if (typeof body === 'string') return cut(Buffer.from(body), most)
  if (body instanceof Uint8Array) return cut(Buffer.from(body.buffer, body.byteOffset, body.byteLength), most)
  if ('hash' in body) return cut(body.body, most)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(Buffer.from(chunk as Uint8Array))
    size += chunks.at(-1)!.length
    if (size > most) break
  }
  return cut(Buffer.concat(chunks), most)
}

const cut = (bytes: Buffer, most: number) => ({ bytes: bytes.subarray(0, most), whole: bytes.length <= most })
