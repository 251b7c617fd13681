import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from './db/pool.ts'

export interface Metrics {
  request(route: string, method: string, status: number, seconds: number): void
  /** A call to an ad system, as it was answered. */
  vendorCall(call: { provider: string; status: number | string; ms: number }): void
  /** What became of one run of a job. */
  job(kind: string, outcome: 'done' | 'retried' | 'given_up'): void
  /** A finished background check. */
  check(outcome: string, provider: string, seconds: number): void
  /** Audit checkpoints that were written to their place, and runs that could not. */
  checkpoints(outcome: 'written' | 'failed', count: number): void
  /** Refused or cut, because somebody asked too much. */
  shed(share: string): void
  /** Calls of programs, what was refused to them, and secrets that were masked in answers. */
  readonly gateway: {
    called(provider: string, effect: string, outcome: string): void
    refused(provider: string, code: string): void
    scrubbed(provider: string, secrets: number): void
  }
  readonly registry: Registry
}

export interface JobsLoad {
  readonly pending: number
  readonly late: number
}

/** `name` tells the processes of one installation apart, where there are several. */
export function createMetrics(name?: string): Metrics {
  const registry = new Registry()
  if (name) registry.setDefaultLabels({ process: name })
  collectDefaultMetrics({ register: registry })
  // Gauges under the name of counters: the same, by type, is in those without `_total`.
  for (const what of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${what}_total`)
  const requests = new Counter({
    name: 'adjoin_requests_total',
    help: 'Answered requests',
    labelNames: ['route', 'method', 'status'],
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'adjoin_request_seconds',
    help: 'Response time',
    labelNames: ['route'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const vendor = new Histogram({
    name: 'adjoin_vendor_call_seconds',
    help: 'Calls to ad systems, by response',
    labelNames: ['provider', 'status'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const checks = new Histogram({
    name: 'adjoin_check_seconds',
    help: 'Background checks of integrations, by outcome',
    labelNames: ['provider', 'outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  const jobs = new Counter({
    name: 'adjoin_jobs_total',
    help: 'Runs of jobs in this process, by outcome: done, retried, given_up',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  })
  const shed = new Counter({
    name: 'adjoin_shed_total',
    help: 'Refused or closed because one client sent too much (address, caller, organization, connections, pipelining, unread), or all together (load)',
    labelNames: ['share'],
    registers: [registry],
  })
  const checkpoints = new Counter({
    name: 'adjoin_audit_checkpoints_total',
    help: 'Signed checkpoints written outside the database (written), and runs that could not (failed)',
    labelNames: ['outcome'],
    registers: [registry],
  })
  for (const outcome of ['written', 'failed']) checkpoints.inc({ outcome }, 0)
  // Found by one name: otherwise the labels would be sorted and joined again for every request.
  const requestsOf = new Map<string, { requests: Counter.Internal; seconds: Histogram.Internal<'route'> }>()
  return {
    registry,
    checkpoints: (outcome, count) => checkpoints.inc({ outcome }, count),
    gateway: gatewayCounters(registry),
    shed: (share) => shed.inc({ share }),
    job: (kind, outcome) => jobs.inc({ kind, outcome }),
    vendorCall: ({ provider, status, ms }) => vendor.observe({ provider, status }, ms / 1000),
    check: (outcome, provider, took) => checks.observe({ provider, outcome }, took),
    request(route, method, status, took) {
      const key = `${method} ${route} ${status}`
      let of = requestsOf.get(key)
      if (!of) {
        of = { requests: requests.labels({ route, method, status }), seconds: seconds.labels({ route }) }
        requestsOf.set(key, of)
      }
      of.requests.inc()
      of.seconds.observe(took)
    },
  }
}

/** Providers, effects, outcomes and codes are words of ours: callers cannot add to them. */
function gatewayCounters(registry: Registry): Metrics['gateway'] {
  const counter = (name: string, help: string, ...labelNames: string[]) => new Counter({ name, help, labelNames, registers: [registry] })
  const calls = counter('adjoin_gateway_calls_total', 'Calls of programs to ad systems', 'provider', 'effect', 'outcome')
  const refused = counter('adjoin_gateway_refused_total', 'Calls that the gateway refused, by problem code', 'provider', 'code')
  const scrubbed = counter('adjoin_gateway_scrubbed_total', 'Secrets masked in answers of ad systems', 'provider')
  return {
    called: (provider, effect, outcome) => calls.inc({ provider, effect, outcome }),
    refused: (provider, code) => refused.inc({ provider, code }),
    scrubbed: (provider, secrets) => scrubbed.inc({ provider }, secrets),
  }
}

/** What is under way and what waits. */
export function watchLoad(metrics: Metrics, db: Database, inFlight: () => number, jobs: () => Promise<JobsLoad>): void {
  watch(metrics, 'adjoin_requests_in_flight', 'Requests in progress', inFlight)
  watch(metrics, 'adjoin_database_connections', 'Open connections', () => db.load().total)
  watch(metrics, 'adjoin_database_waiting', 'Callers waiting for a connection', () => db.load().waiting)
  watch(metrics, 'adjoin_jobs_pending', 'Jobs that are due or scheduled, over all processes', async () => (await jobs()).pending)
  watch(metrics, 'adjoin_jobs_late_seconds', 'How long the oldest due job has waited', async () => (await jobs()).late)
}

export const watchLog = (metrics: Metrics, dropped: () => number): void => {
  new Counter({
    name: 'adjoin_log_lines_dropped_total',
    help: 'Log lines that a full disk or a reader that is gone did not take',
    registers: [metrics.registry],
    collect() {
      this.reset()
      this.inc(dropped())
    },
  })
}

/** What `/health` says, for those who watch many processes at once. */
export function watchHealth(metrics: Metrics, checks: () => Promise<Record<string, string>>): void {
  new Gauge({
    name: 'adjoin_health',
    help: 'The checks of /health: 1 is ok, 0 is not',
    labelNames: ['check'],
    registers: [metrics.registry],
    async collect() {
      for (const [check, state] of Object.entries(await checks())) this.set({ check }, state === 'ok' ? 1 : 0)
    },
  })
}

/** What the keeper of integrations has before it, and how much of it is under way here. */
export function watchChecks(metrics: Metrics, due: () => Promise<number>, late: () => Promise<number>, running: () => number): void {
  watch(metrics, 'adjoin_checks_due', 'Integrations waiting for a check or a renewal, over all processes', due)
  watch(metrics, 'adjoin_checks_late_seconds', 'How long the oldest due check has waited', late)
  watch(metrics, 'adjoin_checks_running', 'Checks and renewals in progress in this process', running)
}

/** Of every process: the one that writes them may be the one that is gone. */
export const watchCheckpoints = (metrics: Metrics, age: () => Promise<number>): void =>
  watch(metrics, 'adjoin_audit_checkpoint_age_seconds', 'How long the oldest audit entry without a written checkpoint has waited', age)

export interface QuotaState {
  readonly provider: string
  readonly calls: number
  readonly used: number
}

/** What the operator may call in a day, and how much of it programs have used, over all processes. */
export function watchQuotas(metrics: Metrics, read: () => Promise<readonly QuotaState[]>): void {
  const gauge = (name: string, help: string, value: (state: QuotaState) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['provider'],
      registers: [metrics.registry],
      async collect() {
        this.reset()
        for (const state of await read().catch(() => [])) this.set({ provider: state.provider }, value(state))
      },
    })
  gauge('adjoin_quota_daily_calls', 'Calls that an ad system allows in a day, where that is known', ({ calls }) => calls)
  gauge('adjoin_quota_used_calls', 'Calls of programs on its current day, over all processes', ({ used }) => used)
}

/** Read when asked for; not a number while the database is away. */
function watch(metrics: Metrics, name: string, help: string, value: () => number | Promise<number>): void {
  new Gauge({
    name,
    help,
    registers: [metrics.registry],
    async collect() {
      this.set(await Promise.resolve(value()).catch(() => Number.NaN))
    },
  })
}
