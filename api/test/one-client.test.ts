// One client must not stop the service:
// whatever it piles up, holds back or leaves unread, everybody else is answered.
import type { Socket } from 'node:net'
import { atOnce } from '@adjoin/contract'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { exchange, head, open } from './raw-socket.ts'
import { createWorld, newAddress, request, type TestOrganization, type TestPerson, type World } from './world.ts'

let world: World
let agency: TestOrganization
let guest: TestPerson
let other: TestOrganization
beforeAll(async () => {
  world = await createWorld({ metricsPort: 0 })
  agency = await world.organization()
  guest = await world.join(agency, 'guest')
  other = await world.organization()
})
afterAll(() => world.stop())

const othersAsk = async (times = 10) => {
  for (let i = 0; i < times; i++) expect((await request(`${world.url}/v1/me`, { headers: other.admin.headers })).status).toBe(200)
}
const get = (path: string, lines: string[] = []) => head('GET', path, lines).replace('Connection: close\r\n', '')
const shed = async (share: string) => {
  const { text } = await request(`http://127.0.0.1:${world.app.metricsPort}/metrics`)
  return Number(new RegExp(`adjoin_shed_total\\{share="${share}"\\} (\\d+)`).exec(text)?.[1] ?? 0)
}

async function silent(count: number, bytes: string): Promise<Socket[]> {
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  while (sockets.length < count)
    sockets.push(...(await Promise.all(Array.from({ length: Math.min(100, count - sockets.length) }, () => open(world.url)))))
  for (const socket of sockets) socket.on('error', () => {}).write(bytes)
  return sockets
}

describe('requests on one connection', () => {
  it('are served in turn: the next one begins when the one before is answered', async () => {
    const session = [`Authorization: Bearer ${guest.token}`, 'Content-Type: application/json']
    const rename = (name: string) => {
      const body = JSON.stringify({ name })
      return head('PATCH', '/v1/me', [...session, `Content-Length: ${body.length}`], body).replace('Connection: close\r\n', '')
    }
    const names = Array.from({ length: 8 }, (_, i) => `Guest ${i}`)
    const answers = await exchange(world.url, `${names.map(rename).join('')}${head('GET', '/v1/me', session)}`)
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 9 }, () => 200))
    expect(answers.map(({ body }) => JSON.parse(body).name)).toEqual([...names, 'Guest 7'])
  })

  it('behind a request that ends the connection are not carried out', async () => {
    const session = [`Authorization: Bearer ${guest.token}`, 'Content-Type: application/json', 'Content-Length: 15']
    const answers = await exchange(
      world.url,
      head('GET', '/v1/me', session.slice(0, 1)) + head('PATCH', '/v1/me', session, '{"name":"Ghost"}'),
    )
    expect(answers).toHaveLength(1)
    expect((await guest.client.getMe()).name).not.toBe('Ghost')
  })

  it('are answered before bytes behind them are refused', async () => {
    const answers = await exchange(world.url, `${get('/version').repeat(3)}GARBAGE\r\n\r\n`)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 400])
  })

  it.each(['/v1/me', '/openapi.json', '/version', '/nowhere', '/health', '/'])(
    'that pile up unread on %s cost the connection, and nobody else an answer',
    async (path) => {
      const before = await shed('pipelining')
      await silent(10, get(path, ['Accept: text/html']).repeat(1300))
      await othersAsk()
      await expect.poll(() => shed('pipelining')).toBe(before + 10)
      await othersAsk()
    },
  )

  it('that expect something unheard of wait like all others', async () => {
    const answers = await exchange(world.url, get('/v1/me', ['Expect: 200-ok']).repeat(600))
    expect(answers.map(({ status }) => status)).toEqual([417])
  })
})

describe('a service on localhost', () => {
  it('is one server, which does all of this', async () => {
    const { url } = await world.replica({ host: 'localhost' })
    const answers = await exchange(url, `${get('/version').repeat(3)}GARBAGE\r\n\r\n`)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 400])
    await expect(fetch(`http://[::1]:${new URL(url).port}/version`)).rejects.toThrow()
  })
})

