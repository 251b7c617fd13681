import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Config } from '../src/config.ts'
import { createWorld, request, type World } from './world.ts'

const DEPLOY = fileURLToPath(new URL('../../deploy', import.meta.url))
const promtool = spawnSync('promtool', ['--version']).status === 0

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.stop())

/** The names of what a process with these roles shows. */
async function metricsOf(roles: Config['roles']): Promise<string[]> {
  const { metricsPort } = await world.replica({ roles, metricsPort: 0 })
  const { text } = await request(`http://127.0.0.1:${metricsPort}/metrics`)
  return [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!).toSorted()
}

describe('what the alert rules ask for', () => {
  it('is shown by every process, whatever its role, and no gauge has the name of a counter', async () => {
    const all = await metricsOf({ api: true, jobs: true })
    expect(await metricsOf({ api: true, jobs: false })).toEqual(all)
    expect(await metricsOf({ api: false, jobs: true })).toEqual(all)
    expect(all).toContain('nodejs_active_handles')
    expect(all.filter((name) => /^nodejs_active_.*_total$/.test(name))).toEqual([])
  })
})

describe.skipIf(!promtool)('the alert rules, where promtool is installed', () => {
  it.each([
    ['are well-formed', ['check', 'rules', 'alerts.yaml']],
    ['page when they must, as their unit tests say', ['test', 'rules', 'alerts.test.yaml']],
  ])('%s', (_, args) => {
    const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: DEPLOY, encoding: 'utf8' })
    expect([status, status ? stdout + stderr : '']).toEqual([0, ''])
  })
})
