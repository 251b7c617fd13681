// A service that stops waits for answers, not for connections: a browser keeps spare ones on which it asks nothing.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { until } from '../../furnishing/until.ts'
import { portOf } from './raw-socket.ts'
import { createWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.stop())

const HEALTH = 'GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n'
const asked: Record<string, { bytes: string; answered?: true }> = {
  nothing: { bytes: '' },
  'half a line': { bytes: 'GET /hea' },
  'half a head': { bytes: 'GET /health HTTP/1.1\r\nhost: loc' },
  'what is answered': { bytes: HEALTH, answered: true },
  'what is answered, and half of the next': { bytes: `${HEALTH}GET /hea`, answered: true },
}

it.each(Object.entries(asked))('a stop does not wait for a connection that has asked %s', async (_, { bytes, answered }) => {
  const service = await world.start()
  const socket: Socket = connect(portOf(service.url), '127.0.0.1').on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  socket.write(bytes)
  if (answered) await once(socket, 'data')
  else await fetch(`${service.url}/health`) // its bytes have been read by then
  let stopped = false
  void service.stop().then(() => {
    stopped = true
  })
  await until(() => stopped, Boolean, 'the service to stop')
})

it('but for what is being answered', async () => {
  const organization = await world.organization()
  const service = await world.start()
  const { headers } = organization.admin
  const waiting = fetch(`${service.url}/v1/organizations/${organization.slug}/events?wait=25`, { headers })
  await until(() => service.parts.notices.waiting === 1, Boolean, 'somebody who waits for events')
  await service.stop()
  expect((await waiting).status).toBe(200)
})
