// What scripts and people on a terminal rely on, with the real binary and the real service.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type TestOrganization, type World } from '../../../api/test/world.ts'
import { VERSION } from '../../src/context.ts'
import { filteredBy } from '../../src/jq.ts'
import { linesFrom } from '../../src/template.ts'

const BIN = fileURLToPath(new URL('../../bin/adjoin.mjs', import.meta.url))
let world: World
let agency: TestOrganization
let home: string
let place: { orgSlug: string; workspaceSlug: string }
beforeAll(async () => {
  world = await createWorld()
  agency = await world.organization('Northwind')
  home = mkdtempSync(join(tmpdir(), 'adjoin-people-'))
  place = { orgSlug: agency.slug, workspaceSlug: (await world.workspace(agency)).slug }
})
afterAll(() => world.stop())

async function run(args: string[], env: Record<string, string> = {}, input = '') {
  const child = spawn(process.execPath, [BIN, ...args], { env: { PATH: process.env.PATH, HOME: home, ADJOIN_URL: world.url, ...env } })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => (out += chunk))
  child.stderr.on('data', (chunk) => (err += chunk))
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  return { code: code as number, out, err }
}
const signedIn = () => ({ ADJOIN_TOKEN: agency.admin.token, ADJOIN_ORG: agency.slug, ADJOIN_WORKSPACE: place.workspaceSlug })
const newKey = (more: object) =>
  agency.admin.client.createApiKey({ orgSlug: agency.slug }, { name: 'Key', role: 'admin', ...more } as never)

describe('a key', () => {
  it('knows its organization and its workspace: nobody has to name them', async () => {
    const { key } = await newKey({ level: 'organization' })
    const listed = await run(['workspaces', 'list', '--template', '{{.slug}}'], { ADJOIN_API_KEY: key })
    expect(listed).toEqual({ code: 0, out: `${place.workspaceSlug}\n`, err: '' })
    const own = await newKey({ level: 'workspace', workspaceSlug: place.workspaceSlug })
    for (const command of [['integrations', 'list'], ['status'], ['events']])
      expect(await run([...command, '--json'], { ADJOIN_API_KEY: own.key })).toMatchObject({ code: 0, err: '' })
  })

  it('that was replaced is announced once a run, beside the answer', async () => {
    const { id, key } = await newKey({ level: 'organization' })
    const rotated = await run(['keys', 'rotate', id, '--grace-hours', '2'], signedIn())
    expect(rotated.err).toContain('Save the key now: it is not shown again.')
    const { code, out, err } = await run(['workspaces', 'list', '--json'], { ADJOIN_API_KEY: key })
    expect([code, JSON.parse(out).workspaces.length]).toEqual([0, 1])
    expect(err).toMatch(/^This API key was replaced and stops working on \d{4}-\d\d-\d\d \d\d:\d\d UTC\. Use the new key\.\n$/)
  })

  it('or token that is refused says what to do next', async () => {
    const stale = await run(['me', 'get'], { ADJOIN_TOKEN: 'x'.repeat(43) })
    expect([stale.code, stale.err]).toEqual([3, expect.stringMatching(/The token is from ADJOIN_TOKEN\. .*`adjoin login`/)])
    const { key } = await newKey({ level: 'organization' })
    const refused = await run(['me', 'get'], { ADJOIN_API_KEY: key })
    expect([refused.code, refused.err]).toEqual([3, expect.stringMatching(/ADJOIN_API_KEY.*unset it and run `adjoin login`/)])
    const wrong = await run(['signin', 'verify', '--email', 'a@b.example', '--code', '000000', '--challenge', 'x'.repeat(43)])
    expect(wrong.err).not.toContain('adjoin login')
  })
})

describe('exit codes', () => {
  it('say with --exit-code that something is wrong, and without it nothing new', async () => {
    expect((await run(['status', '--exit-code'], signedIn())).code).toBe(0)
    const { id, connectUrl } = await agency.admin.client.createIntegration(place, { provider: 'xandr', name: 'Publisher' })
    expect((await run(['status', '--exit-code'], signedIn())).code).toBe(0)
    expect((await run(['status', '--exit-code', '--must-act', 'client'], signedIn())).code).toBe(1)
    const token = connectUrl.split('/').at(-1)!
    await world.client().submitConnectCredentials({ token }, { username: 'api-user', password: 'Correct-Horse-1' })
    expect((await run(['integrations', 'verify', id, '--exit-code'], signedIn())).code).toBe(0)
    expect((await run(['status', '--exit-code', '--watch'], signedIn())).code).toBe(2)
    await agency.admin.client.freezeOrganization({ orgSlug: agency.slug }, { reason: 'a drill' })
    expect((await run(['status', '--exit-code', '--json'], signedIn())).code).toBe(1)
    expect((await run(['status'], signedIn())).code).toBe(0)
    await agency.admin.client.thawOrganization({ orgSlug: agency.slug })
  })

  it('say with --exit-code that an integration is in error after it was verified', async () => {
    const { id } = await agency.admin.client.createIntegration(place, { provider: 'xandr', name: 'Out of reach' })
    await agency.admin.client.submitIntegrationCredentials({ ...place, id }, { username: 'api-user-2', password: 'Correct-Horse-1' })
    // An account that this login does not reach.
    await agency.admin.client.updateIntegration({ ...place, id }, { settings: { memberId: '42' } })
    const failing = await run(['integrations', 'verify', id, '--exit-code'], signedIn())
    expect([failing.code, failing.out]).toEqual([1, expect.stringMatching(/status +error/)])
    expect((await run(['integrations', 'verify', id], signedIn())).code).toBe(0)
    await agency.admin.client.deleteIntegration({ ...place, id })
  })

  it('are those of usage for what is no address, no profile, no field', async () => {
    const wrong = [
      ['--url', 'foo'],
      ['--profile', 'nowhere'],
      ['--profile', '../x'],
      ['--template', 'plain'],
      ['--template', '{{.nope}}'],
    ]
    for (const flags of wrong) expect([flags, (await run(['organizations', 'list', ...flags], signedIn())).code]).toEqual([flags, 2])
    const revoked = await run(['keys', 'revoke', 'x', '--dry-run=yes'], signedIn())
    expect([revoked.code, revoked.err]).toEqual([2, '--dry-run takes true or false, not yes\n'])
  })
})

