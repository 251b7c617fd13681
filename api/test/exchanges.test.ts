/**
 * Provider code and twins, both held against the literal exchanges
 * of the vendors' documents and clients: never against each other.
 */
import { readdirSync, readFileSync } from 'node:fs'
import type { ProviderId } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseJson } from '../src/providers/answer.ts'
import { createHttp } from '../src/providers/http.ts'
import { findProvider } from '../src/providers/index.ts'
import { authorizationUrl, readCallback } from '../src/providers/oauth.ts'
import {
  type Consent,
  type ConsentReturn,
  type Credential,
  credentialOf,
  type FieldValues,
  type Provider,
  type VendorSession,
} from '../src/providers/provider.ts'
import type { VendorStep } from '../src/providers/rule.ts'
import { createVendorSessions, settingName } from '../src/providers/vendor-sessions.ts'
import { createSandbox, type TokenClaims, type TokenKind } from '../src/sandbox/index.ts'
import { type Loopback, loopback, type Received } from './loopback.ts'

type Given = {
  now: string
  app: FieldValues
  fields: FieldValues
  settings: FieldValues
  credential: Partial<Credential>
  consent?: Consent
  back?: ConsentReturn
}
type RecordedExchange = {
  name: string
  step: VendorStep | 'authorize'
  /** What the person at the consent page chooses; allow, if not said. */
  decision?: string
  shows: string
  given?: Partial<Given>
  /** Query or body members the vendor knows and we choose not to send. */
  optional?: string[]
  /** Members and headers whose value follows from others (a signature, Basic): they must be there. */
  computed?: string[]
  request: {
    method: string
    url: string
    headers: Record<string, string>
    query?: Record<string, string>
    bodyType?: string
    body?: unknown
  }
  response: { status: number; headers?: Record<string, string>; bodyType: string; body: unknown }
  /** What the provider's function makes of the answer. */
  outcome: object
  /**
   * What to put in place of literal values so that the twin
   * plays the scene; a sentence when it does not play it.
   */
  twin: Record<string, string | (Partial<TokenClaims> & { kind: TokenKind })> | string
}

const folder = new URL('./exchanges/', import.meta.url)
const files = readdirSync(folder).map(
  (name) =>
    JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as { provider: ProviderId; given: Given; exchanges: RecordedExchange[] },
)
const asText = ({ body }: RecordedExchange['response']) =>
  body === null || body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
const whole = ({ url, query = {} }: RecordedExchange['request']) => {
  const address = new URL(url)
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
  return address
}
const without = (members: object, optional: string[] = []) =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !optional.includes(name)))

