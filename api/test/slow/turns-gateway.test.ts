// No call holds up the others: whatever is sent to an ad system through the gateway, and whatever that answers.
import { type ProviderId, providerIds } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { examples } from '../../src/gateway/examples.ts'
import { gatewayRules } from '../../src/gateway/rules/index.ts'
import { connectIntegration } from '../connected-integration.ts'
import { brokenTexts, longTexts, wideValues } from '../hostile-shapes.ts'
import { share } from '../sampled.ts'
import { answered, createTurns, type Hostile, slowOf, type Turns } from '../turns.ts'

let turns: Turns
beforeAll(async () => {
  turns = await createTurns()
})
afterAll(() => turns.stop())

const MOST_BYTES = 1 << 20
const MOST_HEAD = (16 << 10) - 1500
const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'

const filled = (piece: string, size: number) => piece.repeat(Math.floor(size / piece.length))

function* bodies(size: number): Generator<[name: string, type: string, body: string]> {
  for (const [name, text] of Object.entries({ ...wideValues(size), ...brokenTexts(size) })) yield [name, JSON_TYPE, text]
  for (const [name, text] of Object.entries(longTexts(size - 40))) yield [`${name} in a query`, JSON_TYPE, `{"query":${text}}`]
  for (const piece of ['a=1&', 'a0=[1,1]&', 'a={"b":1}&', 'a[b]=1&', '&', '=', '%41', '%', '+', 'a.b.', '[', ';', 'a;b=1;'])
    yield [`form of “${piece}”`, FORM, filled(piece, size)]
  for (const [name, text] of Object.entries(wideValues(size - 10))) yield [`form with ${name}`, FORM, `a=${text}`]
  for (const [name, text] of Object.entries(wideValues(200)))
    yield [`form of many with ${name}`, FORM, filled(`a=${encodeURIComponent(text)}&`, size)]
  yield ['form of growing lists', FORM, Array.from({ length: 2000 }, (_, n) => `a${n}=[${filled('1,', 480)}1]`).join('&')]
  for (const type of [
    'text/plain',
    'application/xml',
    'text/csv',
    'multipart/form-data; boundary=a',
    'application/graphql',
    'application/octet-stream',
  ])
    for (const piece of ['{', '<a>']) yield [`“${piece}” as ${type}`, type, filled(piece, size)]
}

const PIECES = [
  'a',
  '%',
  '%41',
  '%2525',
  '%CC%A3%CC%81',
  '/',
  '/a',
  '.',
  ',',
  ';',
  '=',
  '&',
  'a=1&',
  'a[b]=1&',
  '[',
  '{',
  '(',
  '*',
  ':',
  '~',
  "'",
  '1',
  'act_',
  'customers/',
  'accounts/',
  'fields{',
  'fields(',
]

/** Each ad system gets a third of the shapes, and the next one the next; its rules alone meet them all (`cost.test.ts`). */
const TURNS = 3

describe.each(providerIds.map((provider, turn) => [provider, turn] as const))('%s', (provider: ProviderId, turn) => {
  let place: string
  beforeAll(async () => {
    const id = await connectIntegration(turns, provider, 'full')
    place = `/v1/organizations/${turns.organization.slug}/workspaces/${turns.workspace.slug}/integrations/${id}/proxy/`
  })
  const example = () => {
    const found = examples[provider].find(({ method }) => method === 'POST') ?? examples[provider][0]!
    const [path = '', query = ''] = found.path.split('?')
    return { ...found, path, query, at: `${place}${found.path}` }
  }

  it('no body', async () => {
    const { at } = example()
    const sent = share([...bodies(MOST_BYTES - 100)], TURNS, turn).map(
      ([name, type, body]): Hostile => ({ name, method: 'POST', target: at, headers: { 'content-type': type }, body }),
    )
    await turns.outsider.answer(answered('{}'))
    expect(await slowOf(turns, sent)).toEqual([])
  })

  it('no query, path or header', async () => {
    const { path, query, method } = example()
    const long = (piece: string) => filled(piece, MOST_HEAD)
    const sent = PIECES.flatMap((piece): Hostile[] => [
      { name: `“${piece}” in the query`, method, target: `${place}${path}?${query}&${long(piece)}` },
      { name: `“${piece}” in a parameter`, method, target: `${place}${path}?${query}&fields=${long(piece)}` },
      { name: `“${piece}” in the path`, method, target: `${place}${path}/${long(piece)}` },
      ...[...gatewayRules[provider]!.headers, 'content-type', 'accept'].map((line) => ({
        name: `“${piece}” in ${line}`,
        method,
        target: `${place}${path}?${query}`,
        headers: { [line]: long(piece) },
      })),
    ])
    expect(await slowOf(turns, sent)).toEqual([])
  })
})
