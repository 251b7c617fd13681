/**
 * Every ad system through the service itself, against its twin, from the link to the end of the access.
 * Afterwards we search for secrets everywhere they must not be.
 */
import { randomBytes } from 'node:crypto'
import { createClient, type ProviderId } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../src/app.ts'
import { readVisit } from '../../src/features/connect/visit.ts'
import { openCredential } from '../../src/features/integrations/credential.ts'
import { findIntegration } from '../../src/features/integrations/integration-row.ts'
import { readMailbox } from '../../src/mail/mailbox.ts'
import { providers } from '../../src/providers/index.ts'
import type { Credential, Provider } from '../../src/providers/provider.ts'
import { describe as sentence } from '../../src/providers/reasons.ts'
import { check } from '../../src/providers/session.ts'
import { type HeardExchange, listen } from '../answers.ts'
import { changeCredential } from '../connected-integration.ts'
import { type Story, stories } from '../provider-stories.ts'
import { inTurns, QUICK } from '../sampled.ts'
import { createWorld, newAddress, request, sql, type TestOrganization, type TestWorkspace, type World } from '../world.ts'

let world: World
/** Of the same world, for what is slow. */
let impatient: App
let agency: TestOrganization
let place: TestWorkspace
let at: { orgSlug: string; workspaceSlug: string }
let heard: ReturnType<typeof listen>

/** Every secret that was used, with what it was. Those in `secrets` may not be in an answer either. */
const secrets = new Map<string, string>()
const links = new Map<string, string>()
const keep = (what: string, text: string | null | undefined) => void (text && secrets.set(text, what))

interface ProviderCase {
  readonly id: ProviderId
  readonly provider: Provider
  readonly story: Story
}

const admin = () => agency.admin.client
const get = (id: string) => admin().getIntegration({ ...at, id })
const verify = (id: string) => admin().verifyIntegration({ ...at, id })
const create = async ({ id: provider, story }: ProviderCase) => {
  const made = await admin().createIntegration(at, { provider, name: provider, settings: { ...story.settings } })
  return { id: made.id, token: tokenOf(made.connectUrl) }
}
const tokenOf = (url: string) => {
  const token = url.split('/').at(-1)!
  links.set(token, 'a connect token')
  return token
}
const stored = async (id: string) => {
  const row = (await findIntegration(world.app.parts.db.query, { organizationId: agency.id, id }))!
  return { row, credential: openCredential(world.app.parts, row, row.credential!) }
}
const remember = async (subject: ProviderCase, id: string): Promise<Credential> => {
  const { credential } = await stored(id)
  keep(`the access token of ${subject.id}`, credential.accessToken)
  keep(`the refresh token of ${subject.id}`, credential.refreshToken)
  return credential
}

/** As a client does: through the link, by form or consent page. `play` is what the twin makes of it. */
async function connect({ id, provider, story }: ProviderCase, token: string, play = 'allow') {
  const { url } = play === 'slow' ? impatient : world
  const client = createClient({ url, headers: { 'x-forwarded-for': newAddress() } })
  const fields = story.fields(`${play}canary${randomBytes(8).toString('hex')}`)
  for (const field of provider.connectFields) if (field.secret) keep(`${field.name} of ${id}`, fields[field.name])
  if (provider.authMethod === 'credentials') return void (await client.submitConnectCredentials({ token }, fields))
  const { authorizationUrl } = await client.startConnectOAuth({ token }, fields)
  const there = await fetch(`${authorizationUrl}&decision=${play}`, { redirect: 'manual' })
  const callback = new URL(there.headers.get('location')!)
  keep(`the verifier of ${id}`, readVisit(world.app.parts, callback.searchParams.get('state')!)?.codeVerifier)
  for (const name of ['code', 'auth_code']) keep(`the code of ${id}`, callback.searchParams.get(name))
  expect(callback.searchParams.get('state')!.length).toBeLessThan(2048)
  expect((await request(`${url}${callback.pathname}${callback.search}`)).status).toBe(302)
}

async function connected(subject: ProviderCase): Promise<string> {
  const { id, token } = await create(subject)
  await connect(subject, token)
  const { status, statusDetail, lastError } = await get(id)
  expect([status, statusDetail, lastError]).toEqual(['active', null, null])
  await remember(subject, id)
  return id
}

const renews = ({ provider }: ProviderCase) => Boolean(provider.refresh || ('login' in provider && provider.login))

/** New access may be refused until it has propagated, so a first refusal is not final. */
const propagates = ({ provider }: ProviderCase) => provider.lifetimes.propagation !== undefined

/** A temporary problem: the status stays as it was, and the link can be tried again. */
const staysPending = (play: string, words: string) => async (subject: ProviderCase) => {
  const { id, token } = await create(subject)
  await connect(subject, token, play)
  expect(await get(id)).toMatchObject({
    status: 'pending',
    statusDetail: null,
    lastError: expect.stringContaining(words),
    lastErrorAt: expect.any(String),
    connectLink: { expired: false },
    connectedAt: null,
  })
  const { checks } = await admin().listIntegrationChecks({ ...at, id })
  expect(checks).toMatchObject([{ kind: 'connect', outcome: 'unreachable', status: 'pending' }])
}

