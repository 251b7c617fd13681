// Is a delivery genuine? Standard Webhooks, with WebCrypto alone: browsers, workers, Node 20 and later.
import type { Event } from './events.ts'

/** Seconds that a delivery may be old, or from the future. */
const TOLERANCE = 300

type HeaderBag = Headers | Readonly<Record<string, string | string[] | undefined>>

export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

/** The event of a delivery; throws where it was not signed with the secret, or is too old. `body` is the text as it was received. */
export async function verifyWebhook(headers: HeaderBag, body: string, secret: string, now = new Date()): Promise<Event> {
  const read = (name: string): string => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name]
    if (typeof value !== 'string' || !value) throw new WebhookVerificationError(`The header ${name} is missing.`)
    return value
  }
  const [id, timestamp, signatures] = [read('webhook-id'), read('webhook-timestamp'), read('webhook-signature')]
  const age = now.getTime() / 1000 - Number(timestamp)
  if (!/^\d+$/.test(timestamp) || Math.abs(age) > TOLERANCE)
    throw new WebhookVerificationError('The delivery is too old, or a clock is wrong.')
  const key = await crypto.subtle.importKey('raw', bytesOf(secret.replace(/^whsec_/, '')), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ])
  const text = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  for (const signature of signatures.split(' ')) {
    const [version, value = ''] = signature.split(',')
    if (version === 'v1' && (await isSigned(key, value, text))) return JSON.parse(body) as Event
  }
  throw new WebhookVerificationError('The signature does not match. Check the secret, and that the body is the text as it was received.')
}

/** Compared by WebCrypto itself, in constant time. */
async function isSigned(
  key: Awaited<ReturnType<typeof crypto.subtle.importKey>>,
  signature: string,
  text: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  try {
    return await crypto.subtle.verify('HMAC', key, bytesOf(signature), text)
  } catch {
    return false // not base64
  }
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

/** The headers of a delivery, for whoever sends copies of events to a server of their own. */
export async function signWebhook(id: string, body: string, secret: string, now = new Date()): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const key = await crypto.subtle.importKey('raw', bytesOf(secret.replace(/^whsec_/, '')), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`${id}.${timestamp}.${body}`)))
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${btoa(String.fromCharCode(...signature))}` }
}