describe('an address', () => {
  it('with a thousand bodies that do not come is refused itself, with when to come again, and nobody else is', async () => {
    const address = newAddress()
    const lines = [`X-Forwarded-For: ${address}`, 'Content-Type: application/json', 'Content-Length: 50000']
    await silent(1100, head('POST', '/v1/signup', lines, '{'))
    await expect.poll(() => shed('address')).toBeGreaterThan(0)
    await othersAsk()
    const refused = await request(`${world.url}/v1/me`, { address })
    expect(refused.json()).toMatchObject({ status: 503, code: 'too_much_at_once', detail: expect.stringContaining('network address') })
    expect(refused.headers.get('retry-after')).toBe('1')
    for (const path of ['/health', '/health/live']) expect((await request(`${world.url}${path}`, { address })).status).toBe(200)
  })

  it('gets its places back when its requests end, however they end', async () => {
    const address = newAddress()
    const lines = [`X-Forwarded-For: ${address}`, 'Content-Type: application/json', 'Content-Length: 50000']
    for (let round = 0; round < 3; round++) {
      const sockets = await silent(atOnce.address, head('POST', '/v1/signup', lines, '{'))
      const waiting = request(`${world.url}/version`, { address })
      for (const socket of sockets) socket.destroy()
      expect((await waiting).status).toBe(200)
    }
  })
})

/** Holds the person's row, so that every change of theirs waits inside a transaction. */
async function held({ id }: TestPerson): Promise<() => Promise<void>> {
  const operator = new pg.Client({ connectionString: world.config.databaseUrl })
  await operator.connect()
  await operator.query('begin')
  await operator.query('select from users where id = $1 for update', [id])
  return () => operator.end()
}
const rename = (who: TestPerson, name: string) =>
  request(`${world.url}/v1/me`, {
    method: 'PATCH',
    headers: { ...who.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })

describe('a caller', () => {
  it('whose sixty changes all wait for one lock leaves connections to everybody else', async () => {
    const release = await held(guest)
    const answered: number[] = []
    const changes = Array.from({ length: 60 }, async (_, i) => {
      const answer = await rename(guest, `Guest ${i}`)
      answered.push(answer.status)
      return answer
    })
    await expect.poll(() => world.app.parts.db.load().waiting, { interval: 5 }).toBeGreaterThan(0)
    await othersAsk(3)
    // They still wait, but for some that got no turn within five seconds, where three requests take as long.
    expect(new Set([503, ...answered])).toEqual(new Set([503]))
    expect(answered.length).toBeLessThan(60)
    expect((await rename(other.admin, 'Grace')).status).toBe(200)
    expect((await request(`${world.url}/v1/organizations/${agency.slug}`, { headers: agency.admin.headers })).status).toBe(200)
    await release()
    const statuses = (await Promise.all(changes)).map(({ status }) => status)
    expect(statuses.every((status) => status === 200 || status === 503)).toBe(true)
    expect(statuses).toContain(200)
  })

  it('gets what it asks for in turn: more than its share at once are all answered', async () => {
    const changes = await Promise.all(
      Array.from({ length: 2 * atOnce.caller }, async (_, i) => {
        const began = performance.now()
        const { status } = await rename(guest, `Guest ${i}`)
        return { status, seconds: (performance.now() - began) / 1000 }
      }),
    )
    // Only who has waited for five seconds is sent away, which takes a very busy machine.
    expect(changes.filter(({ status, seconds }) => status !== 200 && !(status === 503 && seconds > 4.5))).toEqual([])
  })
})

describe('the log', () => {
  /** How many refusals for what piled up the lines tell of, whatever else was refused in the same second. */
  const told = () =>
    world.log.lines.reduce((sum, line) => {
      const { share, refused } = JSON.parse(line)
      return sum + (share === 'pipelining' ? 1 : (refused?.pipelining ?? 0))
    }, 0)

  it('tells of refusals by the second, without a stack', async () => {
    world.log.lines.length = 0
    await silent(20, get('/version').repeat(1300))
    await expect.poll(told).toBeGreaterThanOrEqual(20)
    const lines = world.log.lines.filter((line) => line.includes('too many at once'))
    expect(lines.length).toBeLessThan(10)
    expect(lines.join('')).not.toContain('"stack"')
  })
})
