// With WORKERS: several processes for the API on one port and one for jobs, started, watched, replaced and stopped
// together. What is in here must not fail, so it is little: connections are accepted here and handed on, nothing more.
import cluster from 'node:cluster'
import { closeSync, openSync } from 'node:fs'
import { type Config, environmentWithFile, readConfig } from '../config.ts'
import { couldNotStart, greeting } from '../greeting.ts'
import { createLog, type Log } from '../log.ts'
import { serveMetrics } from '../metrics-port.ts'
import { preflight } from '../preflight.ts'
import { keepHandoffs } from './handoffs.ts'
import { createMember, type Member } from './member.ts'
import { metricsOf } from './metrics-page.ts'

export async function runProcesses(): Promise<void> {
  try {
    await startProcesses(readConfig(environmentWithFile()))
  } catch (error) {
    process.stderr.write(couldNotStart(error))
    process.exit(1)
  }
}

async function startProcesses(config: Config): Promise<void> {
  cluster.schedulingPolicy = cluster.SCHED_RR // a process that stops hands back what it was given and has not taken
  keepHandoffs() // and what one was given that was killed is handed on as well
  const log = createLog(config.logLevel, config.environment, undefined, 'primary')
  await preflight(config)
  const database = config.databaseUrl ? undefined : await ownDatabase(config, log)
  const shared = { WORKERS: '', ...(database && { DATABASE_URL: database.url }) }
  const members = [
    ...Array.from({ length: config.workers! }, (_, i) => createMember(`api-${i + 1}`, { ...shared, ROLES: 'api' }, log)),
    ...(config.roles.jobs ? [createMember('jobs', { ...shared, ROLES: 'jobs' }, log)] : []),
  ]
  const end = async (code: number) => {
    await database?.close()
    process.exit(code)
  }
  const state = obeySignals(members, log, end)

  // What keeps one from starting keeps all: it is told once, and the schema is brought up to date by one of them.
  const [first, ...others] = members
  const failed = await first!.startOnce()
  if (state.stopping) return
  if (failed !== undefined) return end(failed || 1)
  await Promise.all(others.map((member) => member.start()))
  state.changing = false
  await serveMetrics(() => metricsOf(members), config)
  const workers = `${config.workers} for the API${config.roles.jobs ? ', 1 for jobs' : ''}`
  if (config.environment !== 'production') process.stdout.write(greeting(config, workers))
  else log.info({ workers: members.map(({ name }) => name) }, 'all processes are started')
}

/** The embedded PostgreSQL belongs to the process that outlives the others. */
async function ownDatabase(config: Config, log: Log): Promise<{ url: string; close(): Promise<void> }> {
  const { connectDatabase } = await import('../db/connect.ts')
  const { developmentKeyRing } = await import('../vault/key-ring.ts')
  if (!config.sealKeys) developmentKeyRing(config.dataDir) // made before the database, or not at all
  const { connection, close } = await connectDatabase({ dataDir: config.dataDir, max: 2, prepare: false, log })
  const { host, port, user, password, database } = connection
  const url = new URL(`postgres://localhost:${port}/${database}`)
  Object.assign(url, { username: user, password })
  url.search = String(new URLSearchParams({ host: host!, sslmode: 'disable' }))
  return { url: url.href, close }
}

interface State {
  stopping: boolean
  /** Processes are being started or replaced. */
  changing: boolean
}

function obeySignals(members: readonly Member[], log: Log, end: (code: number) => Promise<void>): State {
  const terminal = hasTerminal()
  const state: State = { stopping: false, changing: true }
  const stop = async (signal: NodeJS.Signals) => {
    state.stopping = true
    const codes = await Promise.all(members.map((member) => member.stop(signal)))
    await end(Math.max(...codes))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('SIGHUP', async () => {
    if (terminal && !hasTerminal()) return stop('SIGTERM') // it was closed, with us in it
    if (state.stopping) return
    if (state.changing) return log.warn('SIGHUP ignored: processes are still being started or replaced')
    state.changing = true
    await replaceAll(members, log, state)
    state.changing = false
  })
  return state
}

/** One after the other, so that there is never more than one process too many, or one too few. */
async function replaceAll(members: readonly Member[], log: Log, state: State): Promise<void> {
  log.info('replacing all processes')
  for (const member of members) {
    const done = await member.replace()
    if (state.stopping) return
    if (!done) return log.error({ worker: member.name }, 'the new process could not start; the others stay as they are')
  }
  log.info('all processes are replaced')
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}