describe('what comes next', () => {
  it('is said after signing up, for people only', async () => {
    const args = [
      'signup',
      '--email',
      'eve@new.example',
      '--name',
      'Eve',
      '--organization-name',
      'New',
      '--organization-slug',
      'new-one',
      '--provider',
    ]
    const { err, out } = await run([...args, 'magic-link'])
    expect(err).toMatch(/adjoin signin verify --email eve@new\.example --challenge \S+ --code CODE/)
    expect(out).toContain('new-one')
    expect((await run([...args, 'magic-link', '--json'])).err).toBe('')
  })

  it('a webhook’s address is its own, not that of the service', async () => {
    const { code, err } = await run(['webhooks', 'create', '--endpoint', 'http://127.0.0.1:9/hook'], signedIn())
    expect(code === 0 || err.includes('url:'), err).toBe(true)
    expect(err).not.toContain('Can’t reach')
  })
})

describe('profiles', () => {
  it('keep logins apart, and each can be forgotten alone', async () => {
    const { key } = await newKey({ level: 'organization' })
    const file = () => JSON.parse(readFileSync(join(home, '.config/adjoin/config.json'), 'utf8'))
    expect((await run(['login', '--with-key', '--profile', 'staging'], {}, key)).code).toBe(0)
    expect((await run(['login', '--with-key'], {}, key)).code).toBe(0)
    expect(file()).toMatchObject({ apiKey: key, profiles: { staging: { apiKey: key, org: agency.slug } } })
    expect((await run(['use', `${agency.slug}/${place.workspaceSlug}`, '--profile', 'staging'])).code).toBe(0)
    const { out } = await run(['profiles', '--template', '{{.name}} {{.current}} {{.workspace}}'], { ADJOIN_PROFILE: 'staging' })
    expect(out).toBe(`default false \nstaging true ${place.workspaceSlug}\n`)
    expect((await run(['integrations', 'list'], { ADJOIN_PROFILE: 'staging' })).code).toBe(0)
    expect((await run(['logout'])).code).toBe(0)
    expect(Object.keys(file())).toEqual(['profiles'])
    expect((await run(['logout', '--profile', 'staging'])).code).toBe(0)
    expect((await run(['profiles'])).out).toContain('No saved logins.')
  })
})

describe('the audit trail', () => {
  it('is verified from standard input; a CSV export is not called broken', async () => {
    const { out: trail } = await run(['audit', 'export'], signedIn())
    expect((await run(['audit', 'verify', '-'], {}, trail)).out).toMatch(/^No break found: \d+ entries/)
    const { out: table } = await run(['audit', 'export', '--format', 'csv'], signedIn())
    const file = join(home, 'trail.csv')
    writeFileSync(file, table)
    const { code, err } = await run(['audit', 'verify', file])
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^This is a CSV export\. Only an ndjson export proves the chain: adjoin audit export/),
    ])
  })
})

describe('a template', () => {
  it('makes a line of each entry, or one of a record', () => {
    const list = {
      integrations: [
        { id: 1, at: { name: 'a' } },
        { id: 2, at: null },
      ],
      nextCursor: null,
    }
    expect(linesFrom('{{.id}}\\t{{ at.name }}', list)).toEqual(['1\ta', '2\t'])
    expect(linesFrom('{{.types}}', { id: 1, types: ['x'], items: [{}] })).toEqual(['["x"]'])
    expect(linesFrom('{{.id}}', { integrations: [] })).toEqual([])
    expect(() => linesFrom('{{.constructor}}', { id: 1 })).toThrow('There is no field constructor')
  })
})

const jq = spawnSync('jq', ['--version']).status === 0

describe('a filter', () => {
  it.runIf(jq)('is jq’s own: texts as they are, a line for each result', () => {
    const answer = { integrations: [{ id: 'a', name: 'One' }, { id: 'b' }] }
    expect(filteredBy('.integrations[].id', answer)).toEqual(['a', 'b'])
    expect(filteredBy('-1', answer)).toEqual(['-1'])
  })

  it.runIf(jq)('that jq refuses is a usage error, in its words', () => {
    expect(() => filteredBy('.a[', {})).toThrow(/--jq: .*syntax error/)
  })

  it('says where jq comes from on a machine without it', () => {
    const path = process.env.PATH
    process.env.PATH = '/nowhere'
    try {
      expect(() => filteredBy('.', {})).toThrow('--jq needs the program jq')
    } finally {
      process.env.PATH = path
    }
  })

  it.runIf(jq)('replaces the table, and does not go with a template', async () => {
    const listed = await run(['organizations', 'list', '--jq', '.organizations | length'], signedIn())
    expect([listed.code, Number(listed.out)]).toEqual([0, expect.any(Number)])
    expect((await run(['organizations', 'list', '--jq', '.', '--template', '{{.slug}}'], signedIn())).code).toBe(2)
  })
})

it('has one version', () => {
  const { version } = JSON.parse(readFileSync(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8'))
  expect(version).toBe(VERSION)
})