const cases: Record<string, (subject: ProviderCase) => Promise<void>> = {
  'connects through its link, names the account and consumes the link': async (subject) => {
    const id = await connected(subject)
    const { connectedAccount, connectLink, connectedAt, statusCheckedAt } = await get(id)
    expect(connectedAccount).toContain(subject.story.account.name)
    expect([connectLink, connectedAt]).toEqual([null, statusCheckedAt])
    expect(await verify(id)).toMatchObject({ status: 'active', connectedAccount })
  },
  'says who must act when it refuses, and leaves the link for another try': async (subject) => {
    const { id, token } = await create(subject)
    await connect(subject, token, 'refuse')
    const failed = await get(id)
    expect(failed).toMatchObject({ connectLink: { expired: false }, connectedAccount: null })
    if (propagates(subject)) expect(failed).toMatchObject({ status: 'pending', lastError: expect.stringContaining('Nothing was saved') })
    else {
      expect(failed).toMatchObject({ status: 'error', lastError: null })
      expect(failed.statusDetail).toContain(sentence(subject.provider.name, { reason: subject.story.refused }))
      expect(failed.mustAct).toMatch(/^(client|agency|operator)$/)
    }
    await connect(subject, token)
    expect(await get(id)).toMatchObject({ status: 'active', statusDetail: null, connectLink: null })
    await remember(subject, id)
  },
  'leaves a new integration pending through an outage': staysPending('outage', 'is temporarily unavailable. Nothing was saved'),
  'leaves a new integration pending when it is asked to slow down': staysPending('throttle', 'asked us to slow down'),
  'cuts a slow answer': staysPending('slow', 'did not respond in time'),
  'does not take an answer it cannot read for a refusal': staysPending('garble', 'sent an unexpected response'),
  'keeps a working access through an outage and through a bad attempt': async (subject) => {
    const id = await connected(subject)
    for (const [play, status] of [
      ['outage', 'active'],
      ['refuse', propagates(subject) ? 'active' : 'error'],
    ] as const) {
      await connect(subject, tokenOf((await admin().issueConnectLink({ ...at, id }, {})).connectUrl), play)
      expect((await get(id)).status).toBe(status)
      expect(await verify(id)).toMatchObject({ status: 'active', statusDetail: null, lastError: null })
    }
  },
  'renews an expired access, and stores what came for the next time': async (subject) => {
    const id = await connected(subject)
    const before = await changeCredential(world, agency, id, () => ({ accessExpiresAt: '2020-01-01T00:00:00.000Z' }))
    expect(await verify(id)).toMatchObject({ status: 'active' })
    const after = await stored(id)
    await remember(subject, id)
    expect(after.row.credential_version - before.version).toBe(renews(subject) ? 1 : 0)
    expect(after.credential.accessToken === before.credential.accessToken).toBe(!renews(subject))
    expect(after.credential.refreshToken !== before.credential.refreshToken).toBe(subject.provider.lifetimes.rotates)
    expect(await verify(id)).toMatchObject({ status: 'active' })
  },
  'turns to error when the access was revoked': async (subject) => {
    const id = await connected(subject)
    await changeCredential(world, agency, id, ({ accessToken, refreshToken, fields }) => {
      for (const token of [accessToken, refreshToken]) if (token) world.twins.revoke(subject.id, token)
      return {
        obtainedAt: '2026-01-01T00:00:00.000Z',
        fields: subject.provider.authMethod === 'credentials' ? subject.story.fields('refuse') : fields,
      }
    })
    const broken = await verify(id)
    expect(broken.status).toBe('error')
    expect(broken.statusDetail).toContain(sentence(subject.provider.name, { reason: subject.story.withdrawn }))
    expect(broken.connectedAccount).toContain(subject.story.account.name)
  },
  'ends the access at the system, where that can be done, and destroys what was stored': async (subject) => {
    const id = await connected(subject)
    const { credential } = await stored(id)
    // The twin's one person stands behind all integrations here; an access that others use is left alone.
    await world.query(sql`update integrations set grant_hash = null where id <> ${id}`)
    await admin().deleteIntegration({ ...at, id })
    const { auditLogs } = await admin().listAuditLogs({ orgSlug: agency.slug, targetId: id, action: 'integration.deleted' })
    expect(auditLogs).toMatchObject([{ metadata: { revokedAtProvider: subject.provider.revoke ? 'best_effort' : 'unsupported' } }])
    expect(await world.query(sql`select from integrations where id = ${id}`)).toHaveLength(0)
    if (!subject.provider.revoke) return
    const session = world.app.parts.vendorSessions.open(subject.provider, new Date())
    const fields = subject.provider.authMethod === 'credentials' ? subject.story.fields('refuse') : credential.fields
    const { outcome } = await check(session, { ...credential, fields }, { settings: subject.story.settings, store: async () => {} })
    expect(outcome.outcome).toBe('rejected')
  },
}

