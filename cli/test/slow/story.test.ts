import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { verifyWebhook } from '@adjoin/contract/verify-webhook'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createWorld, request, type TestOrganization, type World } from '../../../api/test/world.ts'
import { consent } from '../../../furnishing/front-door.ts'
import { until } from '../../../furnishing/until.ts'
import { createProgram } from '../../src/program.ts'

const BIN = fileURLToPath(new URL('../../bin/adjoin.mjs', import.meta.url))
let world: World
let agency: TestOrganization
let home: string
beforeAll(async () => {
  world = await createWorld()
  agency = await world.organization('Northwind')
  home = mkdtempSync(join(tmpdir(), 'adjoin-cli-'))
})
afterAll(() => world.stop())

interface CommandResult {
  code: number
  out: string
  err: string
}

/** The real binary in a process of its own, with a home of its own. */
function start(args: string[], { input, env = {} }: { input?: string; env?: Record<string, string> } = {}) {
  const child = spawn(process.execPath, [BIN, ...args], { env: { PATH: process.env.PATH, HOME: home, ADJOIN_URL: world.url, ...env } })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => (out += chunk))
  child.stderr.on('data', (chunk) => (err += chunk))
  child.stdin.end(input ?? '')
  const ended: Promise<CommandResult> = once(child, 'close').then(([code]) => ({ code: code as number, out, err }))
  return { ended, said: () => out + err, stop: () => child.kill() }
}
const run = (args: string[], options?: Parameters<typeof start>[1]) => start(args, options).ended

/** The same program within this process: where only its words and its exit code matter, a start is saved. */
async function within(args: string[], env: Record<string, string> = {}): Promise<CommandResult> {
  const ran: CommandResult = { code: 0, out: '', err: '' }
  const listen = (name: 'out' | 'err') => (text: unknown) => {
    ran[name] += String(text)
    return true
  }
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(listen('out')),
    vi.spyOn(process.stderr, 'write').mockImplementation(listen('err')),
  ]
  try {
    ran.code = await createProgram({ HOME: home, ADJOIN_URL: world.url, ...env }).run(args)
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
  return ran
}

const ok = (ran: CommandResult) => {
  expect(ran.err).toBe('')
  expect(ran.code).toBe(0)
  return ran.out
}

