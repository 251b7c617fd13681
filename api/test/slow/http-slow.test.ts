import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_WAITS } from '../../src/waits.ts'
import { expectProblem, head, open, rawAnswer } from '../raw-socket.ts'
import { stopwatch } from '../stopwatch.ts'
import { createWorld, request, type TestPerson, type World } from '../world.ts'

let world: World
let ada: TestPerson
beforeAll(async () => {
  const { requestHead, request: whole } = DEFAULT_WAITS
  world = await createWorld({}, { waits: { requestHead, request: whole } })
  ada = (await world.organization()).admin
})
afterAll(() => world.stop())

/** A byte every half second, for as long as the other side takes it. */
async function drip(start: string, byte: string) {
  const time = stopwatch()
  const socket = await open(world.url)
  socket.write(start)
  const timer = setInterval(() => socket.write(byte), 500)
  let text = ''
  await new Promise((resolve) =>
    socket
      .on('data', (chunk) => (text += chunk))
      .on('error', () => {})
      .on('close', resolve),
  )
  clearInterval(timer)
  return { text, seconds: time() / 1000 }
}

const parsed = (text: string) => {
  const [top = '', body = ''] = text.split('\r\n\r\n')
  return { status: Number(top.split(' ')[1]), headers: { 'content-type': /content-type: (.*)/i.exec(top)?.[1]?.trim() ?? '' }, body }
}

describe.concurrent('a slow client is cut', () => {
  it('while it sends its headers', async () => {
    const { text, seconds } = await drip('GET /v1/me HTTP/1.1\r\nHost: a\r\nX-Slow: ', 'a')
    expectProblem(parsed(text), 408)
    expect(seconds).toBeLessThan(40)
  })

  it('while it sends its body', async () => {
    const start = head('PATCH', '/v1/me', [`Authorization: Bearer ${ada.token}`, 'Content-Type: application/json', 'Content-Length: 50000'])
    const { text, seconds } = await drip(start, 'a')
    expectProblem(parsed(text), 408)
    expect(seconds).toBeLessThan(40)
  })

  it('while it sends the rest of a body that was refused long ago, without a second answer', async () => {
    const start = head('PATCH', '/v1/me', ['Content-Type: application/json', 'Content-Length: 50000']).replace('Connection: close\r\n', '')
    const { text, seconds } = await drip(start, 'a')
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401'])
    expect(seconds).toBeLessThan(40)
  })

  it('while it sends nothing at all', async () => {
    const time = stopwatch()
    const socket = await open(world.url)
    await new Promise((resolve) =>
      socket
        .on('error', () => {})
        .resume()
        .on('close', resolve),
    )
    expect(time()).toBeLessThan(40_000)
  })

  it('and does not bother others meanwhile: a thousand idle connections leave the service as quick as before', async () => {
    const twentyCalls = async () => {
      const began = performance.now()
      for (let i = 0; i < 20; i++) expect((await request(`${world.url}/v1/me`, { headers: ada.headers })).status).toBe(200)
      return performance.now() - began
    }
    const before = await twentyCalls()
    const sockets: Socket[] = []
    for (let i = 0; i < 1000; i += 100) sockets.push(...(await Promise.all(Array.from({ length: 100 }, () => open(world.url)))))
    for (const socket of sockets) socket.on('error', () => {}).write('GET /v1/me HT')
    expect(await twentyCalls()).toBeLessThan(5000 + 5 * before)
    expect((await rawAnswer(world.url, head('GET', '/health/live'))).status).toBe(200)
    for (const socket of sockets) socket.destroy()
  })
})
