// The one composition root: every part is built here, by hand, and handed to those who need it.
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { groupOf, operationIds } from '@adjoin/contract'
import { trackLastUse } from './access/last-use.ts'
import { watchLastingRequests } from './access/under-way.ts'
import { startBackground } from './background.ts'
import type { Parts } from './call.ts'
import type { Config } from './config.ts'
import { connectDatabase } from './db/connect.ts'
import { migrate } from './db/migrate.ts'
import { inTransaction, type OnStatement } from './db/pool.ts'
import type { Timeouts } from './db/timeouts.ts'
import { countTools } from './features/api-keys/tool-usage.ts'
import { shareQuota } from './features/gateway/shared-quota.ts'
import { countUsage } from './features/gateway/usage.ts'
import { verbs } from './features/index.ts'
import { buildInfo } from './features/infra/build-info.ts'
import { registerProcess } from './features/infra/processes.ts'
import { refuseMissingKeys } from './features/infra/sealed-columns.ts'
import { createGateway } from './gateway/index.ts'
import { createWebhookSender } from './gateway/post-webhook.ts'
import { consumeLimits, countBadCredentials } from './http/limits.ts'
import { watchOverload } from './http/overload.ts'
import { createServer } from './http/server.ts'
import { createIdentity } from './identity/index.ts'
import { createNotices } from './jobs/notices.ts'
import { createJobs } from './jobs/queue.ts'
import { createLog, type Log } from './log.ts'
import { transportOf } from './mail/configured-transport.ts'
import { readMailbox } from './mail/mailbox.ts'
import { createMetrics } from './metrics.ts'
import { serveMetrics } from './metrics-port.ts'
import { preflight } from './preflight.ts'
import { createHttp } from './providers/http.ts'
import { refuseMisspelledSettings } from './providers/misspelled-settings.ts'
import { createVendorSessions } from './providers/vendor-sessions.ts'
import { type RunningSandbox, startSandbox } from './stand-ins.ts'
import { startTracer } from './traces/start.ts'
import { tracedForward, tracedStatements, tracedVendorCalls, tracedWebhooks } from './traces/traced.ts'
import { developmentKeyRing, parseKeyRing } from './vault/key-ring.ts'
import { createVault } from './vault/seal.ts'
import { loadSecrets } from './vault/tokens.ts'
import { DEFAULT_WAITS, type Waits } from './waits.ts'
import { watchParts } from './watch-parts.ts'

export interface App {
  readonly parts: Parts
  /** Where it listens, for those on this machine. */
  readonly url: string
  readonly metricsPort: number | undefined
  metricsPage(): Promise<string>
  stop(): Promise<void>
  /** Stops while others go on behind the same port: it says nothing to the balancer, and loses no connection. */
  retire(): Promise<void>
}

export interface AppOptions {
  log?: Log
  /**
   * The name of one process among several that share a port: its log lines and metrics carry it. The process that
   * started it serves its metrics, and if it only does jobs, it does not listen.
   */
  worker?: string | undefined
  /** Every statement, as it is sent: what the tests count and read. */
  onStatement?: OnStatement
  /** Twins that several processes share; without it a process in development has its own. */
  sandbox?: RunningSandbox
  /** Aborted when the service is stopped before it has started: the start ends, and closes what it has opened. */
  signal?: AbortSignal
  /** How long anything may wait for the database. */
  timeouts?: Partial<Timeouts>
  /** How long anything may wait for others. */
  waits?: Partial<Waits>
}

/** Between "not ready" and "not listening": the time a balancer takes to notice. */
const NOTICE_MS = 3000
/** For clients to use a connection once more, and to hear that it ends. */
const RETIRE_MS = 8000

export async function startApp(config: Config, options: AppOptions = {}): Promise<App> {
  const log = options.log ?? createLog(config.logLevel, config.environment, undefined, options.worker)
  // What is opened is closed in reverse, after a stop and after a start that failed half-way alike.
  const opened: (() => unknown)[] = []
  let closing: Promise<void> | undefined
  const closeAll = async () => {
    while (opened.length) await opened.pop()!()
  }
  const close = () => (closing ??= closeAll())
  try {
    return await open(config, options, log, opened, close)
  } catch (error) {
    await close()
    throw error
  }
}

