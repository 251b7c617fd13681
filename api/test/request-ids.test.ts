// One request under all of its names: ours, the proxy's, the trace's.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWorld, request, type TestPerson, type World } from './world.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const headers = { 'x-request-id': 'lb-42', traceparent: `00-${TRACE}-00f067aa0ba902b7-01` }

let world: World
let ada: TestPerson
beforeAll(async () => {
  world = await createWorld()
  ada = await world.person()
})
afterAll(() => world.stop())

const linesOf = (id: string | null) =>
  world.log.lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ requestId }) => requestId === id)

it('is answered and logged with the id of a trusted proxy beside ours, in the trace that the caller named', async () => {
  const answer = await request(`${world.url}/v1/me`, { headers: { ...headers, ...ada.headers } })
  expect(answer.status).toBe(200)
  const id = answer.headers.get('x-request-id')
  expect(id).toMatch(/^[0-9a-f-]{36}$/)
  expect(answer.headers.get('x-proxy-request-id')).toBe('lb-42')
  await expect.poll(() => linesOf(id)).toMatchObject([{ proxyRequestId: 'lb-42', traceId: TRACE, operation: 'getMe', route: '/v1/me' }])
})

it('takes an id from nobody else', async () => {
  const direct = await world.replica({ trustedProxies: [] })
  try {
    const answer = await request(`${direct.url}/v1/me`, { headers: { ...headers, ...ada.headers } })
    expect(answer.headers.has('x-proxy-request-id')).toBe(false)
  } finally {
    await direct.stop()
  }
})
