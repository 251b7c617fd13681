// Where operators read metrics: a page for Prometheus, on a port of its own.
import { createServer } from 'node:http'
import type { Log } from './log.ts'

export interface MetricsPort {
  readonly port: number
  close(): Promise<void>
}

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/**
 * On loopback unless told otherwise: what operators read is nobody else's business.
 * A port that is taken is told, and the service goes on.
 */
export async function serveMetrics(
  page: () => Promise<string>,
  { metricsPort: port, metricsHost }: { metricsPort?: number; metricsHost: string },
  log: Log,
): Promise<MetricsPort | undefined> {
  if (port === undefined) return undefined
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    void page().then(
      (text) => response.writeHead(200, { 'content-type': CONTENT_TYPE }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  return new Promise((resolve) => {
    server.once('error', (error) => {
      log.warn({ err: error, port }, 'could not serve metrics; choose another METRICS_PORT')
      resolve(undefined)
    })
    server.listen(port, metricsHost, () => {
      const address = server.address() as { port: number }
      resolve({ port: address.port, close: () => new Promise((done) => server.close(() => done())) })
      server.unref()
    })
  })
}