describe('adjoin, from login to a verified trail', () => {
  let connectUrl = ''

  it('logs in by device: shows a code, waits for the approval, and keeps the session for its owner alone', async () => {
    const login = start(['login', '--no-browser'])
    const code = await until(() => /\n {4}([A-Z0-9]{4}-?[A-Z0-9]{4})\n/.exec(login.said())?.[1])
    await agency.admin.client.approveDeviceLogin({ userCode: code })
    const { out, code: exit } = await login.ended
    expect([exit, out]).toEqual([0, `Signed in as ${agency.admin.email}.\n`])
    const file = join(home, '.config/adjoin/config.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ url: world.url, org: agency.slug, token: expect.any(String) })
    expect(JSON.parse(ok(await within(['whoami', '--json'])))).toMatchObject({ email: agency.admin.email })
  })

  it('creates a workspace, uses it, and lists it as a table and as JSON', async () => {
    ok(await run(['workspaces', 'create', '--name', 'Client A', '--slug', 'client-a']))
    expect(ok(await run(['use', `${agency.slug}/client-a`]))).toBe(`Using ${agency.slug}/client-a.\n`)
    expect(ok(await run(['workspaces', 'list']))).toMatch(/^slug +name +role/)
    expect(JSON.parse(ok(await run(['workspaces', 'list', '--json']))).workspaces).toMatchObject([{ slug: 'client-a', role: 'admin' }])
  })

  it('connects: prints the link, waits, and says which account the client connected', async () => {
    const connecting = start(['connect', 'xandr', '--name', 'Publisher'])
    connectUrl = await until(() => /(http\S+\/connect\/[\w-]{43})\n/.exec(connecting.said())?.[1])
    await world
      .client()
      .submitConnectCredentials({ token: connectUrl.split('/').at(-1)! }, { username: 'api-user', password: 'Correct-Horse-1' })
    const { code, out } = await connecting.ended
    expect(code).toBe(0)
    expect(out).toContain('Connected: ')
    expect(ok(await run(['status']))).toMatch(/1 active · 0 pending · 0 error · 0 disabled[\s\S]+client-a +Publisher +xandr +active/)
  })

  it('connects without a setting that the ad system needs: the only account is taken', async () => {
    const connecting = start(['connect', 'google_ads', '--name', 'Search'])
    const link = await until(() => /(http\S+\/connect\/[\w-]{43})\n/.exec(connecting.said())?.[1])
    await request((await consent(world.url, link, 'other')).replace('http://localhost:3000', world.url))
    const { code, out } = await connecting.ended
    expect([code, out]).toEqual([0, expect.stringContaining('Connected: Another Advertiser')])
    const at = { orgSlug: agency.slug, workspaceSlug: 'client-a' }
    const { integrations } = await agency.admin.client.listIntegrations({ ...at, provider: 'google_ads' })
    expect(integrations).toMatchObject([{ status: 'active', settings: { customerId: expect.any(String) } }])
    await agency.admin.client.deleteIntegration({ ...at, id: integrations[0]!.id })
  })

  it('waits for the client to choose where there are several accounts', async () => {
    const connecting = start(['connect', 'google_ads', '--name', 'Search'])
    const link = await until(() => /(http\S+\/connect\/[\w-]{43})\n/.exec(connecting.said())?.[1])
    const { headers } = await request((await consent(world.url, link, 'allow')).replace('http://localhost:3000', world.url))
    await until(() => /The client chooses the account/.exec(connecting.said())?.[0])
    const result = new URL(headers.get('location')!).hash.slice(1)
    await world.client().chooseConnectAccount({ result }, { accountId: '1234567890' })
    const { code, out } = await connecting.ended
    expect([code, out]).toEqual([0, expect.stringContaining('Connected: Example Advertiser (1234567890)')])
    const at = { orgSlug: agency.slug, workspaceSlug: 'client-a' }
    const { integrations } = await agency.admin.client.listIntegrations({ ...at, provider: 'google_ads' })
    await agency.admin.client.deleteIntegration({ ...at, id: integrations[0]!.id })
  })

  it('asks a client for several with one link, and sends it', async () => {
    const flags = ['--optional', 'criteo', '--setting', 'google_ads.customerId=123-456-7890', '--title', 'Your ad accounts']
    const client = ['--client-email', 'client@brand.example', '--send']
    const created = await run(['requests', 'create', 'xandr', 'google_ads', ...flags, ...client])
    expect([created.code, created.out]).toEqual([0, expect.stringMatching(/^http\S+\/connect\/r\/[\w-]{43}\n$/)])
    const { connectRequests } = JSON.parse(ok(await run(['requests', 'list', '--json'])))
    expect(connectRequests).toMatchObject([
      {
        title: 'Your ad accounts',
        sentAt: expect.any(String),
        items: [{ provider: 'xandr' }, { provider: 'google_ads', optional: false }, { provider: 'criteo', optional: true }],
      },
    ])
    const [{ id, items }] = connectRequests
    expect(ok(await run(['requests', 'list']))).toMatch(/^id +title/)
    expect(ok(await run(['status']))).toContain('part of a connect request')
    expect(JSON.parse(ok(await run(['requests', 'renew', id, '--expires-in-days', '3', '--json']))).connectUrl).not.toBe(created.out.trim())
    ok(await run(['requests', 'cancel', id]))
    const at = { orgSlug: agency.slug, workspaceSlug: 'client-a' }
    for (const { integrationId } of items) await agency.admin.client.deleteIntegration({ ...at, id: integrationId })
    const odd = await run(['requests', 'create', 'googel_ads', '--title', 'x'])
    expect([odd.code, odd.err]).toEqual([2, expect.stringContaining('neither an ad system')])
  })

  it('says so first while the organization is frozen', async () => {
    const at = { orgSlug: agency.slug }
    await agency.admin.client.freezeOrganization(at, { reason: 'A key leaked' })
    const said = ok(await run(['status']))
    await agency.admin.client.thawOrganization(at)
    expect(said).toMatch(/^Frozen since \d{4}-\d\d-\d\d \d\d:\d\d UTC by .+: A key leaked\n.*adjoin thaw\n\n1 active/)
    expect(JSON.parse(ok(await run(['status', '--json'])))).toMatchObject({ frozen: null, integrations: [{ name: 'Publisher' }] })
  })

  it('watches: who must act, look after look, until it is told to stop', async () => {
    const at = { orgSlug: agency.slug, workspaceSlug: 'client-a' }
    const waiting = await agency.admin.client.createIntegration(at, { provider: 'magnite', name: 'Waiting' })
    const watching = start(['status', '--watch', '--every', '1', '--json'])
    const said = await until(() => (watching.said().split('\n').length > 2 ? watching.said() : undefined))
    watching.stop()
    const looks = said.trimEnd().split('\n').slice(0, 2)
    for (const look of looks)
      expect(JSON.parse(look).integrations).toMatchObject([
        { name: 'Publisher', workspace: 'client-a', mustAct: null },
        { name: 'Waiting', status: 'pending', mustAct: 'client', why: expect.stringContaining('connect link valid until') },
      ])
    await agency.admin.client.deleteIntegration({ ...at, id: waiting.id })
  })

  it('follows events as they happen, one JSON document a line, and looks back', async () => {
    const at = { orgSlug: agency.slug, workspaceSlug: 'client-a' }
    const following = start(['events', '--follow', '--since', '1h', '--types', 'workspace.*', '--json'])
    await until(() => (following.said().includes('"workspace.created"') ? 'yes' : undefined))
    await agency.admin.client.updateWorkspace(at, { name: 'Client A (EMEA)' })
    const said = await until(() => (following.said().includes('"workspace.updated"') ? following.said() : undefined))
    following.stop()
    expect(
      said
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).type),
    ).toEqual(['workspace.created', 'workspace.updated'])
    expect(ok(await run(['events', '--since', '1h', '--types', 'integration.connected']))).toMatch(
      /integration\.connected {2}client-a {2}Publisher/,
    )
    const odd = await run(['events', '--since', 'yesterday'])
    expect([odd.code, odd.err]).toEqual([2, expect.stringContaining('--since takes')])
  })

  it('sends signed copies of events to a local server, again until it takes them', async () => {
    const got: { headers: Record<string, string>; body: string }[] = []
    const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      got.push({ headers: request.headers as Record<string, string>, body })
      response.writeHead(got.length === 1 ? 500 : 204).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
    const listening = start(['webhooks', 'listen', '--since', '1h', '--types', 'workspace.created', '--forward-to', address])
    await until(() => (listening.said().includes('204') ? 'yes' : undefined))
    listening.stop()
    server.closeAllConnections()
    server.close()
    expect(got.map(({ headers }) => headers['webhook-id'])).toEqual(Array(2).fill(got[0]!.headers['webhook-id']))
    const [, secret] = /(whsec_\S+)/.exec(listening.said())!
    expect(await verifyWebhook(got[1]!.headers, got[1]!.body, secret!)).toMatchObject({
      type: 'workspace.created',
      workspace: { slug: 'client-a' },
    })
  })

  it('takes a secret from standard input, and refuses it on the command line, where others could read it', async () => {
    const made = JSON.parse(ok(await within(['integrations', 'create', '--provider', 'xandr', '--name', 'Second', '--json'])))
    const refused = await within(['integrations', 'submit', made.id, '--field', 'username=api-user', '--field', 'password=Correct-Horse-1'])
    expect([refused.code, refused.out, refused.err]).toEqual([2, '', expect.stringContaining('password is a secret')])
    const answer = await run(['integrations', 'submit', made.id, '--field', 'username=api-user', '--field', 'password=-', '--json'], {
      input: 'Correct-Horse-1\n',
    })
    expect(JSON.parse(ok(answer))).toMatchObject({ status: 'active' })
  })

  it('mints a key, logs in with it elsewhere, and rotates it without being locked out', async () => {
    const minted = JSON.parse(ok(await run(['keys', 'create', '--name', 'ci', '--level', 'organization', '--role', 'admin', '--json'])))
    const elsewhere = { HOME: mkdtempSync(join(tmpdir(), 'adjoin-cli-')) }
    expect(ok(await run(['login', '--with-key'], { input: `${minted.key}\n`, env: elsewhere }))).toContain(
      'organization key ci of Northwind',
    )
    const rotation = await run(['keys', 'rotate', minted.id, '--grace-hours', '0', '--json'], { env: elsewhere })
    expect(rotation.err).toBe('You are signed in with this key, so its replacement was saved for your next commands.\n')
    const rotated = JSON.parse(rotation.out)
    expect(rotated.key).toMatch(/^adj_/)
    for (const env of [{ ADJOIN_API_KEY: rotated.key }, elsewhere])
      expect(JSON.parse(ok(await run(['keys', 'self', '--json'], { env })))).toMatchObject({ id: rotated.id, name: 'ci', status: 'active' })
  })

  it('exports the trail and verifies it offline; names the first bad entry after any tampering', async () => {
    const file = join(home, 'trail.ndjson')
    const checkpoint = join(home, 'checkpoint.json')
    ok(await run(['audit', 'export', '--output', file]))
    writeFileSync(checkpoint, ok(await run(['audit', 'checkpoint', '--json'])))
    expect(ok(await run(['audit', 'verify', file]))).toMatch(
      new RegExp(`^No break found: \\d+ entries of Northwind \\(${agency.id}\\), the last is \\d+\\.\\nIts end is not proven`),
    )
    const proved = ok(await within(['audit', 'verify', file, '--checkpoint', checkpoint, '--organization', agency.id]))
    expect(proved).toMatch(/Checkpoint \d+ is signed and part of the trail\.\n$/)
    const other = await within(['audit', 'verify', file, '--organization', '00000000-0000-4000-8000-000000000000'])
    expect([other.code, other.err]).toEqual([5, expect.stringMatching(/^Wrong trail: This is the trail of Northwind/)])

    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    const tampered = {
      edited: lines.map((line, i) => (i === 2 ? line.replace('client-a', 'client-b') : line)),
      removed: lines.toSpliced(2, 1),
      swapped: [lines[0]!, lines[2]!, lines[1]!, ...lines.slice(3)],
    }
    for (const [what, text] of Object.entries(tampered)) {
      writeFileSync(file, `${text.join('\n')}\n`)
      const { code, err } = await within(['audit', 'verify', file])
      expect([what, code, /entr(?:y|ies) \d+/.test(err)]).toEqual([what, 5, true])
    }
  })

  it('answers with JSON also where the API says nothing, and shows what it remembered to no other service', async () => {
    ok(await within(['workspaces', 'create', '--name', 'Client B', '--slug', 'client-b', '--json']))
    expect(JSON.parse(ok(await within(['workspaces', 'delete', '--yes', '--workspace', 'client-b', '--json'])))).toEqual({})
    const seen: unknown[] = []
    const stranger = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      seen.push(request.headers.authorization, request.headers['x-api-key'])
      response.writeHead(401, { 'content-type': 'text/html' }).end('<p>who?')
    })
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
    const { code, err } = await run(['me', 'get', '--url', `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`])
    stranger.close()
    expect([code, seen, err]).toEqual([3, [undefined, undefined], expect.stringContaining('adjoin login')])
  })

  it('logs out, and is nobody again', async () => {
    ok(await run(['logout']))
    const { code, err } = await within(['me', 'get'])
    expect([code, err]).toEqual([3, expect.stringContaining('No credential was sent')])
  })
})

