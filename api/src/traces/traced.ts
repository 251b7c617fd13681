// The ways out of a process, each with a span: statements, ad systems, webhooks.
// Only what is a part of something: a look for work that finds none is no story.
import { currentContext } from '../context.ts'
import type { Forward } from '../gateway/forward.ts'
import type { WebhookSender } from '../gateway/post-webhook.ts'
import type { Observation } from '../providers/http.ts'
import { type Attributes, type SpanEnd, type Tracer, untilEnd } from '../tracer.ts'

/** By what they do and to which table: their texts hold no value, but are long, and in every span again. */
export function tracedStatements(tracer: Tracer): (text: string) => ((error?: unknown) => void) | undefined {
  const described = new Map<string, { 'db.system.name': string; 'db.query.summary': string }>()
  return (text) => {
    const parent = currentContext()?.span
    if (!parent?.recorded) return undefined
    let attributes = described.get(text)
    if (!attributes) {
      attributes = { 'db.system.name': 'postgresql', 'db.query.summary': statementName(text) }
      described.set(text, attributes)
    }
    const span = tracer.start(attributes['db.query.summary'], { kind: 'client', parent, attributes })
    return (error) => span.end(error ? { error: String((error as { code?: unknown }).code ?? 'Error') } : undefined)
  }
}

/** `select integrations`, after what it does and the first table that it names. */
export function statementName(text: string): string {
  const [verb = ''] = /\w+/.exec(text) ?? []
  const [, table] = /\b(?:from|into|update|join)\s+(?!select\b)([a-z_]\w*)/i.exec(text) ?? []
  return [verb.toLowerCase(), table].filter(Boolean).join(' ')
}

/** Neither path nor query: accounts and tokens may stand in them. */
const vendorAttributes = (provider: string, method: string, host: string): Attributes => ({
  'http.request.method': method,
  'server.address': host,
  'adjoin.provider': provider,
})

/** Reported when they have ended, after `observe` has heard of them. */
export function tracedVendorCalls(tracer: Tracer | undefined, observe: (call: Observation) => void): (call: Observation) => void {
  if (!tracer) return observe
  return (call) => {
    observe(call)
    const parent = currentContext()?.span
    if (!parent?.recorded) return
    const { provider, host, method, status, ms, attempt } = call
    const attributes = { ...vendorAttributes(provider, method, host), ...(attempt > 0 && { 'http.request.resend_count': attempt }) }
    tracer.start(`${method} ${provider}`, { kind: 'client', parent, attributes, agoMs: ms }).end(answered(status))
  }
}

/** Until the answer's headers are there; its body is passed on while it comes. */
export const tracedForward =
  (tracer: Tracer, forward: Forward): Forward =>
  (call) => {
    const attributes = vendorAttributes(call.provider, call.method, call.host)
    const span = tracer.start(`${call.method} ${call.provider}`, { kind: 'client', parent: currentContext()?.span, attributes })
    return untilEnd(
      span,
      () => forward(call),
      (answer) => answered('failure' in answer ? answer.failure : answer.status),
    )
  }

/** A consumer that traces as well finds its own spans below ours. */
export const tracedWebhooks = (tracer: Tracer, sender: WebhookSender): WebhookSender => ({
  ...sender,
  post(post) {
    const attributes = { 'http.request.method': 'POST' } // its host is the tenant's, and may be a secret
    const span = tracer.start('POST webhook', { kind: 'client', parent: currentContext()?.span, attributes })
    return untilEnd(
      span,
      () => sender.post({ ...post, headers: { ...post.headers, traceparent: span.traceparent } }),
      (answer) => ('error' in answer ? { error: 'no answer' } : answered(answer.status)),
    )
  },
})

/** A status, or the word for why there is none. */
const answered = (status: number | string): SpanEnd =>
  typeof status === 'number'
    ? { attributes: { 'http.response.status_code': status }, error: status >= 400 ? String(status) : undefined }
    : { error: status }
