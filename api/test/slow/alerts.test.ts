import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Config } from '../../src/config.ts'
import { createWorld, request, type World } from '../world.ts'

const DEPLOY = fileURLToPath(new URL('../../../deploy', import.meta.url))
const promtool = spawnSync('promtool', ['--version']).status === 0

interface Panel {
  readonly title: string
  readonly targets: readonly { readonly expr: string }[]
}

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

describe('the Grafana dashboard', () => {
  it('asks for metrics that the service shows', async () => {
    const shown = await metricsOf({ api: true, jobs: true })
    const { panels } = JSON.parse(readFileSync(join(DEPLOY, 'grafana/adjoin.json'), 'utf8')) as { panels: Panel[] }
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length)
    for (const { title, targets } of panels)
      for (const { expr } of targets) {
        const names = expr.match(/\b(?:adjoin|nodejs|process)_[a-z0-9_]+/g) ?? []
        expect(names.length, title).toBeGreaterThan(0)
        for (const name of names) expect(shown, title).toContain(name.replace(/_(bucket|sum|count)$/, ''))
      }
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
