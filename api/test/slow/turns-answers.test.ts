// No answer holds up the others: what ad systems say to checks, logins and lists of accounts, and what webhooks' servers say.
import { type ProviderId, providerIds } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectIntegration } from '../connected-integration.ts'
import { brokenTexts, longTexts, wideValues } from '../hostile-shapes.ts'
import { answered, createTurns, type Hostile, slowOf, type Turns } from '../turns.ts'
import { sql } from '../world.ts'

let turns: Turns
let w: string
beforeAll(async () => {
  turns = await createTurns()
  w = `/v1/organizations/${turns.organization.slug}/workspaces/${turns.workspace.slug}`
})
afterAll(() => turns.stop())

/** What is read of an answer. */
const MOST_ANSWER = 1_000_000

const NAMES = ['data', 'results', 'error', 'access_token']

/** Lists of accounts as the systems write them, as long as may be. */
const rows = (size: number) => {
  const row = (n: number) =>
    `{"id":"${n}","account_id":"${n}","name":"n${n}","resourceName":"customers/${n}","sub_request_status":"SUCCESS"}`
  return `[${Array.from({ length: Math.floor(size / 120) }, (_, n) => row(n)).join(',')}]`
}

/** Fewer than an answer may have, as large as it may be. */
const own = (size: number) =>
  `[${Array.from({ length: 9_900 }, (_, n) => `{"k${n.toString(36)}":${'1'.repeat(size / 9_900 - 10)}}`).join(',')}]`

const shapesOf = (size: number) => ({ ...longTexts(size), ...wideValues(size), ...brokenTexts(size), rows: rows(size), own: own(size) })

/** As fields that the systems' answers have; the first is nobody's. */
const within = (names: readonly string[], shapes: Record<string, string>) =>
  Object.entries(shapes).flatMap(([name, text]) =>
    names.map((field) => ({ name: `${name} as ${field}`, answer: answered(`{"${field}":${text}}`) })),
  )

describe.each(providerIds)('%s', (provider: ProviderId) => {
  it('no answer to a check', async () => {
    const id = await connectIntegration(turns, provider, 'full')
    const size = MOST_ANSWER - 100
    const everywhere = within(NAMES, { own: own(size) })
    // What all systems have in common is shown by one.
    const all = provider === 'google_ads' ? [...everywhere, ...within(['any', 'results'], shapesOf(size))] : everywhere
    const sent = all.flatMap(({ name, answer }): Hostile[] => {
      const asked = { method: 'POST', target: `${w}/integrations/${id}/verify` }
      // After several answers that are no use a system is left alone for a while: so there is one that is, in between.
      return [
        { name: 'in between', ...asked, answer: answered('{}') },
        { name, ...asked, answer },
      ]
    })
    expect(await slowOf(turns, sent)).toEqual([])
  })
})

it('no answer of the server of a webhook', async () => {
  const url = `${turns.outsider.url}/hook/secret-path-of-a-webhook`
  const { id } = await turns.organization.admin.client.createWebhook(
    { orgSlug: turns.organization.slug },
    { url, types: ['organization.frozen'] },
  )
  const target = `/v1/organizations/${turns.organization.slug}/webhooks/${id}/test`
  const sent = within(['any'], shapesOf(1 << 20)).map(({ name, answer }): Hostile => ({ name, method: 'POST', target, answer }))
  expect(await slowOf(turns, sent)).toEqual([])
})

it('no list of accounts, however long', async () => {
  const { organization, world } = turns
  const id = await connectIntegration(turns, 'google_ads', 'full')
  await world.query(sql`insert into integration_accounts (organization_id, integration_id, kind, id, name, parent_id, currency, time_zone, status)
    select ${organization.id}, ${id}, 'account', n::text, repeat('n', 200), n::text, 'EUR', 'Europe/Vienna', 'ENABLED' from generate_series(1000000000, 1000009999) n`)
  const headers = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'mcp-protocol-version': '2025-11-25',
  }
  const given = { integration: `${organization.slug}/${turns.workspace.slug}/${id}`, limit: 200 }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_accounts', arguments: given } })
  expect(
    await slowOf(turns, [
      { name: 'listed', method: 'GET', target: `${w}/integrations/${id}/accounts` },
      { name: 'asked for by an agent', method: 'POST', target: '/mcp', headers, body },
    ]),
  ).toEqual([])
})
