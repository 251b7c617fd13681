import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type TestOrganization, type World } from '../../api/test/world.ts'
import { nodesAtHand } from '../nodes-at-hand.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)
let world: World
let agency: TestOrganization
let folder: string
beforeAll(async () => {
  world = await createWorld()
  agency = await world.organization('Northwind')
  folder = mkdtempSync(join(tmpdir(), 'adjoin-installed-'))
})
afterAll(async () => {
  await world.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Nothing of this checkout is in reach: a path with nothing but the system's tools, and a home of its own. */
const env = () => ({ PATH: '/usr/bin:/bin', HOME: folder, ADJOIN_URL: world.url, ADJOIN_TOKEN: agency.admin.token })

describe('the packed command line', () => {
  const project = () => join(folder, 'project')
  const installed = () => join(project(), 'node_modules/@adjoin/cli')

  it('installs in an empty folder without a network, and brings what it needs', async () => {
    const { stdout } = await run(process.execPath, [join(ROOT, 'scripts/pack-cli.mjs'), folder], { cwd: ROOT })
    mkdirSync(project())
    writeFileSync(join(project(), 'package.json'), '{"private":true}')
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', stdout.trim()], { cwd: project() })
    expect(readdirSync(join(project(), 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@adjoin'])
    expect(readdirSync(installed()).sort()).toEqual(['LICENSE', 'NOTICES', 'README.md', 'dist', 'package.json'])
    const manifest = JSON.parse(readFileSync(join(installed(), 'package.json'), 'utf8'))
    expect(manifest).toMatchObject({ name: '@adjoin/cli', bin: { adjoin: 'dist/adjoin.js' }, engines: { node: '>=20' } })
    expect(manifest.dependencies).toBeUndefined()
    const bundle = readFileSync(join(installed(), 'dist/adjoin.js'), 'utf8')
    expect([...bundle.matchAll(/^import .*? from ["']([^"']+)["']/gm)].filter(([, from]) => !from!.startsWith('node:'))).toEqual([])
    expect(bundle).not.toContain(ROOT)
  })

  it.each(nodesAtHand())('runs on Node $version', async ({ path }) => {
    const adjoin = join(project(), 'node_modules/.bin/adjoin')
    const { stdout, stderr } = await run(path, [adjoin, 'organizations', 'list', '--json'], { cwd: project(), env: env() })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout).organizations).toMatchObject([{ slug: agency.slug }])
    expect((await run(path, [adjoin, 'completion', 'zsh'], { cwd: project(), env: env() })).stdout).toMatch(/^#compdef adjoin\n/)
    const refused = await run(path, [adjoin, 'nonsense'], { cwd: project(), env: env() }).catch((error) => error)
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("unknown command 'nonsense'")])
  })
})

describe('the single executable', () => {
  it('is built from this Node, and starts without any', async ({ skip }) => {
    if (Number(process.versions.node.split('.')[0]) < 22) skip(`Node ${process.versions.node} can't build one`)
    const file = join(folder, 'executable', 'adjoin')
    await run(process.execPath, [join(ROOT, 'scripts/build-executable.mjs'), file], { cwd: ROOT }).catch((error: Error) => {
      // Its injector is not part of this checkout.
      if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENOTCACHED|ETIMEDOUT|network/i.test(String(error)))
        skip('there is no network to fetch postject')
      throw error
    })
    expect((await run(file, ['--version'], { env: { HOME: folder } })).stdout).toBe('0.1.0\n')
    const { stdout } = await run(file, ['organizations', 'list', '--template', '{{.slug}}'], { cwd: folder, env: { ...env(), PATH: '' } })
    expect(stdout).toBe(`${agency.slug}\n`)
  })
})