describe.each(files)('$provider', ({ provider: id, given: general, exchanges }) => {
  const provider = findProvider(id) as Provider

  describe.each(exchanges)('$name', (exchange) => {
    const given: Given = { ...general, ...exchange.given, fields: { ...general.fields, ...exchange.given?.fields } }
    given.credential = { ...general.credential, ...exchange.given?.credential }
    let server: Loopback
    beforeAll(async () => {
      server = await loopback((received, response) => {
        // A verification may take two calls: the other one goes well.
        const companion = exchanges.find((other) => isFor(received, id, other) && other.response.status < 300)
        const { response: shown } = isFor(received, id, exchange) ? exchange : (companion ?? exchange)
        response.writeHead(shown.status, shown.headers ?? {}).end(asText(shown))
      })
    })
    afterAll(() => server.close())

    /**
     * A vendor session whose calls all end at the scripted server,
     * under the hosts the provider believes to call.
     */
    const session = (): VendorSession => {
      const environment = Object.fromEntries(Object.entries(given.app).map(([name, value]) => [settingName(provider, name), value]))
      const send = createHttp({ retries: 0 })
      return createVendorSessions({ environment, http: (outgoing) => send({ ...outgoing, twin: server.url }) }).open(
        provider,
        new Date(given.now),
      )
    }

    it(`is what the provider's code asks for and understands`, async () => {
      const open = session()
      const credential = credentialOf(given.fields, given.credential)
      if (exchange.step === 'authorize') {
        const url = new URL(authorizationUrl(open, given.fields, given.consent as Consent))
        expect(`${url.origin}${url.pathname}`).toBe(exchange.request.url)
        expectMembers(Object.fromEntries(url.searchParams), exchange.request.query ?? {}, exchange)
        const back = new URL(exchange.response.headers?.Location ?? '')
        expect(readCallback(open, given.fields, Object.fromEntries(back.searchParams))).toMatchObject(exchange.outcome)
        return
      }
      expect(await run(provider, exchange.step, open, credential, given)).toMatchObject(exchange.outcome)
      const asked = server.received.find((received) => isFor(received, id, exchange))
      expect(asked, `no ${exchange.request.method} ${exchange.request.url} among ${JSON.stringify(server.received)}`).toBeDefined()
      expectSame(asked as Received, exchange)
    })

    if (typeof exchange.twin === 'string') return
    it('is what the twin answers', async () => {
      const sandbox = createSandbox({ secret: 'test', environment: 'test' })
      const { url, close } = await sandbox.listen()
      try {
        const swaps = Object.entries(exchange.twin).map(([literal, put]) => {
          if (typeof put === 'string') return [literal, put] as const
          const { kind, ...claims } = put
          return [literal, sandbox.mint(id, kind, claims)] as const
        })
        const answer = await fetch(...requestTo(`${url}/sandbox/${id}`, exchange, swaps))
        expect(answer.status).toBe(exchange.response.status)
        expectAlike(exchange, Object.fromEntries(answer.headers), await answer.text(), provider)
      } finally {
        await close()
      }
    })
  })

  it('has an exchange for every step its code takes', () => {
    const steps = new Set(exchanges.map(({ step }) => step))
    const taken = provider.authMethod === 'oauth' ? ['authorize', 'exchange', 'verify'] : ['verify']
    for (const step of ['login', 'refresh'] as const) if (step in provider) taken.push(step)
    expect(taken.filter((step) => !steps.has(step as VendorStep))).toEqual([])
  })
})

it('covers every provider of the catalogue', async () => {
  const { providers } = await import('../src/providers/index.ts')
  const recorded = files.map((file) => file.provider)
  const missing = providers.filter(({ id }) => !recorded.includes(id)).map(({ id }) => id)
  expect(missing, 'add api/test/exchanges/<id>.json for each').toEqual([])
  expect(
    recorded.filter((id) => !findProvider(id)),
    'no such provider',
  ).toEqual([])
})

function run(
  provider: Provider,
  step: VendorStep,
  session: VendorSession,
  credential: Credential,
  given: Given,
): Promise<unknown> | undefined {
  if (step === 'exchange' && provider.authMethod === 'oauth') return provider.exchange(session, given.fields, given.back as ConsentReturn)
  if (step === 'login' && provider.authMethod === 'credentials') return provider.login?.(session, given.fields, given.settings)
  if (step === 'refresh') return provider.refresh?.(session, credential, given.settings)
  if (step === 'revoke') return provider.revoke?.(session, credential)
  return provider.verify(session, credential, given.settings)
}

const isFor = ({ method, path }: Received, id: string, { request }: RecordedExchange) => {
  const { host, pathname } = new URL(request.url)
  const sent = new URL(path, 'http://x')
  // Two grants at one address are two calls.
  const sameGrant = sent.searchParams.get('grant_type') === (request.query?.grant_type ?? null)
  return method === request.method && sent.pathname === `/sandbox/${id}/${host}${pathname}` && sameGrant
}

/** The same members with the same values, except what we leave out by choice or compute. */
function expectMembers(ours: object, theirs: object, { optional = [], computed = [] }: RecordedExchange): void {
  expect(Object.keys(ours)).toEqual(expect.arrayContaining(computed.filter((name) => name in theirs)))
  expect(without(ours, computed)).toEqual(without(theirs, [...computed, ...optional]))
}

