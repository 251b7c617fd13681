// `npm start`: a service that crashed is started again, one that was told to stop or cannot start is not.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { childrenOf, HANGS_ON_SIGUSR2, lives, startSupervised } from '../supervised.ts'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ roles: { api: true, jobs: false } })
})
afterAll(() => world.stop())

/** A process that hangs is ended after twenty missed beats. */
const waits = { timeout: 60_000, interval: 50 }

async function start(more: Record<string, string> = {}, log?: string) {
  const service = await startSupervised(
    {
      DATABASE_URL: world.config.databaseUrl!,
      SEAL_KEYS: world.config.sealKeys!.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','),
      ...more,
    },
    log,
  )
  onTestFinished(service.kill)
  return service
}
/** The service's own process. */
const serviceOf = (supervisor: Parameters<typeof childrenOf>[0]): number | undefined => childrenOf(supervisor)[0]

describe('a service that was started with npm start', () => {
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

  it.each([
    ['is started again', undefined],
    ['can still be stopped', 'SIGTERM'],
  ] as const)('and hangs %s', async (_, signal) => {
    const { supervisor, answers, output, ended } = await start(HANGS_ON_SIGUSR2)
    await expect.poll(answers, waits).toBe(200)
    const before = serviceOf(supervisor)!
    process.kill(before, 'SIGUSR2')
    if (signal) {
      supervisor.kill(signal)
      expect(await ended).not.toBe(0)
    } else {
      await expect.poll(() => serviceOf(supervisor) ?? before, waits).not.toBe(before)
      await expect.poll(answers, waits).toBe(200)
      expect(output()).toContain('Adjoin has not responded for 15 s. Ending it.')
    }
    expect(lives(before)).toBe(false)
  })

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'whose log is on a full disk is started again after a crash, and stops (%s)',
    async (signal) => {
      const { supervisor, answers, ended } = await start({}, '/dev/full')
      await expect.poll(answers, waits).toBe(200)
      const before = serviceOf(supervisor)!
      process.kill(before, 'SIGKILL')
      await expect.poll(() => serviceOf(supervisor) ?? before, waits).not.toBe(before)
      await expect.poll(answers, waits).toBe(200)
      const service = serviceOf(supervisor)!
      supervisor.kill(signal)
      expect(await ended).toBe(0)
      expect(lives(service)).toBe(false)
    },
  )

  it('stops while it waits to be started again', async () => {
    const { supervisor, answers, ended } = await start()
    await expect.poll(answers, waits).toBe(200)
    process.kill(serviceOf(supervisor)!, 'SIGKILL')
    await expect.poll(() => serviceOf(supervisor), waits).toBeUndefined()
    supervisor.kill('SIGTERM')
    expect(await ended).toBe(0)
  })
})