/** In the quick run: how each system is connected, and of the rest a fourth, another one at the next system. */
const casesOf = (id: ProviderId): [string, (subject: ProviderCase) => Promise<void>][] => {
  const [first, ...rest] = Object.entries(cases)
  return [
    first!,
    ...inTurns(
      rest,
      4,
      providers.findIndex((one) => one.id === id),
    ),
  ]
}

/** The cases of all systems: four systems at a time, each system's cases in order. */
const runs = new Map<string, Promise<void>>()
beforeAll(async () => {
  world = await createWorld({ limitsFactor: 1000, metricsPort: 0 })
  impatient = await world.replica({ metricsPort: undefined }, { waits: { vendor: 5000 } })
  agency = await world.organization()
  place = await world.workspace(agency)
  at = { orgSlug: agency.slug, workspaceSlug: place.slug }
  heard = listen(world.url)
  const waiting = providers.map((provider): ProviderCase => ({ id: provider.id, provider, story: stories[provider.id] }))
  const runCases = async () => {
    for (let subject = waiting.shift(); subject; subject = waiting.shift())
      for (const [name, test] of casesOf(subject.id)) {
        // Logins are limited, and the cases need more of them than a client does in a day.
        await world.query(sql`delete from limits`)
        const run = test(subject)
        runs.set(`${subject.id} ${name}`, run)
        await run.catch(() => {})
      }
  }
  await Promise.all([runCases(), runCases(), runCases(), runCases()])
})
afterAll(async () => {
  heard.stop()
  await world.stop()
})

describe.each(providers.map(({ id }) => id))('%s', (id) => {
  it.each(casesOf(id).map(([name]) => name))('%s', (name) => runs.get(`${id} ${name}`))
})

describe('what was secret', () => {
  const found = (text: string, among: Map<string, string>) => [...among].filter(([secret]) => text.includes(secret)).map(([, what]) => what)
  const everything = () => new Map([...secrets, ...links])

  it('was of every kind and of every system', () => {
    const kinds = [...secrets.values()].map((what) => what.replace(/ of \w+$/, ''))
    for (const kind of ['the access token', 'the refresh token', 'the code', 'the verifier']) expect(kinds).toContain(kind)
    for (const { id } of providers)
      expect(
        [...secrets.values()].some((what) => what.endsWith(` of ${id}`)),
        id,
      ).toBe(true)
    expect(secrets.size).toBeGreaterThan(providers.length * (QUICK ? 3 : 8))
  })

  it('is in no answer', () => {
    // What a client sent back to us in an address is in `instance` of a refusal; nothing else may hold it.
    const text = (exchange: HeardExchange) => exchange.text.replace(/"instance":"[^"]*"/, '') + JSON.stringify([...exchange.headers])
    expect(heard.exchanges.length).toBeGreaterThan(providers.length * (QUICK ? 5 : 20))
    expect(heard.exchanges.flatMap((exchange) => found(text(exchange), secrets).map((what) => `${what} in ${exchange.operation}`))).toEqual(
      [],
    )
  })

  it('is in no line of the log, links included', () => {
    expect(world.log.lines.length).toBeGreaterThan(QUICK ? 200 : 500)
    expect(found(world.log.lines.join(''), everything())).toEqual([])
  })

  it('is in no metric, links included', async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${world.app.metricsPort}/metrics`)).text()
    expect(metrics).toContain('adjoin_vendor_call_seconds')
    expect(found(metrics, everything())).toEqual([])
  })

  it('is in no mail, links included', async () => {
    const mails = await readMailbox(world.app.parts)
    expect(mails.length).toBeGreaterThan(QUICK ? 3 : providers.length)
    expect(found(JSON.stringify(mails), everything())).toEqual([])
  })

  it('is readable nowhere in the database, the trail included, links included', async () => {
    const tables = await world.query<{ name: string }>(sql`select tablename as name from pg_tables where schemaname = 'public'`)
    const text = await Promise.all(
      tables.map(async ({ name }) => {
        const rows = await world.query<{ text: string }>({
          ...sql`select t::text as text from `,
          texts: [`select t::text as text from ${name} t`],
        })
        // Bytes are written as hexadecimal digits: what they would say as text counts too.
        return rows
          .map((row) => row.text + row.text.replace(/\\\\x([0-9a-f]+)/g, (_, hex) => Buffer.from(hex, 'hex').toString('latin1')))
          .join('\n')
      }),
    )
    expect(text.join('').length).toBeGreaterThan(100_000)
    expect(found(text.join('\n'), everything())).toEqual([])
  })
})
