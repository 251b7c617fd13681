// The one composition root: every part is built here, by hand, and handed to those who need it.
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { groupOf, operationIds } from '@adjoin/contract'
import { trackLastUse } from './access/last-use.ts'
import { startBackground } from './background.ts'
import type { Development, Parts } from './call.ts'
import type { Config } from './config.ts'
import { connectDatabase } from './db/connect.ts'
import { migrate } from './db/migrate.ts'
import { inTransaction } from './db/pool.ts'
import { countTools } from './features/api-keys/tool-usage.ts'
import { checkpointAge } from './features/audit/write-checkpoints.ts'
import { CALLBACK } from './features/connect/start-connect-oauth.ts'
import { watchFreezes } from './features/gateway/freeze-watch.ts'
import { quotasToday, shareQuota } from './features/gateway/shared-quota.ts'
import { countUsage } from './features/gateway/usage.ts'
import { verbs } from './features/index.ts'
import { checkReadiness, commitOf } from './features/infra/index.ts'
import { refuseMissingKeys } from './features/infra/sealed-columns.ts'
import { countDue, longestDue } from './features/integrations/keep-healthy.ts'
import { createGateway } from './gateway/index.ts'
import { createWebhookSender, type WebhookSenderOptions } from './gateway/post-webhook.ts'
import { consumeLimits, countBadCredentials } from './http/limits.ts'
import { watchOverload } from './http/overload.ts'
import { createServer } from './http/server.ts'
import { createIdentity } from './identity/index.ts'
import { createNotices } from './jobs/notices.ts'
import { createJobs, jobsLoad } from './jobs/queue.ts'
import { createLog, type Log } from './log.ts'
import { putInMailbox, readMailbox } from './mail/mailbox.ts'
import { mailboxTransport, smtpTransport, type Transport } from './mail/transport.ts'
import { createMetrics, serveMetrics, watchCheckpoints, watchChecks, watchHealth, watchLoad, watchQuotas } from './metrics.ts'
import { createHttp } from './providers/http.ts'
import { createVendorSessions } from './providers/vendor-sessions.ts'
import { developmentKeyRing, parseKeyRing } from './vault/key-ring.ts'
import { createVault } from './vault/seal.ts'
import { loadSecrets, type Secrets } from './vault/tokens.ts'

export interface App {
  readonly parts: Parts
  /** Where it listens, for those on this machine. */
  readonly url: string
  readonly metricsPort: number | undefined
  stop(): Promise<void>
}

export interface AppOptions {
  log?: Log
  /** Every statement's text, as it is sent: what the tests count and read. */
  onStatement?: (text: string) => void
  /** Twins that several processes share; without it a process in development has its own. */
  sandbox?: RunningSandbox
  /** How long an ad system may take in all. */
  vendorMs?: number
  /** How events reach the servers of tenants. */
  webhooks?: WebhookSenderOptions
  /**
   * How late the event loop may be before requests are shed;
   * where others keep the machine busy, it says nothing of our load.
   */
  maxLagMs?: number
}

type RunningSandbox = { url: string; visit?: Development['twins']; close(): Promise<void> }

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Between "not ready" and "not listening": the time a balancer takes to notice. */
const NOTICE_MS = 3000

export async function startApp(config: Config, options: AppOptions = {}): Promise<App> {
  const log = options.log ?? createLog(config.logLevel, config.environment)
  // What is opened is closed in reverse, after a stop and after a start that failed half-way alike.
  const opened: (() => unknown)[] = []
  const close = async () => {
    while (opened.length) await opened.pop()!()
  }
  try {
    return await open(config, options, log, opened, close)
  } catch (error) {
    await close()
    throw error
  }
}