async function open(config: Config, options: AppOptions, log: Log, opened: (() => unknown)[], close: () => Promise<void>): Promise<App> {
  const { signal } = options
  const waits = { ...DEFAULT_WAITS, ...options.waits }
  refuseMisspelledSettings(config.providerSettings)
  if (!options.worker) await preflight(config)
  const build = buildInfo(config)
  const tracer = await startTracer(config.traces, build.version, log)
  if (tracer) opened.push(() => tracer.stop().catch((error) => log.warn({ err: error }, 'the last traces could not be sent')))
  const vault = createVault(config.sealKeys ?? parseKeyRing(developmentKeyRing(config.dataDir)))
  const connected = await connectDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    max: config.databasePool,
    prepare: config.databasePrepare,
    sharesFactor: config.roles.api ? config.limitsFactor : undefined,
    onStatement: options.onStatement,
    traceStatement: tracer && tracedStatements(tracer),
    ...(options.timeouts && { timeouts: options.timeouts }),
    signal,
    log,
  })
  const { db } = connected
  opened.push(connected.close)
  signal?.throwIfAborted()
  const { applied, newer } = await migrate({ connectionTimeoutMillis: db.timeouts.start, ...connected.connection })
  if (applied.length) log.info({ applied }, 'database schema updated')
  if (newer.length)
    log.warn({ newer }, 'the database is newer than this version of Adjoin; it only has more, so this version works with it')
  await refuseMissingKeys(db, vault)
  signal?.throwIfAborted()
  if (config.environment === 'production' && config.roles.api) await db.warm() // a balancer sends its full share at once
  const secrets = await loadSecrets(db.query, vault)

  const jobs = createJobs(vault)
  const notices = createNotices({ db, log }, config.limitsFactor)
  opened.push(notices.stop)
  const metrics = createMetrics(options.worker)
  const gateway = createGateway({ forbidden: inTransaction, connectMs: waits.vendorConnect }, metrics.gateway)
  opened.push(gateway.close)
  const webhooks = createWebhookSender({ forbidden: inTransaction, totalMs: waits.webhook, connectMs: waits.webhookConnect })
  opened.push(webhooks.close)
  const usage = countUsage(db, log)
  opened.push(usage.stop)
  const toolUsage = countTools(db, log)
  opened.push(toolUsage.stop)
  const quota = shareQuota(db, log)
  opened.push(quota.stop)
  const sandbox = options.sandbox ?? (config.sandbox ? await startSandbox(config, secrets) : undefined)
  if (sandbox && !options.sandbox) opened.push(sandbox.close)
  const parts: Parts = {
    config,
    db,
    vault,
    secrets,
    log,
    jobs,
    notices,
    identity: createIdentity(config, undefined, waits.identity),
    tracer,
    gateway: tracer ? { ...gateway, forward: tracedForward(tracer, gateway.forward) } : gateway,
    webhooks: tracer ? tracedWebhooks(tracer, webhooks) : webhooks,
    usage,
    toolUsage,
    quota,
    vendorSessions: createVendorSessions({
      environment: config.providerSettings,
      http: createHttp({
        forbidden: inTransaction,
        observe: tracedVendorCalls(tracer, metrics.vendorCall),
        connectMs: waits.vendorConnect,
      }),
      // A process's own twins show themselves under its own address: no other could be forwarded along.
      ...(sandbox && { sandbox: { url: sandbox.url, publicUrl: sandbox.visit ? config.publicUrl : sandbox.url } }),
      totalMs: waits.vendor,
    }),
    limit: (id, subject) =>
      consumeLimits(db, id, { caller: undefined, at: {}, params: {}, body: undefined, ...subject }, config.limitsFactor),
    limitDone: (query, id, subject) =>
      consumeLimits({ query }, id, { caller: undefined, at: {}, params: {}, body: undefined, ...subject }, config.limitsFactor, 'done'),
    development: {
      ...(!config.smtpUrl && { mailbox: () => readMailbox({ db, vault }) }),
      ...(sandbox?.visit && { twins: sandbox.visit }),
    },
  }
  opened.push((await registerProcess(parts, build.version)).stop)
  const lasting = watchLastingRequests(parts)
  opened.push(lasting.stop)
  const transport = transportOf(parts)
  opened.push(transport.close)
  const background = config.roles.jobs ? startBackground(parts, jobs, transport, metrics) : undefined
  if (background) opened.push(background.stop)

  const lastUse = trackLastUse(db, log)
  opened.push(lastUse.stop)
  const overload = watchOverload(db, waits.lag)
  opened.push(overload.stop)

  let draining = false
  const probe = { draining: () => draining, mailer: () => transport.healthy(), jobs: () => background?.healthy() }
  watchParts(metrics, parts, { overload, probe, checksRunning: () => background?.checksRunning() ?? 0 })
  const kernel = {
    parts,
    version: build.version,
    verbs: verbs(probe, build),
    lastUse,
    lasting,
    countBadCredential: countBadCredentials(config.limitsFactor),
  }
  const server = createServer(kernel, servedOperations(config), overload, metrics, waits)
  opened.push(() => server.app.close())
  signal?.throwIfAborted()
  // `localhost` would become two servers, of which the framework makes the second without asking us.
  if (!options.worker || config.roles.api)
    await server.app.listen({ port: config.port, host: config.host === 'localhost' ? '127.0.0.1' : config.host })
  else await server.app.ready()
  const metricsPage = () => metrics.registry.metrics()
  const metricsServer = options.worker ? undefined : await serveMetrics(metricsPage, config)
  if (metricsServer) opened.push(metricsServer.close)

  const { port } = (server.app.server.address() as AddressInfo | null) ?? config
  return {
    parts,
    url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
    metricsPort: metricsServer?.port,
    metricsPage,
    async stop() {
      draining = true
      log.info('stopping')
      server.drain()
      if (config.environment === 'production') await sleep(NOTICE_MS)
      await close()
      log.info('stopped')
    },
    async retire() {
      log.info('stopping, another process takes over')
      server.drain()
      await server.leavePort(RETIRE_MS)
      await close()
      log.info('stopped')
    },
  }
}

/** A process that only does jobs still says how it is. */
const servedOperations = ({ roles }: Config) => operationIds.filter((id) => roles.api || groupOf(id) === 'infra')
