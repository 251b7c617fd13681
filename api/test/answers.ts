// Listens to what a test says to the service and what it hears back, whichever client speaks.
import { type OperationId, operationIds, route } from '@adjoin/contract'

export interface HeardExchange {
  readonly operation: OperationId | undefined
  readonly method: string
  readonly url: string
  /** What was sent as a body, if anything. */
  readonly sent: string | undefined
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const routes = operationIds
  .map((id) => {
    const [method, path] = route(id)
    return { id, method, path, pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`) }
  })
  .sort((a, b) => a.path.split('{').length - b.path.split('{').length)

/** A fixed word wins over a parameter, as in the service's own router. */
const operationOf = (method: string, path: string) => routes.find((one) => one.method === method && one.pattern.test(path))?.id

export function listen(origin: string): { exchanges: HeardExchange[]; stop(): void } {
  const exchanges: HeardExchange[] = []
  const original = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const response = await original(input, init)
    const url = String(input instanceof Request ? input.url : input)
    if (!url.startsWith(origin)) return response
    const text = await response.text()
    const method = init?.method ?? 'GET'
    const { status, headers } = response
    const sent = typeof init?.body === 'string' ? init.body : undefined
    exchanges.push({ operation: operationOf(method, new URL(url).pathname), method, url, sent, status, headers, text })
    return new Response(status === 204 || status === 302 || method === 'HEAD' ? null : text, { status, headers })
  }
  const stop = () => {
    globalThis.fetch = original
  }
  return { exchanges, stop }
}
