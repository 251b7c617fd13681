/** The first calls of every ad system, through the gateway and against its twin; and no twin gets a secret out. */
import type { ProviderId } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { examples } from '../../src/gateway/examples.ts'
import { providers } from '../../src/providers/index.ts'
import { secretsOf } from '../../src/providers/session.ts'
import { echo } from '../../src/sandbox/echo.ts'
import { connectIntegration, storedCredential } from '../connected-integration.ts'
import { inTurns } from '../sampled.ts'
import { createWorld, request, type TestOrganization, type TestWorkspace, type World } from '../world.ts'

let world: World
let organization: TestOrganization
let workspace: TestWorkspace
beforeAll(async () => {
  world = await createWorld()
  organization = await world.organization()
  workspace = await world.workspace(organization)
})
afterAll(() => world.stop())

const connected = (id: ProviderId) => connectIntegration({ world, organization, workspace }, id)

type Asked = { method: string; path: string; body: unknown }
const addressOf = (id: string, path: string) =>
  `${world.url}/v1/organizations/${organization.slug}/workspaces/${workspace.slug}/integrations/${id}/proxy/${path}`
const initOf = ({ method, body }: Asked) => ({
  method,
  headers: { ...organization.admin.headers, ...(body ? { 'content-type': 'application/json' } : {}) },
  ...(body ? { body: JSON.stringify(body) } : {}),
})
const call = (id: string, asked: Asked) => request(addressOf(id, asked.path), initOf(asked))
/** Answered as it comes, to be read as slowly as one likes. */
const open = (id: string, asked: Asked) => fetch(addressOf(id, asked.path), initOf(asked))

describe.each(providers.map((provider) => [provider.id, provider] as const))('%s', (id, provider) => {
  let integration: string
  beforeAll(async () => {
    integration = await connected(id)
  })

  it('describes its hosts and its first calls, which all read', async () => {
    const { gateway } = await organization.admin.client.getProvider({ provider: id })
    expect(gateway?.hosts.length).toBeGreaterThan(0)
    expect(gateway?.examples).toEqual(examples[id].map((example) => ({ ...example, effect: 'read' })))
    expect(gateway?.examples.length, 'give it two or more in api/src/gateway/examples.ts').toBeGreaterThan(1)
  })

  it.each(examples[id].map((example) => [example.title, example] as const))('answers “%s”', async (_title, example) => {
    const answer = await call(integration, example)
    expect([answer.status, answer.headers.get('adjoin-answer')], answer.text).toEqual([isStarted(id, example.method) ? 202 : 200, id])
    if (answer.status === 202)
      expect(answer.headers.get('location')).toContain(`/integrations/${integration}/proxy/api.adform.com/v1/buyer/`)
    else if (answer.headers.get('content-type') === 'text/csv') expect(answer.text).toContain('2026-01-04,')
    else expect(meaning(JSON.parse(answer.text))).toBe('fine')
  })

  it('gets none of its secrets out, however it spells them', async () => {
    const [example] = examples[id]
    const credential = await storedCredential(world, organization, integration)
    const { app } = world.app.parts.vendorSessions.open(provider, new Date())
    const secrets = [...secretsOf(provider, credential), app.developerToken].filter((secret) => secret && secret.length >= 12) as string[]
    expect(secrets).not.toEqual([])
    const path = `${example!.path}${example!.path.includes('?') ? '&' : '?'}sandbox=echo`
    const answer = await call(integration, { ...example!, path })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers.get('x-trace-id')).toContain('************')
    expect(JSON.parse(answer.text).plain[0]).toContain('************')
    const everything = [...answer.headers.values(), answer.text].join('\n')
    for (const secret of secrets) expect(isSpelledIn(everything, secret)).toBe(false)
  })
})

// Pages, 50 MB and a slow answer: in the quick run at every fifth.
describe.each(inTurns(providers, 5).map((provider) => provider.id))('the twin of %s', (id) => {
  const [first] = examples[id]
  const asking = (word: string) => ({ ...first!, path: `${first!.path}${first!.path.includes('?') ? '&' : '?'}sandbox=${word}` })
  let integration: string
  beforeAll(async () => {
    integration = await connected(id)
  })

  it('gives pages whose addresses lead on through the gateway', async () => {
    const ids: string[] = []
    let path: string | undefined = asking('pages').path
    for (let pages = 0; path && pages < 5; pages++) {
      const answer = await call(integration, { ...first!, path })
      const { items, next } = answer.json<{ items: { id: string }[]; next: string | null }>()
      ids.push(...items.map((item) => item.id))
      expect(answer.headers.get('link')).toBe(next ? `<${next}>; rel="next"` : null)
      path = next?.replace('https://', '')
    }
    expect(ids).toEqual(Array.from({ length: 30 }, (_, i) => String(i + 1)))
  })

  it('gives an answer of 50 MB, whole, and a slow one part by part', async () => {
    const large = await open(integration, asking('large'))
    let bytes = 0
    for await (const chunk of large.body!) bytes += chunk.length
    expect([large.status, large.headers.get('content-length'), bytes]).toEqual([200, String(50 << 20), 50 << 20])

    const slow = (await open(integration, asking('slow'))).body!.getReader()
    const first = Buffer.from((await slow.read()).value!).toString()
    expect(first).toMatch(/^\{"row":1,"of":20\}\n/)
    expect(first).not.toContain('"row":20,') // the first part came before the last was written
    await slow.cancel()
  })
})

describe('the address of a next page, which Meta writes the token into', () => {
  it('comes without the token, and leads on through the gateway', async () => {
    const integration = await connected('meta_ads')
    const [campaigns] = examples.meta_ads
    const first = JSON.parse((await call(integration, campaigns!)).text) as { paging: { next: string } }
    const next = new URL(first.paging.next)
    expect(next.searchParams.get('access_token')).toMatch(/^\*+$/)
    next.searchParams.delete('access_token')
    expect((await call(integration, { method: 'GET', path: next.href.replace('https://', ''), body: null })).status).toBe(200)
  })
})

/** Adform starts its reports with an empty 202. */
const isStarted = (id: ProviderId, method: string) => id === 'adform' && method === 'POST'

/** Some systems say no with HTTP 200. */
const meaning = (body: { code?: number; errors?: unknown[] }) => (body.code || body.errors?.length ? JSON.stringify(body) : 'fine')

/** Plainly, escaped in either way, or in base64 wherever it begins. */
function isSpelledIn(text: string, secret: string): boolean {
  const bytes = (pattern: RegExp) => text.replace(pattern, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  const words = text.match(/[\w+/-]{12,}/g) ?? []
  const decoded = words.flatMap((word) => [0, 1, 2, 3].map((from) => Buffer.from(word.slice(from), 'base64').toString('latin1')))
  return [text, bytes(/%([0-9a-f]{2})/gi), bytes(/\\u([0-9a-f]{4})/gi), ...decoded].some((read) => read.includes(secret))
}

describe('the search for secrets in these tests', () => {
  it('finds every spelling of the echo by itself', () => {
    const secret = 'A-secret/with+all=kinds'
    const asked = { headers: { 'ttd-auth': secret } } as unknown as Parameters<typeof echo>[0]
    const { plain, encoded } = JSON.parse(echo(asked).body) as { plain: string[]; encoded: string[] }
    expect(encoded.length).toBeGreaterThan(7)
    for (const spelling of [...plain, ...encoded, echo(asked).body.split('"escaped":')[1]!])
      expect(isSpelledIn(spelling, secret)).toBe(true)
    expect(isSpelledIn(`${'*'.repeat(secret.length)} ${secret.slice(1)}`, secret)).toBe(false)
  })
})
