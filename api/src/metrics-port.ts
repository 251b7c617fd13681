// Where operators read metrics: a page for Prometheus, on a port of its own.
import { createServer } from 'node:http'

export interface MetricsPort {
  readonly port: number
  close(): Promise<void>
}

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** On loopback unless told otherwise: what operators read is nobody else's business. */
export async function serveMetrics(
  page: () => Promise<string>,
  { metricsPort: port, metricsHost }: { metricsPort?: number; metricsHost: string },
): Promise<MetricsPort | undefined> {
  if (port === undefined) return undefined
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    void page().then(
      (text) => response.writeHead(200, { 'content-type': CONTENT_TYPE }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  const listening = new Promise<MetricsPort>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, metricsHost, () => {
      const address = server.address() as { port: number }
      resolve({ port: address.port, close: () => new Promise((done) => server.close(() => done())) })
      server.unref()
    })
  })
  return listening.catch(refuseMetricsPort)
}

/** A service whose metrics nobody can read does not start: its operator would find out at the worst time. */
export function refuseMetricsPort(error: NodeJS.ErrnoException & { port?: number }): never {
  if (error.code !== 'EADDRINUSE') throw error
  throw new Error(`Port ${error.port} (METRICS_PORT) is already in use by another program. Stop it, or choose another METRICS_PORT.`, {
    cause: error,
  })
}
