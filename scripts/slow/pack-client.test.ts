import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { operationIds } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type TestOrganization, type World } from '../../api/test/world.ts'
import { hover } from '../hover.ts'
import { nodesAtHand } from '../nodes-at-hand.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)
const modules = join(ROOT, 'node_modules')
let world: World
let agency: TestOrganization
let folder: string
beforeAll(async () => {
  world = await createWorld()
  agency = await world.organization()
  folder = mkdtempSync(join(tmpdir(), 'adjoin-project-'))
  await world.workspace(agency)
  for (const name of ['One', 'Two', 'Three']) await agency.admin.client.updateOrganization({ orgSlug: agency.slug }, { name })
})
afterAll(async () => {
  await world.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('the packed client', () => {
  const project = () => join(folder, 'project')
  const installed = () => join(project(), 'node_modules/@adjoin/contract')

  it('installs in an empty project, with zod as its only dependency', async () => {
    const { stdout } = await run(process.execPath, [join(ROOT, 'scripts/pack-client.mjs'), folder], { cwd: ROOT })
    const tarball = stdout.trim()
    mkdirSync(project())
    // zod from this checkout, so that no network is needed; types for `process`, as any Node project has.
    const dependencies = { '@adjoin/contract': `file:${tarball}`, zod: `file:${join(modules, 'zod')}` }
    writeFileSync(join(project(), 'package.json'), JSON.stringify({ name: 'example', type: 'module', dependencies }))
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund'], { cwd: project() })
    const manifest = JSON.parse(readFileSync(join(installed(), 'package.json'), 'utf8'))
    expect(Object.keys(manifest.dependencies)).toEqual(['zod'])
    expect(readdirSync(join(project(), 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@adjoin', 'zod'])
    expect(readdirSync(installed()).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json'])
    const files = readdirSync(join(installed(), 'dist'))
    expect(files).toEqual(expect.arrayContaining(['index.js', 'index.d.ts', 'client.js', 'client.d.ts', 'audit-chain.js']))
    expect(files.filter((name) => /\.test\.|(?<!\.d)\.ts$/.test(name))).toEqual([])
    for (const name of files.filter((name) => name.endsWith('.js')))
      expect([name, readFileSync(join(installed(), 'dist', name), 'utf8')]).toEqual([
        name,
        expect.not.stringMatching(/from '(node:|[^']+\.ts')/),
      ])
  })

  it('type-checks the example of the documentation there, and refuses what the API would refuse', async () => {
    const [, example] = /```ts\n([\s\S]+?)```/.exec(readFileSync(join(ROOT, 'docs/client.md'), 'utf8'))!
    writeFileSync(join(project(), 'example.ts'), example!)
    writeFileSync(
      join(project(), 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          target: 'es2023',
          lib: ['es2023', 'dom'],
          module: 'nodenext',
          types: ['node'],
          typeRoots: [join(modules, '@types')],
        },
        files: ['example.ts'],
      }),
    )
    const compile = (...more: string[]) =>
      run(join(modules, '.bin/tsc'), ['-p', '.', ...more], { cwd: project() }).then(
        () => '',
        (error) => String(error.stdout),
      )
    expect(await compile()).toBe('')
    const wrong = example!.replace('expiresInDays: 14', "expiresInDays: 'soon'").replace('orgSlug, limit', 'org: orgSlug, limit')
    writeFileSync(join(project(), 'example.ts'), wrong)
    const said = await compile('--noEmit')
    expect(said).toMatch(/Type 'string' is not assignable to type 'number'/)
    expect(said).toContain("'org' does not exist")
    // By level, and in words that a reader knows: no schema is in what the compiler says.
    const byLevel = `import { createClient, type ProblemError } from '@adjoin/contract/client'
const client = createClient()
await client.createApiKey({ orgSlug: 'agency' }, { name: 'Report', level: 'user' })
await client.createApiKey({ orgSlug: 'agency' }, { name: 'Report', level: 'workspace', role: 'viewer' })
export const isMissing = (error: ProblemError) => error.code === 'not_fuond'
`
    writeFileSync(join(project(), 'example.ts'), byLevel)
    const refused = await compile('--noEmit')
    expect(refused).toMatch(/^example\.ts\(4,/)
    expect(refused).toMatch(/^example\.ts\(5,.+no overlap/m)
    expect(refused).not.toContain('example.ts(3,')
    expect(refused).toContain("'workspaceSlug' is missing")
    expect(refused).not.toContain('Zod')
  })

  it('shows in an editor what each method does, what it takes, and which codes a problem may have', async () => {
    const text = `import { createClient, ProblemError } from '@adjoin/contract/client'
const client = createClient()
const minted = client.createApiKey({ orgSlug: 'agency' }, { name: 'Report', level: 'workspace', role: 'viewer', workspaceSlug: 'client-a' })
const renamed = client.updateWorkspace({ orgSlug: 'agency', workspaceSlug: 'client-a' }, { name: 'Client A' })
const codeOf = (error: ProblemError) => error.code
`
    const shown = await hover(join(modules, '.bin/tsc'), project(), text, ['createApiKey', 'updateWorkspace', 'codeOf'])
    expect(shown.createApiKey).toContain('Create an API key')
    expect(shown.createApiKey).toContain('POST /v1/organizations/{orgSlug}/api-keys')
    expect(shown.createApiKey).toMatch(/params: \{\s*orgSlug: string;?\s*\}/)
    expect(shown.updateWorkspace).toContain('Rename a workspace')
    expect(shown.updateWorkspace).toMatch(/body: \{\s*name: string;?\s*\}, options\?: RequestOptions/)
    expect(shown.updateWorkspace).not.toContain('Zod')
    expect(shown.codeOf).toMatch(/=> ProblemErrorCode/)
    const declared = readFileSync(join(installed(), 'dist/client.d.ts'), 'utf8')
    for (const id of operationIds) expect(declared, id).toMatch(new RegExp(`\\*/\\s+${id}: `))
  })

  it('runs the example as plain JavaScript against the service', async () => {
    const { ORG, ADJOIN_URL, ADJOIN_TOKEN } = { ORG: agency.slug, ADJOIN_URL: world.url, ADJOIN_TOKEN: agency.admin.token }
    const env = { PATH: process.env.PATH, ORG, ADJOIN_URL, ADJOIN_TOKEN }
    for (const { path, version } of nodesAtHand()) {
      const { stdout } = await run(path, ['example.js'], { cwd: project(), env })
      expect([version, stdout]).toEqual([
        version,
        expect.stringMatching(/3 audit entries, the newest is organization\.updated\nthe trail is intact\n$/),
      ])
    }
    const refused = await run(process.execPath, ['example.js'], { cwd: project(), env: { ...env, ORG: 'nowhere' } }).catch((error) => error)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/^404 not_found: /)])
  })
})