async function open(config: Config, options: AppOptions, log: Log, opened: (() => unknown)[], close: () => Promise<void>): Promise<App> {
  const vault = createVault(config.sealKeys ?? parseKeyRing(developmentKeyRing(config.dataDir)))
  const connected = await connectDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    max: config.databasePool,
    prepare: config.databasePrepare,
    sharesFactor: config.roles.api ? config.limitsFactor : undefined,
    onStatement: options.onStatement,
    log,
  })
  const { db } = connected
  opened.push(connected.close)
  const { applied } = await migrate(connected.connection)
  if (applied.length) log.info({ applied }, 'database schema updated')
  await refuseMissingKeys(db, vault)
  const secrets = await loadSecrets(db.query, vault)

  const jobs = createJobs(vault)
  const notices = createNotices({ db, log }, config.limitsFactor)
  opened.push(notices.stop)
  const metrics = createMetrics()
  const gateway = createGateway({ forbidden: inTransaction }, metrics.gateway)
  opened.push(gateway.close)
  const webhooks = createWebhookSender({ forbidden: inTransaction, ...options.webhooks })
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
    identity: createIdentity(config),
    gateway,
    webhooks,
    usage,
    toolUsage,
    quota,
    vendorSessions: createVendorSessions({
      environment: config.providerSettings,
      http: createHttp({ forbidden: inTransaction, observe: metrics.vendorCall }),
      // A process's own twins show themselves under its own address: no other could be forwarded along.
      ...(sandbox && { sandbox: { url: sandbox.url, publicUrl: sandbox.visit ? config.publicUrl : sandbox.url } }),
      ...(options.vendorMs && { totalMs: options.vendorMs }),
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
  watchQuotas(metrics, () => quotasToday(parts))
  watchCheckpoints(metrics, () => checkpointAge(parts))
  opened.push(watchFreezes(parts).stop)
  const transport = transportOf(parts)
  opened.push(transport.close)
  const background = config.roles.jobs ? startBackground(parts, jobs, transport, metrics) : undefined
  if (background) opened.push(background.stop)
  watchChecks(
    metrics,
    () => countDue(parts),
    () => longestDue(parts),
    () => background?.checksRunning() ?? 0,
  )

  const lastUse = trackLastUse(db, log)
  opened.push(lastUse.stop)
  const overload = watchOverload(db, options.maxLagMs)
  opened.push(overload.stop)
  watchLoad(
    metrics,
    db,
    () => overload.inFlight,
    () => jobsLoad(db.query),
  )

  let draining = false
  const probe = { draining: () => draining, mailer: () => transport.healthy(), jobs: () => background?.healthy() ?? true }
  watchHealth(metrics, () => checkReadiness(parts, probe))
  const build = buildInfo(config)
  const kernel = {
    parts,
    version: build.version,
    verbs: verbs(probe, build),
    lastUse,
    countBadCredential: countBadCredentials(config.limitsFactor),
  }
  const server = createServer(kernel, servedOperations(config), overload, metrics)
  opened.push(() => server.app.close())
  // `localhost` would become two servers, of which the framework makes the second without asking us.
  await server.app.listen({ port: config.port, host: config.host === 'localhost' ? '127.0.0.1' : config.host })
  const metricsServer =
    config.metricsPort === undefined ? undefined : await serveMetrics(metrics, { ...config, metricsPort: config.metricsPort }, log)
  if (metricsServer) opened.push(metricsServer.close)

  const { port } = server.app.server.address() as AddressInfo
  return {
    parts,
    url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
    metricsPort: metricsServer?.port,
    async stop() {
      draining = true
      server.drain()
      if (config.environment === 'production') await sleep(NOTICE_MS)
      await close()
    },
  }
}

const transportOf = (parts: Parts): Transport =>
  parts.config.smtpUrl
    ? smtpTransport({ ...parts.config, smtpUrl: parts.config.smtpUrl })
    : mailboxTransport((to, mail) => putInMailbox(parts, to, mail))

/** Imported by name, and never in production, whose image does not even hold the file. */
async function startSandbox(config: Config, secrets: Secrets): Promise<RunningSandbox> {
  const { createSandbox } = await import('./sandbox/index.ts')
  const { visit, listen } = createSandbox({
    secret: secrets.lookup('sandbox', 'twins').toString('base64url'),
    environment: config.environment,
    redirectUri: config.publicUrl + CALLBACK,
  })
  return { visit, ...(await listen()) }
}

/** A process that only does jobs still says how it is. */
const servedOperations = ({ roles }: Config) => operationIds.filter((id) => roles.api || groupOf(id) === 'infra')

function buildInfo({ build: { commit, builtAt } }: Config) {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  return { version, commit: commit ?? commitOf(join(ROOT, '.git')), builtAt: builtAt ?? null }
}
