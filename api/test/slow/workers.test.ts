// WORKERS: several processes on one port, as one installation. They are killed, hung, replaced and stopped under load.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../../furnishing/free-port.ts'
import { HANGS_ON_SIGUSR2, lives, type Supervised, startSupervised } from '../supervised.ts'
import { createWorld, request, type TestPerson, type World } from '../world.ts'

/** A process that hangs is ended after twenty missed beats. */
const waits = { timeout: 60_000, interval: 50 }
const folder = mkdtempSync(join(tmpdir(), 'adjoin-workers-'))
const ring = join(folder, 'ring')
let world: World
let ada: TestPerson
let service: Supervised
let metricsPort: number
let keys: string
const environment = () => ({ DATABASE_URL: world.config.databaseUrl!, SEAL_KEYS_FILE: ring, LIMITS_FACTOR: '1000000' })

beforeAll(async () => {
  world = await createWorld()
  ada = (await world.organization()).admin
  keys = world.config.sealKeys!.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(',')
  writeFileSync(ring, keys)
  metricsPort = await freePort()
  service = await startSupervised({ ...environment(), ...HANGS_ON_SIGUSR2, WORKERS: '2', METRICS_PORT: String(metricsPort) })
})
afterAll(async () => {
  await service.kill()
  await world.stop()
  rmSync(folder, { recursive: true, force: true })
})

const metrics = async () => (await request(`http://127.0.0.1:${metricsPort}/metrics`)).text
const sample = (page: string, series: string) =>
  Number(
    page
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')[1],
  )
/** What the log says, and of a request which process answered it. */
const lines = () =>
  service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
const processOf = (requestId: string) => lines().find((line) => line.requestId === requestId)?.process
/** Each place’s process, by what the first process shows of it. */
const pids = () =>
  new Map(lines().flatMap(({ msg, worker: name, pid }) => (msg === 'process started' ? [[name as string, pid as number]] : [])))

interface Sent {
  readonly client: number
  readonly status: number
  readonly requestId?: string
}
/** Clients that each keep one connection and repeat nothing: what fails, failed. */
function load(count: number) {
  const sent: Sent[] = []
  let sending = true
  const send = (client: number, agent: Agent) =>
    new Promise<Sent>((resolve) => {
      get(`${service.url}/v1/me`, { agent, headers: { authorization: `Bearer ${ada.token}` } }, (answer) => {
        const requestId = answer.headers['x-request-id'] as string
        // Also of an answer that broke off in the middle.
        answer.resume().on('close', () => resolve({ client, status: answer.complete ? answer.statusCode! : 0, requestId }))
      }).on('error', () => resolve({ client, status: 0 }))
    })
  const clients = Array.from({ length: count }, async (_, client) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (sending) sent.push(await send(client, agent))
    agent.destroy()
  })
  return {
    sent,
    failed: () => sent.filter(({ status }) => status !== 200),
    async end() {
      sending = false
      await Promise.all(clients)
    },
  }
}

