// `npm start`: a service that crashed is started again, one that was told to stop or cannot start is not.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../furnishing/free-port.ts'
import { ROOT } from './production-tree.ts'
import { createWorld, request, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ roles: { api: true, jobs: false } })
})
afterAll(() => world.stop())

/** As `npm start` does it. */
const [program, script] = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  .scripts.start.split('exec env ')[1]
  .split(' ')
const waits = { timeout: 30_000, interval: 50 }

async function start(more: Record<string, string> = {}) {
  expect(program).toBe('node')
  const port = await freePort()
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'test',
    SANDBOX: 'false',
    PORT: String(port),
    DATABASE_URL: world.config.databaseUrl!,
    SEAL_KEYS: world.config.sealKeys!.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','),
    ...more,
  }
  const supervisor = spawn(process.execPath, [script], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [supervisor.stdout, supervisor.stderr]) stream.on('data', (chunk) => (output += chunk))
  const ended = once(supervisor, 'close').then(() => supervisor.exitCode)
  onTestFinished(async () => {
    supervisor.kill('SIGKILL')
    await ended // its output ends with the service's own
  })
  const url = `http://127.0.0.1:${port}`
  const answers = async () => (await request(`${url}/health`).catch(() => undefined))?.status
  return { supervisor, answers, ended, output: () => output }
}
/** The service's own process. */
const serviceOf = ({ pid }: ChildProcess): number | undefined =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()) || undefined
const lives = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('a service that was started with npm start', { timeout: 90_000 }, () => {
  it.each(['SIGKILL', 'SIGABRT'] as const)('and crashed (%s) is started again, and says so', async (signal) => {
    const { supervisor, answers, output, ended } = await start()
    await expect.poll(answers, waits).toBe(200)
    const before = serviceOf(supervisor)!
    process.kill(before, signal)
    await expect.poll(() => serviceOf(supervisor) ?? before, waits).not.toBe(before)
    await expect.poll(answers, waits).toBe(200)
    expect(output()).toContain(`Adjoin stopped unexpectedly (${signal}). Starting it again in 0.25 s.`)
    supervisor.kill('SIGTERM')
    expect(await ended).toBe(0)
  })

  it('and got stuck is ended after a grace, and started again', async () => {
    const { supervisor, answers, output, ended } = await start()
    await expect.poll(answers, waits).toBe(200)
    const before = serviceOf(supervisor)!
    process.kill(before, 'SIGSTOP') // as a loop that never ends: it answers nothing, and no signal that can be caught reaches it
    await expect.poll(() => serviceOf(supervisor) ?? before, { timeout: 60_000, interval: 200 }).not.toBe(before)
    await expect.poll(answers, waits).toBe(200)
    expect(output()).toContain('Adjoin has not responded for 20 s. It is ended in 10 s unless it does.')
    expect(output()).toContain('Adjoin stopped unexpectedly (SIGKILL)')
    supervisor.kill('SIGTERM')
    expect(await ended).toBe(0)
  })

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('stops when it is told to (%s), with the service’s own exit code', async (signal) => {
    const { supervisor, answers, ended, output } = await start()
    await expect.poll(answers, waits).toBe(200)
    const service = serviceOf(supervisor)!
    supervisor.kill(signal)
    expect(await ended).toBe(0)
    expect(lives(service)).toBe(false)
    expect(output()).not.toContain('Adjoin stopped unexpectedly')
  })

  it('does not outlive its supervisor', async () => {
    const { supervisor, answers, ended } = await start()
    await expect.poll(answers, waits).toBe(200)
    const service = serviceOf(supervisor)!
    supervisor.kill('SIGKILL')
    await ended
    await expect.poll(() => lives(service), waits).toBe(false)
  })

  it('and cannot start is not started again', async () => {
    const { ended, output } = await start({ PORT: 'no' })
    expect(await ended).toBe(1)
    expect(output().match(/Adjoin could not start/g)).toHaveLength(1)
    expect(output()).toContain('PORT must be a port number')
  })

  it('stops while it waits to be started again', async () => {
    const { supervisor, answers, ended } = await start()
    await expect.poll(answers, waits).toBe(200)
    process.kill(serviceOf(supervisor)!, 'SIGKILL')
    await expect.poll(() => serviceOf(supervisor), waits).toBeUndefined()
    supervisor.kill('SIGTERM')
    expect(await ended).toBe(0)
  })
})
