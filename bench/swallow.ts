// A collector that counts what it is sent, and keeps nothing of it.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Batch = { resourceSpans?: { scopeSpans?: { spans?: unknown[] }[] }[] }
let spans = 0

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  if (request.method === 'POST') {
    const { resourceSpans = [] } = JSON.parse(Buffer.concat(chunks).toString()) as Batch
    for (const { scopeSpans = [] } of resourceSpans) for (const scope of scopeSpans) spans += scope.spans?.length ?? 0
  }
  response.setHeader('content-type', 'application/json').end(request.method === 'POST' ? '{}' : String(spans))
})

process.once('message', () =>
  server.listen(0, '127.0.0.1', () => process.send!({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })),
)
process.once('disconnect', () => process.exit())
