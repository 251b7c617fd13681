/**
 * A browser as far as sign-in needs one:
 * it keeps cookies per origin, follows redirects, and stops at the portal's pages.
 */
import { newAddress } from './world.ts'

export interface Landing {
  status: number
  url: URL
  headers: Headers
  text: string
}
export type Browser = ReturnType<typeof createBrowser>

/** `places`: where the service is known, and where it really listens. */
export function createBrowser(publicUrl: string, serviceUrl: string) {
  const jars = new Map<string, Map<string, string>>()
  const address = newAddress()
  const jarOf = (origin: string) => jars.get(origin) ?? jars.set(origin, new Map()).get(origin)!

  const request = async (target: string | URL, init: RequestInit = {}): Promise<Landing> => {
    const url = new URL(target, publicUrl)
    const jar = jarOf(url.origin)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url.origin === publicUrl ? new URL(url.pathname + url.search, serviceUrl) : url, {
      redirect: 'manual',
      ...init,
      headers: { 'x-forwarded-for': address, ...(cookie && { cookie }), ...(init.headers as Record<string, string>) },
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ')
      const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
      const gone = attributes.some((one) => /^Max-Age=0$/i.test(one) || /^Expires=Thu, 01 Jan 1970/i.test(one))
      if (gone || !value) jar.delete(name)
      else jar.set(name, value)
    }
    return { status: response.status, url, headers: response.headers, text: await response.text() }
  }

  /** One step: the answer, and where it sends the browser. */
  const step = async (target: string | URL) => {
    const answer = await request(target)
    const location = answer.headers.get('location')
    return { ...answer, next: location === null ? undefined : new URL(location, answer.url) }
  }

  /** Goes on until a page that is no redirect, a page of the portal, or `until`. */
  const visit = async (target: string | URL, until: (url: URL) => boolean = () => false): Promise<URL> => {
    let at = new URL(target, publicUrl)
    for (let hops = 0; hops < 15; hops++) {
      if (until(at) || (at.origin === publicUrl && !at.pathname.startsWith('/v1/'))) return at
      const { status, next, text } = await step(at)
      if (!next) throw new Error(`${at.pathname} answered ${status} instead of a redirect: ${text.slice(0, 300)}`)
      at = next
    }
    throw new Error('too many redirects')
  }

  const post = (path: string, body: unknown = {}) =>
    request(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', origin: publicUrl } })

  return { request, step, visit, post, cookies: () => jarOf(publicUrl) }
}
