// A small collector for OTLP over HTTP, as JSON: keeps the spans that it is sent.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: Readonly<Record<string, string | number>>
  readonly status: { readonly code?: number }
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
}

interface Otlp {
  resourceSpans: {
    resource: { attributes: OtlpAttribute[] }
    scopeSpans: { spans: (Omit<CollectedSpan, 'attributes'> & { attributes: OtlpAttribute[] })[] }[]
  }[]
}
type OtlpAttribute = { key: string; value: { stringValue?: string; intValue?: number } }

const plain = (attributes: readonly OtlpAttribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue!]))

export async function startCollector() {
  const spans: CollectedSpan[] = []
  const bodies: string[] = []
  const resources: Record<string, string | number>[] = []
  const headers: NodeJS.Dict<string | string[]>[] = []
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const body = await text(request)
    if (request.url !== '/v1/traces') return response.writeHead(404).end()
    bodies.push(body)
    headers.push(request.headers)
    for (const { resource, scopeSpans } of (JSON.parse(body) as Otlp).resourceSpans) {
      resources.push(plain(resource.attributes))
      for (const scope of scopeSpans) spans.push(...scope.spans.map((span) => ({ ...span, attributes: plain(span.attributes) })))
    }
    return response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    resources,
    headers,
    close: () => new Promise<unknown>((resolve) => server.close(resolve).closeAllConnections()),
  }
}
