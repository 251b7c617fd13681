import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newApiKey } from '../src/domain/api-key.ts'
import { readMailbox } from '../src/mail/mailbox.ts'
import { type HeardExchange, listen } from './answers.ts'
import { calls } from './calls.ts'
import { recordingOperations } from './recording-operations.ts'
import { createSuite, newCredentials, type Suite, type Tenant, tokenOf } from './suite.ts'
import { request, sql } from './world.ts'

/** A secret that went through the service, and which exchanges may show it. */
interface Secret {
  readonly what: string
  readonly text: string
  /** Found by: six digits are a code only where they stand alone. */
  readonly pattern: RegExp
  readonly shownIn?: (exchange: HeardExchange) => boolean
  /** The mails it belongs into. */
  readonly mailedTo?: string
}

let suite: Suite
let heard: ReturnType<typeof listen>
let metrics: string
const secrets: Secret[] = []
const keep = (what: string, text: string | undefined, more: Partial<Secret> = {}) => {
  if (!text || text.length < 6) throw new Error(`there is no ${what}`)
  const escaped = text.replace(/[^\w]/g, '\\$&')
  secrets.push({ what, text, pattern: new RegExp(text.length === 6 ? `(?<![\\w.-])${escaped}(?![\\w.-])` : escaped), ...more })
}

/**
 * Who holds the link or code sends it:
 * `instance` names the path that was asked for, and an own request is no leak.
 */
