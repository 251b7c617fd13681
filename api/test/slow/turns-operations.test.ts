// No request holds up the others: whatever is sent to an operation, no turn of the event loop takes long.
import { declaration, isChange, isVerbatim, type OperationId, operationIds } from '@adjoin/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { brokenTexts, longTexts, wideValues } from '../hostile-shapes.ts'
import { HERE, placesIn, type Schema } from '../places.ts'
import { share } from '../sampled.ts'
import { sampleRequest } from '../samples.ts'
import { createTurns, type Hostile, slowOf, type Turns } from '../turns.ts'
import type { TestKey } from '../world.ts'

let turns: Turns
let key: TestKey
beforeAll(async () => {
  turns = await createTurns()
  key = await turns.world.key(turns.organization, { level: 'organization', role: 'admin' })
})
afterAll(() => turns.stop())

const MOST_BYTES = 64 << 10

interface Sent {
  readonly name: string
  readonly target?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

const sampleOf = (id: OperationId) => sampleRequest(id, { orgSlug: turns.organization.slug, workspaceSlug: turns.workspace.slug })

/** It shows the key that asks. */
const FOR_KEYS: readonly OperationId[] = ['getCurrentApiKey']

function* sentTo(id: OperationId, cases: Iterable<Sent>): Generator<Hostile> {
  const { method, path } = sampleOf(id)
  for (const { target = path, headers, body, ...more } of cases)
    yield {
      method,
      target,
      body,
      headers: {
        ...(FOR_KEYS.includes(id) && { 'x-api-key': key.key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...more,
    }
}

/** Each field gets every fourth shape, and the next one the next: with four fields an operation has met them all. */
const TURNS = 4

function* bodiesOf(id: OperationId): Generator<Sent> {
  const { body: schema } = declaration(id)
  if (!schema) return
  const { value } = sampleRequest(id)
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema
  const places = [...new Set(placesIn(json, value).map((place) => JSON.stringify(place)))]
  const room = (place: string) => MOST_BYTES - place.length - 100
  for (const [turn, place] of places.entries()) {
    const hostile = { ...longTexts(room(place)), ...wideValues(room(place)) }
    const shapes = share(Object.entries(hostile), Math.min(TURNS, places.length), turn)
    for (const [name, text] of shapes) yield { name: `${place}: ${name}`, body: place.replace(`"${HERE}"`, () => text) }
  }
  for (const [name, body] of Object.entries(brokenTexts(MOST_BYTES - 100))) yield { name, body }
}

const withBody = operationIds.filter((id) => isChange(id) && declaration(id).body && !isVerbatim(id))

test.each(withBody)('%s: no body', async (id) => {
  expect(await slowOf(turns, sentTo(id, bodiesOf(id)))).toEqual([])
})

/** What fits in the head of a request, besides the lines that each has. */
const MOST_HEAD = (16 << 10) - 1000
const PIECES_OF_HEADS = [
  'a',
  '1',
  '%',
  '%41',
  '%2525',
  '%CC%81',
  '%CC%A3%CC%81',
  '%F0%9F%98%80',
  '+',
  '/',
  '//',
  '/../',
  '/a',
  '.',
  ',',
  ';',
  '=',
  '&',
  'a=1&',
  'a&',
  'a;b=',
  'a[]=1&',
  'a[b]=',
  '[',
  '-',
  '@',
  ':',
  '"',
  '*',
  "'",
  '(',
  '~',
  '\\',
]
const long = (piece: string) => piece.repeat(Math.floor(MOST_HEAD / piece.length))
const LINES = [
  'cookie',
  'x-forwarded-for',
  'idempotency-key',
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'if-none-match',
  'origin',
  'range',
  'traceparent',
  'user-agent',
  'x-request-id',
  'referer',
  'forwarded',
  'x-unknown',
]

function* headsOf(id: OperationId): Generator<Sent> {
  const { query } = declaration(id)
  const { path } = sampleOf(id)
  const names = Object.keys(query?.shape ?? {})
  for (const piece of PIECES_OF_HEADS) {
    yield { name: `“${piece}” in the query`, target: `${path}?${long(piece)}` }
    for (const name of names) yield { name: `“${piece}” in ${name}`, target: `${path}?${name}=${long(piece)}` }
  }
  for (const name of names) yield { name: `${name} again and again`, target: `${path}?${long(`${name}=1&`)}` }
  const many = Array.from({ length: 1500 }, (_, n) => `k${n}=${n % 10}`)
  yield { name: 'many names', target: `${path}?${many.join('&')}` }
}

const reading = operationIds.filter((id) => !isChange(id) && !isVerbatim(id))
test.each(reading)('%s: no query', async (id) => {
  expect(await slowOf(turns, sentTo(id, headsOf(id)))).toEqual([])
})

test('no header, whatever it is called', async () => {
  const lines = LINES.flatMap((line) =>
    PIECES_OF_HEADS.map((piece) => ({ name: `“${piece}” in ${line}`, headers: { [line]: long(piece) } })),
  )
  const many = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`x-${n}`, 'a']))
  expect(await slowOf(turns, sentTo('createWorkspace', [...lines, { name: 'many lines', headers: many }]))).toEqual([])
})

test('no path', async () => {
  const paths = PIECES_OF_HEADS.flatMap((piece) =>
    ['/', '/v1/', '/v1/organizations/', '/connect/', '/assets/'].map((before) => ({
      name: `“${piece}” after ${before}`,
      target: before + long(piece),
    })),
  )
  expect(await slowOf(turns, sentTo('getMe', paths))).toEqual([])
})
