// The README, followed word for word by somebody with a fresh data folder, a free port and a home of their own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Client, createClient } from '@adjoin/contract/client'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '../../furnishing/free-port.ts'
import { consent, signUp } from '../../furnishing/front-door.ts'
import { until } from '../../furnishing/until.ts'
import { fencedCommands, inlineCommands } from '../readme.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const README = readFileSync(join(ROOT, 'README.md'), 'utf8')
const ADDRESS = 'http://localhost:3000'

/** What is not run here, and why. */
const NOT_RUN: Record<string, string> = {
  'npm test': 'it comes before this in CI',
  'npm run proof': 'takes nine minutes; CI runs the half of it next',
  'npm run proof -- attacks': 'a part of it',
  'npm run bench': 'measures for minutes, on a machine that must have nothing else to do',
  'npm run -s adjoin --': 'the beginning of a command',
  'adjoin connect': 'the name of a command, which is run with its arguments',
}

const home = mkdtempSync(join(tmpdir(), 'adjoin-readme-'))
const port = await freePort()
const url = `http://localhost:${port}`
const children: ChildProcess[] = []

/** A shell of its own: nothing of the test's, a prefix for what is linked, and the port that the README lets one choose. */
const environment: Record<string, string> = {
  PATH: [join(home, 'bin'), process.env.PATH].join(delimiter),
  HOME: home,
  TMPDIR: tmpdir(),
  LANG: 'C.UTF-8',
  npm_config_prefix: home,
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
  npm_config_cache: join(home, '.npm'),
  PORT: String(port),
  PUBLIC_URL: url,
  DATA_DIR: join(home, 'data'),
  ADJOIN_URL: url,
}

type Run = { child: ChildProcess; output: () => string; ended: Promise<number | null> }

/** npm commands where the project is, others where a person keeps their files. A variable that is set is set for what follows. */
function run(command: string): Run {
  const text = command.replaceAll(ADDRESS, url)
  const child = spawn('bash', ['-c', `${text}${/^\w+=\$\(/.test(text) ? '; declare -p ID' : ''}`], {
    cwd: /^(ID=\$\()?npm /.test(text) ? ROOT : home,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  children.push(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  return { child, output: () => said, ended: once(child, 'close').then(([code]) => code as number | null) }
}

async function said({ output, child }: Run, pattern: RegExp): Promise<string> {
  const look = () => ({ match: pattern.exec(output()), ended: child.exitCode !== null, text: output() })
  const { match, text } = await until(look, (seen) => seen.match !== null || seen.ended, String(pattern))
  if (!match) throw new Error(`It ended without ${pattern}:\n${text}`)
  return match[1] ?? match[0]
}

async function done(command: string, running = run(command)): Promise<string> {
  expect(await running.ended, `${command}\n${running.output()}`).toBe(0)
  return running.output()
}

const stop = ({ child }: Run, signal: NodeJS.Signals) => process.kill(-child.pid!, signal)

/** The person of the README, in the portal: what they do there, they do here by its API. */
let ada: Client

async function login(command: string): Promise<void> {
  const running = run(command)
  await ada.approveDeviceLogin({ userCode: await said(running, /^ {4}([A-Z0-9]{4}-[A-Z0-9]{4})$/m) })
  expect(await done(command, running)).toContain('Signed in as ada@agency.example')
}

/** The client opens the link, consents, and chooses the account. */
async function connect(command: string): Promise<void> {
  const running = run(command)
  const link = await said(running, /^(http\S+)$/m)
  const back = await fetch(await consent(url, link, 'allow'), { redirect: 'manual' })
  const result = new URL(back.headers.get('location')!).hash.slice(1)
  await said(running, /The client chooses the account/)
  await createClient({ url }).chooseConnectAccount({ result }, { accountId: '1234567890' })
  expect(await done(command, running)).toContain('Connected')
}

async function keepId(command: string): Promise<void> {
  environment.ID = /ID="([0-9a-f-]{36})"/.exec(await done(command))![1]!
}

async function watch(command: string): Promise<void> {
  const running = run(command)
  await said(running, /Search/)
  stop(running, 'SIGINT')
  await running.ended
}

async function start(command: string): Promise<void> {
  const running = run(command)
  for (let tries = 1; ; tries++) {
    if (
      await fetch(`${url}/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      break
    if (tries === 1800 || running.child.exitCode !== null) throw new Error(`npm start:\n${running.output()}`)
    await sleep(100)
  }
  ada = await asAda()
}

/** Steps 1 to 6 of the first five minutes, in the portal: an integration of any kind, and one for Google Ads. */
async function asAda(): Promise<Client> {
  const { client } = await signUp(url, { email: 'ada@agency.example', name: 'Ada', organizationName: 'Agency', organizationSlug: 'agency' })
  await client.createWorkspace({ orgSlug: 'agency' }, { name: 'Client A', slug: 'client-a' })
  const place = { orgSlug: 'agency', workspaceSlug: 'client-a' }
  const { id } = await client.createIntegration(place, { provider: 'xandr', name: 'Monetize' })
  await client.submitIntegrationCredentials({ ...place, id }, { username: 'globex-api', password: 'a-good-password' })
  const settings = { customerId: '1234567890' }
  const { connectUrl } = await client.createIntegration(place, { provider: 'google_ads', name: 'Search', settings })
  await fetch(await consent(url, connectUrl, 'allow'), { redirect: 'manual' })
  environment.KEY = (await client.createApiKey({ orgSlug: 'agency' }, { name: 'Mine', level: 'organization', role: 'viewer' })).key
  return client
}

/** How a command is followed that waits for a person, or does not end. Every other one must end well. */
const HOW: [RegExp, (command: string) => Promise<void>][] = [
  [/^npm start$/, start],
  [/ login$/, login],
  [/^adjoin connect /, connect],
  [/--watch$/, watch],
  [/^ID=/, keepId],
  [/googleAds:search/, async (command) => expect(await done(command)).toContain('Spring sale')],
  [/^curl /, async (command) => expect(await done(command)).toContain('"client-a"')],
  [/^adjoin audit export/, async (command) => expect(await done(command)).toMatch(/No break found/)],
]

async function follow(command: string): Promise<void> {
  const how = HOW.find(([pattern]) => pattern.test(command))
  if (how) await how[1](command)
  else await done(command)
}

afterAll(async () => {
  const running = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
  await Promise.all(
    running.map((child) => {
      const ended = once(child, 'exit')
      process.kill(-child.pid!, 'SIGTERM')
      return ended
    }),
  )
  rmSync(home, { recursive: true, force: true })
})

/** Some thirty programs, one after the other. */
const LIMIT = { timeout: 300_000 }

test('every command of the README works as it stands', LIMIT, async () => {
  const fenced = fencedCommands(README)
  const beside = inlineCommands(README).filter(({ text }) => !fenced.some((one) => one.text === text))
  const [first, ...rest] = fenced.filter(({ text }) => !(text in NOT_RUN))
  const linking = beside.filter(({ text }) => text.startsWith('npm link'))
  const others = beside.filter(({ text }) => !(text in NOT_RUN) && !linking.some((one) => one.text === text))
  expect(first?.text).toBe('npm start')
  for (const { text, line } of [first!, ...linking, ...rest, ...others]) {
    await follow(text).catch((error) => {
      throw new Error(`README.md:${line}: ${text}\n${error instanceof Error ? error.message : error}`)
    })
  }
  const known = new Set([...fenced, ...beside].map(({ text }) => text))
  expect(Object.keys(NOT_RUN).filter((text) => !known.has(text))).toEqual([])
})