describe('several processes on one port', () => {
  it('share its connections, and one of them does the jobs', async () => {
    await expect.poll(service.output, waits).toContain('2 for the API, 1 for jobs')
    const { sent, failed, end } = load(4)
    await expect.poll(() => sent.length, waits).toBeGreaterThan(100)
    await end()
    expect(failed()).toEqual([])
    const page = await metrics()
    for (const name of ['api-1', 'api-2', 'jobs']) {
      expect(sample(page, `adjoin_worker_up{process="${name}"}`)).toBe(1)
      expect(sample(page, `adjoin_worker_restarts_total{process="${name}"}`)).toBe(0)
      expect(sample(page, `adjoin_health{check="jobs",process="${name}"}`)).toBe(1)
    }
    const answered = (name: string) => sample(page, `adjoin_requests_total{route="/v1/me",method="GET",status="200",process="${name}"}`)
    expect([answered('api-1') > 0, answered('api-2') > 0, answered('jobs')]).toEqual([true, true, Number.NaN])
    expect(answered('api-1') + answered('api-2')).toBe(sent.length)
    expect(page).toMatch(/^adjoin_checks_running\{process="jobs"\}/m)
    // One heading for each family, as the format asks for.
    const headings = page.match(/^# TYPE \S+/gm)!
    expect(new Set(headings).size).toBe(headings.length)
  })

  it('do not feel it when one of them is killed, and it is started again', async () => {
    const { sent, failed, end } = load(6)
    await expect.poll(() => sent.length, waits).toBeGreaterThan(100)
    const killed = pids().get('api-1')!
    const before = sent.length
    process.kill(killed, 'SIGKILL')
    await expect.poll(() => pids().get('api-1'), waits).not.toBe(killed)
    await expect.poll(() => sent.length, waits).toBeGreaterThan(before + 200)
    await end()
    // Each of its clients may lose what was in progress there; nobody else anything.
    const lost = failed().map(({ client }) => client)
    const victims = sent.slice(0, before).filter(({ requestId }) => requestId && processOf(requestId) === 'api-1')
    expect(victims.map(({ client }) => client)).toEqual(expect.arrayContaining(lost))
    expect(sample(await metrics(), 'adjoin_worker_restarts_total{process="api-1"}')).toBe(1)
    expect(lines()).toContainEqual(
      expect.objectContaining({
        process: 'primary',
        worker: 'api-1',
        signal: 'SIGKILL',
        msg: 'process stopped unexpectedly, starting it again',
      }),
    )
  })

  it('are replaced one by one on SIGHUP, and no request fails', async () => {
    const { sent, failed, end } = load(8)
    await expect.poll(() => sent.length, waits).toBeGreaterThan(100)
    const before = pids()
    const health: (string | undefined)[] = []
    service.supervisor.kill('SIGHUP')
    await expect
      .poll(async () => {
        health.push((await request(`${service.url}/health`).catch(() => undefined))?.text)
        return lines().some(({ msg }) => msg === 'all processes are replaced')
      }, waits)
      .toBe(true)
    await end()
    expect(failed()).toEqual([])
    // A balancer goes on sending requests; that the database is slow on a busy machine is another matter.
    expect(health.filter((text) => !text?.includes('"database"') || text.includes('shutting'))).toEqual([])
    for (const [name, pid] of before) expect([name, lives(pid)]).toEqual([name, false])
    expect(sample(await metrics(), 'adjoin_worker_restarts_total{process="api-2"}')).toBe(0)
  })

  it('stay as they are when their successors could not start', async () => {
    const before = pids()
    writeFileSync(ring, 'not a ring')
    service.supervisor.kill('SIGHUP')
    await expect.poll(service.output, waits).toContain('the new process could not start; the others stay as they are')
    expect(service.output()).toContain('SEAL_KEYS must be')
    writeFileSync(ring, keys)
    expect([...before].filter(([, pid]) => !lives(pid))).toEqual([])
    expect(await service.answers()).toBe(200)
  })

  it('do not wait for one that hangs: it is ended and started again', async () => {
    const hung = pids().get('api-2')!
    process.kill(hung, 'SIGUSR2')
    await expect.poll(() => pids().get('api-2'), waits).not.toBe(hung)
    expect(lives(hung)).toBe(false)
    expect(lines()).toContainEqual(expect.objectContaining({ worker: 'api-2', pid: hung, msg: 'process does not respond, ending it' }))
    await expect.poll(metrics, waits).toContain('adjoin_worker_up{process="api-2"} 1')
    const { sent, failed, end } = load(4)
    await expect.poll(() => sent.length, waits).toBeGreaterThan(50)
    await end()
    expect(failed()).toEqual([])
  })

  it('are given what one of them was given and had not taken when it was killed', async () => {
    await expect.poll(metrics, waits).toContain('adjoin_worker_up{process="api-1"} 1')
    const stopped = pids().get('api-1')!
    process.kill(stopped, 'SIGSTOP')
    const answers: number[] = []
    const ask = () =>
      new Promise<void>((resolve, reject) => {
        get(`${service.url}/v1/me`, { agent: false, headers: { authorization: `Bearer ${ada.token}` } }, (answer) => {
          answers.push(answer.statusCode!)
          answer.resume().on('close', resolve)
        }).on('error', reject)
      })
    const asked = Promise.allSettled(Array.from({ length: 6 }, ask))
    await expect.poll(() => answers.length, waits).toBeGreaterThanOrEqual(5) // all, if it was ended because it hangs
    if (lives(stopped)) process.kill(stopped, 'SIGKILL')
    await asked
    expect(answers).toEqual([200, 200, 200, 200, 200, 200])
    await expect.poll(() => pids().get('api-1'), waits).not.toBe(stopped)
  })

  it('stop together, and none is left behind', async () => {
    service.supervisor.kill('SIGTERM')
    expect(await service.ended).toBe(0)
    expect([...pids().values()].filter(lives)).toEqual([])
  })
})

describe('the setting', () => {
  it.each([
    [{ WORKERS: '0' }, 'WORKERS must be auto or a number of processes from 1 to 64, for example WORKERS=auto'],
    [{ WORKERS: 'abc' }, 'WORKERS must be auto or a number of processes from 1 to 64, for example WORKERS=auto'],
    [{ WORKERS: '2', ROLES: 'jobs' }, 'remove WORKERS, or add api to ROLES'],
    [{ WORKERS: '2', SEAL_KEYS_FILE: '/nowhere' }, 'SEAL_KEYS_FILE must name a readable file'],
  ])('%o is refused, once and in a sentence', async (env, sentence) => {
    const refused = await startSupervised({ ...environment(), ...env })
    onTestFinished(refused.kill)
    expect(await refused.ended).toBe(1)
    expect(refused.output()).toContain(sentence)
    expect(refused.output().match(/Adjoin could not start/g)).toHaveLength(1)
  })

  it('is told once if what all of them need is missing', async () => {
    const { port } = new URL(world.url)
    const refused = await startSupervised({ ...environment(), WORKERS: '2', PORT: port })
    onTestFinished(refused.kill)
    expect(await refused.ended).toBe(1)
    expect(refused.output().match(/Adjoin could not start/g)).toHaveLength(1)
    expect(refused.output()).toContain(`Port ${port} is already in use by another program`)
  })

  it('also works with the embedded PostgreSQL, which the first process owns', async () => {
    const small = await startSupervised({ WORKERS: '1', DATA_DIR: join(folder, 'data') })
    onTestFinished(small.kill)
    await expect.poll(small.output, waits).toContain('1 for the API, 1 for jobs')
    expect(await small.answers()).toBe(200)
    small.supervisor.kill('SIGTERM')
    expect(await small.ended).toBe(0)
  })
})