/** What was sent is what the exchange shows: query, headers, body. */
function expectSame(sent: Received, exchange: RecordedExchange): void {
  const { request, optional, computed = [] } = exchange
  expectMembers(Object.fromEntries(new URL(sent.path, 'http://x').searchParams), Object.fromEntries(whole(request).searchParams), exchange)
  for (const [name, value] of Object.entries(without(request.headers, optional))) {
    expect(sent.headers[name.toLowerCase()], name).toBeDefined()
    if (!computed.includes(name)) expect(sent.headers[name.toLowerCase()]?.toLowerCase(), name).toBe(value.toLowerCase())
  }
  if (request.bodyType === 'form') expectMembers(Object.fromEntries(new URLSearchParams(sent.body)), request.body as object, exchange)
  if (request.bodyType === 'json') expectMembers(JSON.parse(sent.body), request.body as object, exchange)
}

function requestTo(
  base: string,
  { request, step, decision = 'allow' }: RecordedExchange,
  swaps: (readonly [string, string])[],
): [string, RequestInit] {
  // Whole values and the last word of a header: "Bearer ya29.…".
  const swap = (value: string) =>
    swaps.reduce((text, [literal, put]) => (text === literal || text.endsWith(` ${literal}`) ? text.replace(literal, put) : text), value)
  const swapped = (value: unknown): unknown =>
    typeof value === 'string'
      ? swap(value)
      : Array.isArray(value)
        ? value.map(swapped)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, swapped(member)]))
          : value
  const { host, pathname, search, searchParams } = whole({ ...request, query: swapped(request.query ?? {}) as Record<string, string> })
  if (step === 'authorize') searchParams.set('decision', decision)
  const body =
    request.bodyType === 'form'
      ? new URLSearchParams(swapped(request.body) as Record<string, string>).toString()
      : JSON.stringify(swapped(request.body))
  const headers = swapped(request.headers) as Record<string, string>
  const query = step === 'authorize' ? `?${searchParams}` : search
  return [`${base}/${host}${pathname}${query}`, { method: request.method, headers, redirect: 'manual', ...(request.bodyType && { body }) }]
}

/** Same header names, same envelope, same error codes; values of fake ids and texts may differ. */
function expectAlike({ response }: RecordedExchange, headers: Record<string, string>, text: string, provider: Provider): void {
  for (const [name, value] of Object.entries(response.headers ?? {})) {
    const given = headers[name.toLowerCase()]
    expect(given, name).toBeDefined()
    if (name.toLowerCase() === 'content-type') expect(given?.split(';')[0]).toBe(value.split(';')[0])
    if (name.toLowerCase() === 'location') expect(parameterNames(given ?? '')).toEqual(expect.arrayContaining(parameterNames(value)))
  }
  const body = parseJson(text)
  if (response.bodyType === 'json') {
    expect(differences(response.body, body)).toEqual([])
    const answer = { status: response.status, headers, text }
    const codes = (of: unknown) => provider.codes?.(of, { ...answer, body: of })
    expect(codes(body)).toEqual(codes(response.body))
  } else if (response.bodyType === 'html') expect(text).toMatch(/^<html/)
  else if (response.bodyType === 'none' || response.bodyType === 'empty') expect(text).toBe('')
}

const parameterNames = (location: string) => [...new URL(location).searchParams.keys()].sort()

/**
 * Members of the vendor's answer that the twin's lacks or has with another type.
 * What may be null there may be anything here.
 */
function differences(theirs: unknown, ours: unknown, path = ''): string[] {
  if (theirs === null) return []
  if (Array.isArray(theirs)) {
    if (!Array.isArray(ours)) return [`${path} is no list`]
    return theirs.length > 0 && ours.length > 0 ? differences(theirs[0], ours[0], `${path}[0]`) : []
  }
  if (typeof theirs !== 'object') return typeof theirs === typeof ours ? [] : [`${path}: ${typeof ours} instead of ${typeof theirs}`]
  if (typeof ours !== 'object' || ours === null) return [`${path} is no object`]
  return Object.entries(theirs).flatMap(([name, value]) =>
    value === null || name in ours
      ? differences(value, (ours as Record<string, unknown>)[name], `${path}.${name}`)
      : [`${path}.${name} is missing`],
  )
}