describe('what a flag means', () => {
  const as = () => ({ env: { ADJOIN_TOKEN: agency.admin.token, ADJOIN_ORG: agency.slug, ADJOIN_WORKSPACE: 'client-a' } })

  it('filters the trail by the workspace that is named, not by the one that is remembered', async () => {
    await agency.admin.client.createWorkspace({ orgSlug: agency.slug }, { name: 'Quiet', slug: 'quiet' })
    const named = JSON.parse(ok(await run(['audit', 'list', '--workspace', 'quiet', '--json'], as())))
    expect(named.auditLogs.every((entry: { workspace: { slug: string } | null }) => entry.workspace?.slug === 'quiet')).toBe(true)
    const all = JSON.parse(ok(await run(['audit', 'list', '--json'], as())))
    expect(all.auditLogs.length).toBeGreaterThan(named.auditLogs.length)
  })

  it('deletes only the workspace that is named here and meant', async () => {
    const unnamed = await run(['workspaces', 'delete', '--yes'], as())
    expect([unnamed.code, unnamed.err]).toEqual([2, expect.stringContaining('Which workspace?')])
    const unmeant = await run(['workspaces', 'delete', '--workspace', 'quiet'], as())
    expect([unmeant.code, unmeant.err]).toEqual([2, expect.stringContaining('--yes')])
    ok(await run(['workspaces', 'delete', '--workspace', 'quiet', '--force', '--yes'], as()))
  })
})

