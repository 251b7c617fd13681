// An ad system that costs next to nothing, in a process of its own: 10 KB of JSON,
// or as many bytes as `bytes` asks for, in which the token it was called with stands now and then.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'

const SMALL = Buffer.from(
  JSON.stringify({ resourceNames: Array.from({ length: 440 }, (_, n) => `customers/${String(n).padStart(10, '0')}`) }),
)
const BLOCK = 64 << 10

/** A block of report lines; the same object again and again, as nobody here changes it. */
function blockWith(secret: string): Buffer {
  const line = JSON.stringify({ campaign: 'Spring, brand, exact', date: '2026-11-14', impressions: 48213, costMicros: '18233000' })
  const lines = Array.from({ length: Math.ceil(BLOCK / (line.length + 1)) }, (_, n) => (n === 7 ? JSON.stringify({ secret }) : line))
  return Buffer.from(`${lines.join('\n')}\n`).subarray(0, BLOCK)
}

const server = createServer((request, response) => {
  const bytes = Number(new URL(request.url!, 'http://vendor').searchParams.get('bytes') ?? 0)
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': String(bytes || SMALL.length) }
  response.writeHead(200, headers)
  if (!bytes) return void response.end(SMALL)
  const block = blockWith(String(request.headers.authorization))
  const blocks = function* () {
    for (let sent = 0; sent < bytes; sent += BLOCK) yield block.subarray(0, Math.min(BLOCK, bytes - sent))
  }
  Readable.from(blocks(), { objectMode: false, highWaterMark: BLOCK }).pipe(response)
})
process.once('message', () =>
  server.listen(0, '127.0.0.1', () => process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
)
process.on('disconnect', () => process.exit())
