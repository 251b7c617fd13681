/**
 * Answers that every twin gives when asked for, with `?sandbox=…` behind any call that it answers:
 * what programs and the gateway must cope with, without a system that happens to do so.
 */
import { echo } from './echo.ts'
import { json, type Reply, type TwinRequest } from './twin.ts'

const PAGES = 3
const ROWS = 10
const LARGE_BYTES = 50 << 20
const SLOW_CHUNKS = 20

const rehearsals: Record<string, (request: TwinRequest) => Reply> = {
  echo,
  /** The same, and each byte comes by itself. */
  'echo-bytes': (request) => {
    const { body, ...reply } = echo(request)
    return { ...reply, body: '', stream: { chunks: singly(Buffer.from(body)), paced: false } }
  },
  pages: (request) => page(request, 1),
  ...Object.fromEntries(Array.from({ length: PAGES }, (_, i) => [`page-${i + 1}`, (request: TwinRequest) => page(request, i + 1)])),
  large: () => ({
    status: 200,
    headers: { 'content-type': 'application/x-ndjson', 'content-length': String(LARGE_BYTES) },
    body: '',
    stream: { chunks: rows(LARGE_BYTES), paced: false },
  }),
  slow: () => ({
    status: 200,
    headers: { 'content-type': 'application/x-ndjson' },
    body: '',
    stream: {
      chunks: Array.from({ length: SLOW_CHUNKS }, (_, n) => Buffer.from(`${JSON.stringify({ row: n + 1, of: SLOW_CHUNKS })}\n`)),
      paced: true,
    },
  }),
}

/** What `?sandbox=…` asks for; undefined for any other word, and for none. */
export function rehearsed(request: TwinRequest): Reply | undefined {
  const word = request.query.get('sandbox') ?? ''
  return Object.hasOwn(rehearsals, word) ? rehearsals[word]!(request) : undefined
}

/** The next page's address, as systems give it in a header or in the body. */
function page({ host, path, query }: TwinRequest, number: number): Reply {
  const next = new URLSearchParams(query)
  next.set('sandbox', `page-${number + 1}`)
  const address = number < PAGES ? `https://${host}${path}?${next}` : null
  const items = Array.from({ length: ROWS }, (_, i) => ({ id: String((number - 1) * ROWS + i + 1) }))
  return json(200, { page: number, of: PAGES, items, next: address }, address ? { link: `<${address}>; rel="next"` } : {})
}

function* singly(bytes: Buffer): Iterable<Buffer> {
  for (let i = 0; i < bytes.length; i++) yield bytes.subarray(i, i + 1)
}

/** Lines of 64 characters, of which the last is cut where the length asks for it. */
function* rows(length: number): Iterable<Buffer> {
  const line = (n: number) => `${JSON.stringify({ row: n, cost: '12.34', currency: 'EUR' }).padEnd(63)}\n`
  const block = Buffer.from(Array.from({ length: 1024 }, (_, n) => line(n)).join(''))
  for (let sent = 0; sent < length; sent += block.length) yield block.subarray(0, Math.min(block.length, length - sent))
}
