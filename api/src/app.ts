// The one composition root: every part is built here, by hand, and handed to those who need it.
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { groupOf, operationIds } from '@adjoin/contract'
import { trackLastUse } from './access/last-use.ts'
import type { Development, Parts } from './call.ts'
import type { Config } from './config.ts'
import { connectDatabase } from './db/connect.ts'
import { migrate } from './db/migrate.ts'
import { inTransaction } from './db/pool.ts'
import { noteExpiries } from './features/audit/note-expiries.ts'
import { mailSignIn } from './features/auth/mail-sign-in.ts'
import { CALLBACK } from './features/connect/start-connect-oauth.ts'
import { watchFreezes } from './features/gateway/freeze-watch.ts'
import { keepAccounts } from './features/gateway/keep-accounts.ts'
import { quotasToday, shareQuota } from './features/gateway/shared-quota.ts'
import { countUsage } from './features/gateway/usage.ts'
import { verbs } from './features/index.ts'
import { checkReadiness, commitOf } from './features/infra/index.ts'
import { refuseMissingKeys } from './features/infra/sealed-columns.ts'
import { sweep } from './features/infra/sweep.ts'
import { countDue, keepHealthy, longestDue } from './features/integrations/keep-healthy.ts'
import { mailDigests } from './features/integrations/mail-digests.ts'
import { mailJoins } from './features/organizations/announce-joins.ts'
import { closePublicDomains } from './features/organizations/close-public-domains.ts'
import { keepDays } from './features/overview/organization-health.ts'
import { dispatchWebhooks } from './features/webhooks/dispatch.ts'
import { createGateway } from './gateway/index.ts'
import { createWebhookSender, type WebhookSenderOptions } from './gateway/post-webhook.ts'
import { consumeLimits, countBadCredentials } from './http/limits.ts'
import { watchOverload } from './http/overload.ts'
import { createServer } from './http/server.ts'
import { createIdentity } from './identity/index.ts'
import { createNotices } from './jobs/notices.ts'
import { createJobs, type JobHandlers, jobsLoad } from './jobs/queue.ts'
import { type Runner, runJobs } from './jobs/runner.ts'
import { createLog, type Log } from './log.ts'
import { putInMailbox, readMailbox } from './mail/mailbox.ts'
import { mailboxTransport, smtpTransport, type Transport } from './mail/transport.ts'
import { createMetrics, type Metrics, serveMetrics, watchChecks, watchHealth, watchLoad, watchQuotas } from './metrics.ts'
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
  opened.push(watchFreezes(parts).stop)
  const transport = transportOf(parts)
  opened.push(transport.close)
  const runner = config.roles.jobs ? startJobs(parts, jobs, transport, metrics) : undefined
  if (runner) opened.push(runner.stop)
  const keeper = config.roles.jobs ? keepHealthy(parts, { observe: metrics.check }) : undefined
  if (keeper) opened.push(keeper.stop)
  if (config.roles.jobs) opened.push(keepAccounts(parts).stop)
  if (config.roles.jobs) opened.push(dispatchWebhooks(parts).stop)
  if (keeper)
    watchChecks(
      metrics,
      () => countDue(parts),
      () => longestDue(parts),
      keeper.running,
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
  const probe = { draining: () => draining, mailer: () => transport.healthy(), jobs: () => runner?.healthy() ?? true }
  watchHealth(metrics, () => checkReadiness(parts, probe))
  const kernel = {
    parts,
    verbs: verbs(probe, buildInfo(config)),
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

function startJobs(parts: Parts, jobs: ReturnType<typeof createJobs>, transport: Transport, metrics: Metrics): Runner {
  const jobHandlers: JobHandlers = {
    'mail.send': async ({ to, until, ...mail }, { id, now }) => {
      if (until && new Date(until) <= now) parts.log.warn({ job: id }, 'email not sent: its link has expired')
      else await transport.deliver(to, mail, id)
    },
    'sign_in.mail': mailSignIn(parts),
    'joins.mail': mailJoins(parts),
  }
  const schedules = {
    sweep: { seconds: 600, run: () => sweep(parts) },
    digests: { seconds: 900, run: () => mailDigests(parts) },
    days: { seconds: 900, run: () => keepDays(parts) },
    expiries: { seconds: 60, run: () => noteExpiries(parts) },
    publicDomains: { seconds: 86_400, run: () => closePublicDomains(parts) },
  }
  return runJobs({ ...parts, jobs, handlers: jobHandlers, schedules, observe: metrics.job })
}

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
