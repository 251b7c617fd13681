// Start, say where, and stop when told to.
import { type App, type AppOptions, startApp } from './app.ts'
import { environmentWithFile, readConfig } from './config.ts'
import { couldNotStart, greeting } from './greeting.ts'
import { BEAT_MS } from './heartbeat.mjs'

const FORCED_AFTER_MS = 2000
const STOP_WITHIN_MS = 20_000
/** Of one process among several: connections that are silent may stay open for a while before they are closed. */
const RETIRE_WITHIN_MS = 30_000

export async function run(options: AppOptions = {}): Promise<void> {
  const { worker } = options
  const stopping = new AbortController()
  try {
    const config = readConfig(environmentWithFile())
    const starting = startApp(config, { ...options, signal: stopping.signal })
    const stop = async () => {
      stopping.abort()
      const app = await starting.catch(() => undefined) // a start that was interrupted has closed what it opened
      await app?.stop()
    }
    stopOnSignal(stop, worker ? ['SIGTERM', 'SIGINT'] : ['SIGTERM', 'SIGINT', 'SIGHUP'])
    const app = await starting
    if (stopping.signal.aborted) return
    if (worker) obeyPrimary(app)
    reportToSupervisor()
    if (config.environment === 'production') app.parts.log.info({ url: app.url }, 'Adjoin is ready')
    else if (!worker) process.stdout.write(greeting(config))
  } catch (error) {
    if (stopping.signal.aborted) return
    process.stderr.write(couldNotStart(error))
    process.exitCode = 1
    // Whatever was half open must not keep a failed start alive.
    setTimeout(() => process.exit(1), 500).unref()
  }
}

/** From `ready` on, an end that nobody asked for is a crash, and silence a process that hangs. */
function reportToSupervisor(): void {
  if (!process.send) return
  const say = (what: string) => {
    if (process.connected) process.send!(what, undefined, undefined, () => {})
  }
  say('ready')
  setInterval(say, BEAT_MS, 'alive').unref()
}

function obeyPrimary({ retire, metricsPage }: App): void {
  process.on('SIGHUP', () => {}) // the terminal tells everybody; what it means, the primary decides
  process.on('message', async (message: { retire?: true; metrics?: number }) => {
    if (message.metrics !== undefined) {
      const page = await metricsPage().catch(() => undefined)
      if (process.connected) process.send!({ metrics: message.metrics, page }, undefined, undefined, () => {})
    }
    if (message.retire) endAfter(retire, RETIRE_WITHIN_MS)
  })
}

function endAfter(stop: () => Promise<void>, withinMs: number): void {
  setTimeout(() => process.exit(1), withinMs).unref()
  stop().then(
    () => process.exit(0),
    () => process.exit(1),
  )
}

/** npm passes a signal on and so does the terminal: it arrives twice. Only a later one means "now". */
function stopOnSignal(stop: () => Promise<void>, signals: readonly NodeJS.Signals[]): void {
  let asked = 0
  const onSignal = () => {
    if (asked && Date.now() - asked > FORCED_AFTER_MS) process.exit(1)
    if (asked) return
    asked = Date.now()
    endAfter(stop, STOP_WITHIN_MS)
  }
  for (const signal of signals) process.on(signal, onSignal)
  process.on('disconnect', onSignal) // the supervisor was killed: nobody could stop us any more
}