const answers = () => heard.exchanges.map((exchange) => ({ ...exchange, text: exchange.text.replace(/"instance":"[^"]*"/, '') }))
const by =
  (...operations: string[]) =>
  ({ operation, status }: HeardExchange) =>
    status < 300 && operations.includes(operation ?? '')

beforeAll(async () => {
  suite = await createSuite({ metricsPort: 0 })
  heard = listen(suite.world.url)
  for (const prepare of [...Object.values(recordingOperations), ...Object.values(calls)]) {
    const tenant = await suite.tenant()
    const prepared = await prepare(tenant)
    const { run, refused } = typeof prepared === 'function' ? { run: prepared, refused: prepared } : prepared
    await run()
    await refused().catch(() => {})
    for (const { token, email } of [tenant.viewer, tenant.member, tenant.organization.admin]) keep(`session of ${email}`, token)
  }
  await misplace(await suite.tenant())
  await repeat(await suite.tenant())
  await gather()
  metrics = await (await fetch(`http://127.0.0.1:${suite.world.app.metricsPort}/metrics`)).text()
})
afterAll(async () => {
  heard.stop()
  await suite.stop()
})

/** Secrets in places where people put them by mistake, and attackers on purpose. */
async function misplace({ world, organization, w, admin }: Tenant) {
  let n = 0
  const canary = () => {
    const text = `canary-${++n}-${'Zq9'.repeat(8)}`
    keep(`canary ${n}`, text)
    return text
  }
  const { headers } = organization.admin
  const json = { 'content-type': 'application/json' }
  const key = newApiKey()
  keep('an API key of nobody', key)
  await request(`${world.url}/v1/me?token=${canary()}`, { headers })
  await request(`${world.url}/v1/me?password=${canary()}`, { headers: { authorization: `Bearer ${canary()}` } })
  await request(`${world.url}/v1/me`, { headers: { authorization: `Basic ${canary()}` } })
  await request(`${world.url}/v1/me`, { headers: { 'x-api-key': key } })
  await request(`${world.url}/v1/me`, { headers: { cookie: `adjoin_session=${canary()}` } })
  await request(`${world.url}/v1/connect/${canary()}`)
  await request(`${world.url}/v1/invitations/${canary()}`)
  await request(`${world.url}/v1/auth/magic-link/${canary()}`)
  await request(`${world.url}/v1/nowhere/${canary()}`)
  await request(`${world.url}/v1/connect/oauth/callback?state=${canary()}&code=${canary()}`)
  await request(`${world.url}/v1/auth/google/callback?state=${canary()}&code=${canary()}`)
  await request(`${world.url}/v1/me`, { method: 'PATCH', headers: { ...headers, ...json }, body: `{"name":"${canary()}` })
  await request(`${world.url}/v1/me`, {
    method: 'PATCH',
    headers: { ...headers, ...json },
    body: `{"name":"Ada","password":"${canary()}"}`,
  })
  await request(`${world.url}/v1/me`, { method: 'PATCH', headers: { ...headers, 'content-type': 'text/plain' }, body: canary() })
  await request(`${world.url}/v1/auth/magic-link/verify`, { method: 'POST', headers: json, body: JSON.stringify({ token: canary() }) })
  await request(`${world.url}/v1/auth/device/token`, { method: 'POST', headers: json, body: JSON.stringify({ deviceCode: canary() }) })
  const made = await admin.createIntegration(w, { provider: 'xandr', name: 'Publisher' })
  const at = { ...w, id: made.id }
  await admin.submitIntegrationCredentials(at, { ...newCredentials(), password: canary() })
  await admin.submitIntegrationCredentials(at, { username: 'api-refuse', password: canary() })
  await admin.submitIntegrationCredentials(at, { username: 'api-user', passwort: canary() }).catch(() => {})
  await admin.submitIntegrationCredentials(at, { username: 'api-user', password: [canary()] }).catch(() => {})
  await world
    .client()
    .submitConnectCredentials({ token: tokenOf(made.connectUrl) }, { username: canary(), password: canary() })
    .catch(() => {})
}

/** Asked again with the same Idempotency-Key, the answer comes without the key that it showed. */
async function repeat({ admin, o }: Tenant) {
  const mint = () => admin.createApiKey(o, { name: 'Once', level: 'user' }, { idempotencyKey: 'mint-once' })
  const [first, again] = [await mint(), await mint()]
  expect(again).toEqual({ ...first, key: undefined })
}

/** Everything secret that the story made: read from the answers and mails that were meant to show it. */
async function gather() {
  const config = suite.world.config
  for (const { key } of config.sealKeys ?? []) keep('a seal key', key.toString('base64'))
  keep('the client secret of the identity provider', suite.google.client.clientSecret)
  for (const { operation, text, headers, sent } of heard.exchanges) {
    const answer = headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : {}
    const body = sent?.startsWith('{') && sent.endsWith('}') ? JSON.parse(sent) : {}
    if (operation === 'createApiKey' || operation === 'rotateApiKey')
      if (answer.key) keep('an API key', answer.key, { shownIn: (exchange) => exchange.text === text })
    if (operation === 'verifySignIn' || operation === 'pollDeviceLogin')
      if (answer.token) keep('a new session', answer.token, { shownIn: (exchange) => exchange.text === text })
    const cookie = /^adjoin_session=([\w-]{43})/m.exec(headers.getSetCookie().join('\n'))?.[1]
    if (cookie) keep('a session cookie', cookie, { shownIn: by('verifySignIn', 'pollDeviceLogin') })
    if (operation === 'startDeviceLogin' && answer.deviceCode) keep('a device code', answer.deviceCode, { shownIn: by(operation) })
    if (answer.connectUrl?.includes('/connect/r/'))
      keep('a request token', tokenOf(answer.connectUrl), { shownIn: isOwnRequest, mailedTo: answer.clientEmail })
    else if (answer.connectUrl?.includes('/connect/'))
      keep('a connect token', tokenOf(answer.connectUrl), { shownIn: operation === 'passOnConnectItem' ? by(operation) : isIntegration })
    if (answer.receiptUrl) keep('a receipt token', tokenOf(answer.receiptUrl), { shownIn: isOwnSuccess })
    if (/Credentials$/.test(operation ?? '') && typeof body.password === 'string') keep('a password of an ad system', body.password)
  }
  for (const mail of await readMailbox(suite.world.app.parts)) {
    const token = /#token=([\w-]+)/.exec(mail.text)?.[1]
    const code = /^\s+(\d{6})$/m.exec(mail.text)?.[1]
    if (token) keep(`a mailed token (${mail.subject})`, token, { mailedTo: mail.to })
    if (code) keep(`a mailed code (${mail.subject})`, code, { mailedTo: mail.to })
  }
}
/** Whoever sees an integration may read its connect link: that is in the contract, and named as a risk. */
const isIntegration = ({ operation, status }: HeardExchange) =>
  status < 300 &&
  /^(create|get|set|update|verify|enable|disable|submit)Integration|^listIntegrations$|^issueConnectLink$/.test(operation ?? '')

/** Members by session: those who read a request in these stories are viewers, and are not shown its link. */
const isOwnRequest = by('createConnectRequest', 'updateConnectRequest', 'sendConnectRequest', 'renewConnectRequest')
const isOwnSuccess = by('submitConnectCredentials', 'submitConnectItemCredentials', 'getConnectResult')

/** Names what leaked, never the secret itself. */
const leaks = (text: string, among = secrets) => [...new Set(among.filter(({ pattern }) => pattern.test(text)).map(({ what }) => what))]

describe('no secret', () => {
  it('was forgotten by this test: there are some of every kind', () => {
    const kinds = new Set(secrets.map(({ what }) => what.replace(/ of .*| \(.*| \d+$/g, '')))
    for (const kind of [
      'session',
      'a session cookie',
      'a new session',
      'an API key',
      'a device code',
      'a connect token',
      'a request token',
      'a receipt token',
      'a password',
    ])
      expect([...kinds]).toContain(kind)
    expect(secrets.filter(({ what }) => what.startsWith('a mailed token')).length).toBeGreaterThan(3)
    expect(secrets.filter(({ what }) => what.startsWith('a mailed code')).length).toBeGreaterThan(3)
    expect(heard.exchanges.length).toBeGreaterThan(200)
  })

  it('is in an answer, save the one that is there to show it', () => {
    const shown = answers().flatMap((exchange) => {
      const { 'set-cookie': _, ...headers } = Object.fromEntries(exchange.headers)
      const found = secrets.filter(
        ({ pattern, shownIn }) => pattern.test(`${exchange.text}${JSON.stringify(headers)}`) && !shownIn?.(exchange),
      )
      return found.map(({ what }) => `${what} in ${exchange.operation ?? exchange.url} ${exchange.status}`)
    })
    expect(shown).toEqual([])
  })

  it('is in more than one answer, if it is an API key', () => {
    for (const { text, what } of secrets.filter((secret) => secret.what === 'an API key'))
      expect(
        answers().filter((exchange) => exchange.text.includes(text)),
        what,
      ).toHaveLength(1)
  })

  it('is in a line of the log', () => {
    const lines = suite.world.log.lines.join('')
    expect(lines.length).toBeGreaterThan(10_000)
    expect(leaks(lines)).toEqual([])
  })

  it('is in a metric', () => {
    expect(metrics).toContain('adjoin_requests_total')
    expect(leaks(metrics.replace(/ [\d.e+-]+$/gm, ''))).toEqual([])
  })

  it('is in a mail other than its own', async () => {
    const found = (await readMailbox(suite.world.app.parts)).flatMap((mail) =>
      leaks(
        `${mail.subject} ${mail.text} ${mail.html}`,
        secrets.filter(({ mailedTo }) => mailedTo !== mail.to),
      ),
    )
    expect(found).toEqual([])
  })

  it('is readable in the database, the audit trail included', async () => {
    const tables = await suite.world.query<{ name: string }>(sql`select tablename as name from pg_tables where schemaname = 'public'`)
    expect(tables.length).toBeGreaterThan(15)
    const found: string[] = []
    for (const { name } of tables) {
      const rows = await suite.world.query<{ text: string }>(dump(name))
      found.push(...leaks(rows.map(({ text }) => text).join('\n')).map((what) => `${what} in ${name}`))
    }
    expect(found).toEqual([])
  })
})

/** A table's rows as text, and what its bytes would say as text. */
const dump = (table: string) => {
  const whole = sql`select t::text || coalesce((select string_agg(encode(decode(substr(value, 3), 'hex'), 'escape'), ' ')
    from jsonb_each_text(to_jsonb(t)) where value like '\\\\x%'), '') as text from `
  return { ...whole, texts: [`${whole.texts[0]}${table} t`] }
}

describe('the log', () => {
  it('is one JSON object a line, with request id, route, status and time, and with no path, no address of a person and no body', () => {
    const lines = suite.world.log.lines.map((line) => {
      expect(line.trimEnd()).not.toMatch(/\p{Cc}/u)
      return JSON.parse(line)
    })
    const requests = lines.filter(({ msg }) => msg === 'request')
    expect(requests.length).toBeGreaterThan(200)
    for (const line of requests) {
      // The caller by id; who calls nothing that exists, or without a credential, has neither.
      const { operation, caller, ...rest } = line
      expect(Object.keys(rest).sort()).toEqual(['ip', 'level', 'method', 'ms', 'msg', 'requestId', 'route', 'status', 'time'])
      expect([operation ?? 'none', caller ?? 'none']).toEqual([
        expect.stringMatching(/^\w+$/),
        expect.stringMatching(/^none$|^(user|key):[0-9a-f-]{36}$/),
      ])
      expect(line.route).toMatch(/^(-|\/[\w./:-]*\*?)$/)
    }
    expect(suite.world.log.lines.filter((line) => /[\w.]+@[\w-]+\.example/.test(line))).toEqual([])
  })

  it('keeps line ends and terminal codes of a stranger inside one string, and masks addresses in errors', () => {
    const { log, lines } = suite.world.log
    log.warn({ err: new Error('550 <ada@agency.example> no such user\r\n{"level":"fatal"}\u001b[31m'), token: 'abc' }, 'odd\nline')
    const line = lines.at(-1)!
    expect(line.trimEnd()).not.toMatch(/\p{Cc}/u)
    expect(JSON.parse(line)).toMatchObject({
      level: 'warn',
      token: '[redacted]',
      err: { message: expect.stringContaining('<a•••@agency.example>') },
    })
    expect(line).not.toContain('ada@')
  })
})
