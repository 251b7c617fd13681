// A production install on this machine: the files of the image, a real PostgreSQL with the accounts
// of deploy/postgres, a real mail server, and processes as the image and compose.yaml describe them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../furnishing/free-port.ts'
import { newSealKey } from '../src/vault/key-ring.ts'
import { composeServices, serviceEnvironment } from './compose.ts'
import { buildTree, fileOf, imageCommand, imageEnvironment } from './production-tree.ts'
import { startSmtpPeer } from './smtp-peer.ts'
import { temporaryServer } from './temporary-server.ts'
import { request } from './world.ts'

export type ChildEnv = Record<string, string>
export type Install = Awaited<ReturnType<typeof createInstall>>
export type Launched = Awaited<ReturnType<Install['launch']>>

const shell = { PUBLIC_URL: 'https://adjoin.agency.example', MAIL_FROM: 'Adjoin <no-reply@agency.example>' }

export async function createInstall() {
  const folder = mkdtempSync(join(tmpdir(), 'adjoin-production-'))
  const app = join(folder, 'app')
  const secrets = join(folder, 'secrets')
  const running: { kill(): Promise<unknown> }[] = []
  const [server, smtp] = await Promise.all([temporaryServer(), startSmtpPeer()])

  const asked = async (database: string, account: pg.ClientConfig, text: string): Promise<unknown[]> => {
    const client = new pg.Client({ ...server.connection, ...account, database })
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  }

  /** A file of deploy/postgres, less what only psql understands. */
  const runAsOperator = async (file: string, database: string): Promise<void> => {
    const [before, behind = ''] = fileOf(`deploy/postgres/${file}`).split(/^\\connect .*$/m)
    const statements = (text: string) =>
      text
        .replace(/^(--|\\).*$/gm, '')
        .replace(/:'(\w+)_password'/g, "'$1-secret'")
        .replaceAll(':"database"', `"${database}"`)
        .split(/;\n/)
        .filter((statement) => statement.trim())
    for (const statement of statements(before!)) await server.operator(statement)
    for (const statement of statements(behind)) await asked(database, {}, statement)
  }

  const addressOf = (account: 'owner' | 'run', database: string) =>
    `postgres://adjoin_${account}:${account}-secret@localhost/${database}?host=${encodeURIComponent(String(server.connection.host))}`

  /** The environment of the image, then that of the service in compose.yaml. */
  const environmentOf = (service: string): ChildEnv => ({
    ...imageEnvironment(),
    ...serviceEnvironment(service, secrets, shell),
    PATH: [join(folder, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
  })

  /**
   * A process of a service, with its own command or another.
   * Only its ports are not compose.yaml's: here all are on one machine.
   */
  const launch = async (service: string, { change, command }: { change?: (env: ChildEnv) => void; command?: string[] } = {}) => {
    const [port, metricsPort] = [String(await freePort()), String(await freePort())]
    const env: ChildEnv = { ...environmentOf(service), PORT: port, METRICS_PORT: metricsPort }
    change?.(env)
    const [program, ...args] = command ?? (composeServices()[service]!.command as string[] | undefined) ?? imageCommand()
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

  const remove = async () => {
    await Promise.all(running.map((one) => one.kill()))
    await smtp.close()
    await server.remove()
    rmSync(folder, { recursive: true, force: true })
  }

  try {
    buildTree(app)
    mkdirSync(join(folder, 'bin'))
    symlinkSync(join(app, 'api/src/admin/main.ts'), join(folder, 'bin/adjoin-admin')) // as the image has it
    await runAsOperator('roles.sql', 'postgres')
    await runAsOperator('database.sql', 'adjoin')
    mkdirSync(secrets)
    const files = {
      database_owner_url: addressOf('owner', 'adjoin'),
      database_run_url: addressOf('run', 'adjoin'),
      seal_keys: newSealKey('2026a'),
      smtp_url: smtp.url,
    }
    for (const [name, value] of Object.entries(files)) writeFileSync(join(secrets, name), `${value}\n`)
  } catch (error) {
    await remove()
    throw error
  }
  return { folder, app, secrets, smtp, asked, runAsOperator, addressOf, environmentOf, launch, remove }
}

/** Until it answers 200 on /health, as its balancer would ask. */
export async function ready(launched: Launched): Promise<Launched> {
  for (let tries = 0; ; tries++) {
    const answer = await request(`${launched.url}/health`).catch(() => undefined)
    if (answer?.status === 200) return launched
    if (tries === 2400 || !launched.alive()) throw new Error(`not ready:\n${launched.output()}`)
    await sleep(50)
  }
}
