import { route } from './paths.ts'

/** Where an integration is. */
export interface IntegrationPlace {
  org: string
  workspace: string
  id: string
}

/** An ad system's own API, called through an integration. */
export interface IntegrationCalls {
  /**
   * For SDKs that take a base URL, without a slash at its end. Such an SDK must send the client's headers, too.
   */
  readonly baseUrl: string
  /**
   * For SDKs that take a `fetch`, and for everyone else: a path as the ad system's documentation writes it, or one of its addresses.
   * As of any `fetch` a refusal is an answer: `refusalOf` reads those that are Adjoin's own.
   */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
}

interface Sender {
  url?: string | undefined
  headers?: Record<string, string> | undefined
  fetch?: typeof fetch | undefined
}

/** Of the ad system in the mind of its SDK, but read by Adjoin as ours. */
const CREDENTIALS = ['authorization', 'x-api-key', 'cookie']

export function integrationCalls(client: Sender, place: IntegrationPlace): IntegrationCalls {
  const origin = client.url ?? (globalThis as { location?: { origin: string } }).location?.origin ?? ''
  const names: Record<string, string> = { orgSlug: place.org, workspaceSlug: place.workspace, id: place.id, path: '' }
  const base = origin + route('proxyGet')[1].replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name]!))
  return {
    baseUrl: base.slice(0, -1),
    fetch: async (input, init) => {
      const request = input instanceof Request ? { ...(await contentOf(input)), ...init } : { ...init }
      const headers = new Headers(request.headers)
      for (const name of CREDENTIALS) headers.delete(name)
      for (const [name, value] of Object.entries(client.headers ?? {})) headers.set(name, value)
      const url = addressIn(base, input instanceof Request ? input.url : String(input))
      return (client.fetch ?? fetch)(url, { redirect: 'manual', ...request, headers })
    },
  }
}

/** Bodies are small enough to be held: a stream would need HTTP/2 in browsers. */
async function contentOf(request: Request): Promise<RequestInit> {
  const { method, headers, signal } = request
  return { method, headers, signal, ...(request.body && { body: await request.arrayBuffer() }) }
}

/** What is below the base came from the base URL; every other address is one of the ad system's, sent with its host in front. */
export function addressIn(base: string, input: string): string {
  const url = input.startsWith(base) ? input : base + input.replace(/^https:\/\/|^\/+/, '')
  // `..` would be resolved on the way, and lead to another operation of Adjoin's.
  const isWithin = url.slice(0, url.search(/[?#]|$/)).length > base.length && !/^[a-z][\w+.-]*:\/\//i.test(url.slice(base.length))
  if (isWithin && new URL(url, 'http://localhost').href.startsWith(new URL(base, 'http://localhost').href)) return url
  throw new TypeError(`Not an address of an ad system: ${input}. Pass its path, or an https address.`)
}

/** The ad system's own answer, whatever its status. */
export const isPassedOn = (answer: Response): boolean => (answer.headers.get('adjoin-answer') ?? 'adjoin') !== 'adjoin'
