// What every answer must keep, whatever was asked.
import type { ApiDescription, DescribedOperation } from './document.ts'
import { PUBLIC } from './input-tenant.ts'
import { HOST, INJECTED } from './texts.ts'
import type { WireAnswer, WireRequest } from './wire.ts'

export interface Rules {
  readonly document: ApiDescription
  /** Where a browser may be sent. */
  readonly trusted: readonly string[]
  /** Where only the start of a sign-in may send it. */
  readonly issuer: string
  /** Origins that members have chosen for their clients to return to. */
  readonly chosen: Set<string>
}

/** Kept before it is sent: whatever becomes of the answer, the choice may have been made. */
export function noteChoice({ document, chosen }: Rules, sent: WireRequest): void {
  const known = sent.lines.some(([name]) => /^(authorization|cookie|x-api-key)$/i.test(name))
  if (!known || !/^(create|update)Integration$/.test(operationOf(document, sent)?.id ?? '')) return
  const { returnUrl } = (parsed(String(sent.body ?? '')) ?? {}) as { returnUrl?: unknown }
  const url = typeof returnUrl === 'string' ? URL.parse(returnUrl) : null
  if (url?.protocol === 'https:' && !url.username && !url.password) chosen.add(url.origin)
}

/** Refusals of HTTP itself, which no operation lists. */
const PROTOCOL: Readonly<Record<number, readonly string[]>> = {
  400: ['malformed_request', 'host_missing', 'invalid_url'],
  404: ['not_found'],
  405: ['method_not_allowed'],
  408: ['request_timeout'],
  413: ['body_too_large'],
  417: ['expectation_failed'],
  431: ['headers_too_large'],
}
const HEADERS = {
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^DENY$/,
  'referrer-policy': /^no-referrer$/,
  'content-security-policy': /default-src 'none'.*frame-ancestors 'none'/,
  'cache-control': /no-store|^no-cache$|^public, max-age=/,
}
const INSIDE =
  /node_modules|file:\/\/\/|\.ts:\d|\.js:\d|\bat \S+ \(|FST_|HPE_|ERR_|SQLSTATE|syntax error at|violates|duplicate key|fastify|postgres|zod/i

/** What is wrong with the answers to a request; nothing, if all is well. */
export function faultsOf(rules: Rules, sent: WireRequest, answers: readonly WireAnswer[]): string[] {
  if (answers.length === 0) return sent.unfinished ? [] : ['no answer']
  if (answers.length > 1) return [`${answers.length} answers to one request`]
  const [answer] = answers as [WireAnswer]
  const faults: string[] = []
  const passedOn = (answer.headers['adjoin-answer'] ?? 'adjoin') !== 'adjoin' // the ad system's own words
  if (answer.status >= 500 && !passedOn) faults.push(`status ${answer.status}`)
  for (const [name, pattern] of Object.entries(HEADERS))
    if (!pattern.test(answer.headers[name] ?? '')) faults.push(`the header ${name} is ${answer.headers[name]}`)
  const headers = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`)
  if (headers.some((line) => line.startsWith(INJECTED.toLowerCase()) || /injected=1/.test(line)))
    faults.push('a header of the request’s making')
  if (passedOn) return faults
  const operation = operationOf(rules.document, sent)
  if (answer.status >= 400) faults.push(...problemFaults(rules.document, operation, sent, answer))
  else faults.push(...answerFaults(rules, operation, sent, answer))
  if (`${headers.join('\n')}${withoutEcho(answer.body)}`.includes(HOST)) faults.push('names the host that the request made up')
  return faults
}

/** `GET http://x/v1/me` is `GET /v1/me`; what is percent-encoded without need is the same path. */
function operationOf(document: ApiDescription, { method, target }: WireRequest): DescribedOperation | undefined {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0]!
  const asked = method === 'HEAD' ? 'GET' : method
  const plain = path.replace(/%([0-6][0-9a-f]|7[0-9a-e])/gi, (text, hex: string) =>
    /[\w.~-]/.test(String.fromCharCode(Number.parseInt(hex, 16))) ? String.fromCharCode(Number.parseInt(hex, 16)) : text,
  )
  return document.find(asked, path) ?? document.find(asked, plain)
}

function problemFaults(
  document: ApiDescription,
  operation: DescribedOperation | undefined,
  sent: WireRequest,
  { status, headers, body }: WireAnswer,
): string[] {
  if (headers['content-type'] !== 'application/problem+json') return [`a refusal as ${headers['content-type']}`]
  if (sent.method === 'HEAD') return []
  const problem = parsed(body) as { status: number; code: string; requestId?: string } | undefined
  const invalid = problem ? document.problemFaults(problem) : 'is no JSON'
  if (invalid) return [`the problem document ${invalid}`]
  const faults: string[] = []
  if (problem!.status !== status) faults.push(`says ${problem!.status} but is ${status}`)
  const codes = [...(PROTOCOL[status] ?? []), ...((operation && document.described(operation, status)?.codes) ?? [])]
  if (!codes.includes(problem!.code)) faults.push(`${operation?.id ?? 'no operation'} does not list ${status} ${problem!.code}`)
  const inside = INSIDE.exec(withoutEcho(body))
  if (inside) faults.push(`tells of its inside: ${inside[0]}`)
  return faults
}

function answerFaults(
  { document, trusted, issuer, chosen }: Rules,
  operation: DescribedOperation | undefined,
  sent: WireRequest,
  answer: WireAnswer,
): string[] {
  const { status, headers, body } = answer
  if (sent.method === 'OPTIONS') return status === 204 ? [] : [`OPTIONS answers ${status}`]
  const type = headers['content-type']?.split(';')[0]
  // A page of the portal, for whoever asks for pages.
  if (!operation)
    return /\/v1(\/|$)/.test(sent.target) || (status < 300 && type !== 'text/html') ? [`${status} ${type} where no operation is`] : []
  const described = document.described(operation, status)
  if (!described) return [`${operation.id} does not list ${status}`]
  const faults: string[] = []
  if (status === 302) {
    const to = URL.parse(headers.location ?? '', PUBLIC)
    const origin = to?.origin ?? 'null'
    const signsIn = operation.id === 'startProviderSignIn' && origin === issuer
    const returns = operation.id === 'finishConnectOAuth' && chosen.has(origin) && to!.searchParams.has('integrationId')
    if (!trusted.includes(origin) && !signsIn && !returns) faults.push(`sends the browser to ${headers.location}`)
  }
  // Where it is, of what can be read by itself: an invitation stands in its list only.
  const isPlaced = operation.responses[201]?.headers?.Location !== undefined
  if (status === 201 && (isPlaced ? !headers.location?.startsWith('/v1/') : headers.location !== undefined))
    faults.push(`created at ${headers.location}`)
  if (sent.method === 'HEAD' || !described.types.length) return body ? [...faults, 'a body where none is described'] : faults
  if (!type || !described.types.includes(type)) return [...faults, `an answer as ${type}`]
  if (type === 'application/json') {
    const invalid = document.faults(operation, status, type, parsed(body))
    if (invalid) faults.push(`the answer ${invalid}`)
  }
  if (type === 'application/x-ndjson')
    for (const line of body.split('\n').filter(Boolean)) {
      const invalid = document.entryFaults(parsed(line))
      if (invalid) faults.push(`a line ${invalid}`)
    }
  if (/\n\s+at \S+ \(|node_modules/.test(body)) faults.push('holds a stack trace')
  return faults
}

/** A refusal repeats the path that was asked for and the names of the fields at fault: that is no leak. */
const withoutEcho = (body: string) => body.replace(/"(instance|path)":"(?:[^"\\]|\\.)*"/g, '')

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