describe('signing in by mail', () => {
  it('takes the code of the mail with the challenge of the request that asked for it', async () => {
    const { email } = agency.admin
    const before = (await world.mails(email, 0)).length
    const { challenge } = JSON.parse(ok(await within(['signin', 'send', '--email', email, '--json'])))
    const code = /^\s+(\d{6})$/m.exec((await world.mails(email, before + 1))[0]!.text)![1]!
    const verify = ['signin', 'verify', '--email', email, '--code', code, '--json']
    expect((await within(verify)).code).toBe(3)
    expect(JSON.parse(ok(await within([...verify, '--challenge', challenge]))).user.email).toBe(email)
  })
})

describe('exit codes and errors', () => {
  const as = () => ({ ADJOIN_TOKEN: agency.admin.token, ADJOIN_ORG: agency.slug, ADJOIN_WORKSPACE: 'client-a' })
  it.each([
    [['keys', 'get'], 2, 'missing required argument'],
    [['audit', 'verify', '/nowhere/trail.ndjson'], 2, 'Can’t open /nowhere/trail.ndjson: no such file'],
    [['workspaces', 'create', '--name', 'x', '--slug', 'NOT A SLUG'], 2, 'slug:'],
    [['workspaces', 'get', '--workspace', 'nowhere'], 4, 'Not found, or you don’t have access'],
    [['workspaces', 'create', '--name', 'x', '--slug', 'client-a'], 5, 'This slug is already taken'],
    [['service', 'health', '--url', 'http://127.0.0.1:2'], 7, 'Can’t reach http://127.0.0.1:2'],
  ])('%j ends with %i and says what is wrong', async (args, code, text) => {
    const ran = await within(args, as())
    expect([ran.code, ran.out, ran.err]).toEqual([code, '', expect.stringContaining(text)])
  })

  it('is limited: 6', async () => {
    const address = 'often-cli@nowhere.example'
    for (let i = 0; i < 3; i++)
      await request(`${world.url}/v1/auth/magic-link`, {
        method: 'POST',
        body: JSON.stringify({ email: address }),
        headers: { 'content-type': 'application/json' },
      })
    expect((await within(['signin', 'send', '--email', address])).code).toBe(6)
  })
})
