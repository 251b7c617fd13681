// No message of an agent holds up the others: whatever is sent to a tool, and whatever an ad system answers it.
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod'
import { tools } from '../../src/agents/tools/index.ts'
import { connectIntegration } from '../connected-integration.ts'
import { brokenTexts, longTexts, wideValues } from '../hostile-shapes.ts'
import { HERE, placesIn, type Schema } from '../places.ts'
import { answered, createTurns, type Hostile, slowOf, type Turns } from '../turns.ts'

let turns: Turns
let integration: string
beforeAll(async () => {
  turns = await createTurns()
  const id = await connectIntegration(turns, 'google_ads', 'full')
  integration = `${turns.organization.slug}/${turns.workspace.slug}/${id}`
})
afterAll(() => turns.stop())

const MOST_BYTES = 64 << 10
/** As clients send it every day. With more in its envelope it is read by the SDK. */
const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json', 'mcp-protocol-version': '2025-11-25' }

const message = (params: string, more = '') => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}${more}}`

function* posted(bodies: Iterable<[name: string, body: string]>): Generator<Hostile> {
  for (const [name, body] of bodies) yield { name, method: 'POST', target: '/mcp', headers: HEADERS, body }
}

const GIVEN: Record<string, () => Record<string, unknown>> = {
  read_ad_system: () => ({
    integration,
    method: 'POST',
    path: 'v25/customers/1234567890/googleAds:search',
    body: { query: 'SELECT campaign.id FROM campaign' },
  }),
  describe_ad_api: () => ({ provider: 'google_ads' }),
  list_accounts: () => ({ integration }),
  integration_health: () => ({ integration }),
}

it.each(tools)('$name: no arguments', async ({ name, input }) => {
  const given = GIVEN[name]?.() ?? {}
  const places = [...new Set(placesIn(z.toJSONSchema(input, { io: 'input' }) as Schema, given).map((place) => JSON.stringify(place)))]
  const bodies = places.flatMap((place) => {
    const room = MOST_BYTES - place.length - 200
    return Object.entries({ ...longTexts(room), ...wideValues(room) }).flatMap(([shape, text]): [string, string][] => {
      const given = place.replace(`"${HERE}"`, () => text)
      return [[`${place}: ${shape}`, message(`{"name":"${name}","arguments":${given}}`)]]
    })
  })
  expect(await slowOf(turns, posted(bodies))).toEqual([])
})

it('no message', async () => {
  const room = MOST_BYTES - 300
  const shapes = Object.entries({ ...longTexts(room), ...wideValues(room) })
  const bodies = shapes.flatMap(([shape, text]): [string, string][] => [
    [`${shape}, alone`, text],
    [`${shape} as id`, `{"jsonrpc":"2.0","id":${text},"method":"tools/list"}`],
    [`${shape} as method`, `{"jsonrpc":"2.0","id":1,"method":${text}}`],
    [`${shape} as params of a list`, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${text}}`],
    [`${shape} as a tool`, message(`{"name":${text}}`)],
    [`${shape} beside a tool`, message(`{"name":"find_integrations","arguments":{},"_meta":{"a":${text}}}`)],
    [`${shape} in the envelope`, message('{"name":"find_integrations","arguments":{}}', `,"more":${text}`)],
    [`${shape} as a resource`, `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":${text}}}`],
    [`${shape} as a prompt`, `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"weekly_spend","arguments":{"a":${text}}}}`],
    [
      `${shape} as an introduction`,
      `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":${text},"clientInfo":{"name":"a","version":"1"}}}`,
    ],
  ])
  expect(await slowOf(turns, posted([...bodies, ...Object.entries(brokenTexts(room))]))).toEqual([])
})

/** What is read of an answer. */
const MOST_ANSWER = 1 << 20

it('no answer of an ad system', async () => {
  const body = message(`{"name":"read_ad_system","arguments":${JSON.stringify(GIVEN.read_ad_system!())}}`)
  const room = MOST_ANSWER - 100
  const shapes = { ...longTexts(room), ...wideValues(room), ...brokenTexts(room) }
  const answers = Object.entries(shapes).flatMap(([name, text]): Hostile[] => [
    { name, method: 'POST', target: '/mcp', headers: HEADERS, body, answer: answered(text) },
  ])
  expect(await slowOf(turns, answers)).toEqual([])
})
