import { Agent, get, request as send } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../../furnishing/until.ts'
import { type ChildService, startService } from '../child-service.ts'
import { stopwatch } from '../stopwatch.ts'
import { createWorld, type TestPerson, type World } from '../world.ts'

let world: World
let ada: TestPerson
beforeAll(async () => {
  world = await createWorld()
  ada = (await world.organization()).admin
})
afterAll(() => world.stop())

const start = (more: Record<string, string> = {}) =>
  startService({
    DATABASE_URL: world.config.databaseUrl!,
    SEAL_KEYS: world.config.sealKeys!.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','),
    ...more,
  })
/** As in production, where a balancer stands in front: readiness goes first, and it has time to notice. */
const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://adjoin.example', SMTP_URL: 'smtp://127.0.0.1:1' }

const headers = () => ({ authorization: `Bearer ${ada.token}` })
const ask = (service: ChildService, agent: Agent, path = '/v1/me') =>
  new Promise<{ status: number; connection: string | undefined; body: string }>((resolve, reject) => {
    get(`${service.url}${path}`, { agent, headers: headers() }, async (answer) => {
      resolve({ status: answer.statusCode!, connection: answer.headers.connection, body: await text(answer) })
    }).on('error', reject)
  })
/** A change that has begun; what it consists of is sent by `finish`. */
const beginRename = (service: ChildService, agent: Agent) =>
  new Promise<{ finish(): Promise<{ status: number; connection: string | undefined }> }>((resolve, reject) => {
    const body = '{"name":"Ada"}'
    const more = { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' }
    const request = send(`${service.url}/v1/me`, { agent, method: 'PATCH', headers: { ...headers(), ...more } })
    const answered = new Promise<{ status: number; connection: string | undefined }>((answer) =>
      request.on('response', (response) =>
        response.resume().on('end', () => answer({ status: response.statusCode!, connection: response.headers.connection })),
      ),
    )
    const finish = () => {
      request.end(body)
      return answered
    }
    request
      .on('error', reject)
      .on('continue', () => resolve({ finish }))
      .flushHeaders()
  })
/** Until it takes no new connection. */
const closed = (service: ChildService) =>
  expect
    .poll(() =>
      ask(service, keepAlive(1), '/health/live').then(
        () => 'open',
        () => 'closed',
      ),
    )
    .toBe('closed')
const keepAlive = (maxSockets = 8) => {
  const agent = new Agent({ keepAlive: true, maxSockets })
  onTestFinished(() => agent.destroy())
  return agent
}

describe('a service that is told to stop', () => {
  it('loses no request under load: readiness goes first, what is under way is finished, connections are asked to go elsewhere', async () => {
    const service = await start(production)
    const agent = keepAlive()
    let sending = true
    const answers: { status: number; connection: string | undefined }[] = []
    const load = Array.from({ length: 8 }, async () => {
      while (sending) {
        const answer = await ask(service, agent)
        // On a machine that is busy with others, it may be too much for it as on any other day.
        if (!answer.body.includes('The service is busy')) answers.push(answer)
      }
    })
    await expect.poll(() => answers.length).toBeGreaterThan(50)
    const busy = answers.length
    service.process.kill('SIGTERM')
    service.process.kill('SIGTERM') // npm and the terminal both pass it on: the same one, not a second one
    // The balancer: looks every 100 ms, and sends nothing more once it is told.
    const noticed = (async () => {
      await until(
        () => ask(service, keepAlive(1), '/health'),
        ({ status }) => status !== 200,
        'the service to say that it stops',
      )
      sending = false
    })()
    await Promise.all([noticed, ...load])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(answers.slice(0, busy).every(({ connection }) => connection !== 'close')).toBe(true)
    expect(answers.at(-1)!.connection).toBe('close')

    // One that is still under way when the door closes, three seconds after the word.
    const late = await beginRename(service, agent)
    await closed(service)
    expect(await late.finish()).toEqual({ status: 200, connection: 'close' })
    expect(await service.exited).toBe(0)
  })

  it('does not wait for clients that hold a connection and say nothing', async () => {
    const service = await start()
    const agent = keepAlive()
    await Promise.all(Array.from({ length: 5 }, () => ask(service, agent)))
    const time = stopwatch()
    service.process.kill('SIGTERM')
    expect(await service.exited).toBe(0)
    expect(time()).toBeLessThan(20_000)
  })

  it('tells the one that is under way to go elsewhere, so that its connection does not keep the process', async () => {
    const service = await start()
    const late = await beginRename(service, keepAlive())
    service.process.kill('SIGINT')
    await closed(service)
    const time = stopwatch()
    expect(await late.finish()).toEqual({ status: 200, connection: 'close' })
    expect(await service.exited).toBe(0)
    expect(time()).toBeLessThan(20_000)
  })

  it('ends at once when it is told a second time, later', async () => {
    const service = await start(production)
    await beginRename(service, keepAlive()) // which would keep it for longer than the test lasts
    service.process.kill('SIGTERM')
    await expect.poll(service.output).toContain('"msg":"stopping"')
    await sleep(2500)
    const time = stopwatch()
    service.process.kill('SIGTERM')
    expect(await service.exited).toBe(1)
    expect(time(), 'it would give up after 17 seconds').toBeLessThan(10_000)
  })
})
