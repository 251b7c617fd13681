// Start, say where, and stop when told to.
import { type AppOptions, startApp } from './app.ts'
import { type Config, ConfigurationError, environmentWithFile, readConfig } from './config.ts'

const ALIVE_EVERY_MS = 1000
const FORCED_AFTER_MS = 2000
const STOP_WITHIN_MS = 20_000

export async function run(options: AppOptions = {}): Promise<void> {
  try {
    const config = readConfig(environmentWithFile())
    const app = await startApp(config, options)
    stopOnSignal(app.stop)
    sayAlive() // to whoever supervises us: from now on an end that nobody asked for is a crash, and silence is one, too
    if (config.environment !== 'production') process.stdout.write(greeting(config))
    else app.parts.log.info({ url: app.url }, 'Adjoin is ready')
  } catch (error) {
    process.stderr.write(`\nAdjoin could not start.\n${sentence(error)}\n`)
    process.exitCode = 1
    // Whatever was half open must not keep a failed start alive.
    setTimeout(() => process.exit(1), 500).unref()
  }
}

function sayAlive(): void {
  if (!process.connected) return
  process.send!('alive', undefined, undefined, () => {}) // a supervisor that has just gone is noticed elsewhere
  setTimeout(sayAlive, ALIVE_EVERY_MS).unref()
}

function greeting(config: Config): string {
  const rows = [
    ['Portal', config.publicUrl],
    ...(config.smtpUrl ? [] : [['Mailbox', `${config.publicUrl}/dev/mailbox`]]),
    ['API', `${config.publicUrl}/docs`],
    ['Data', config.databaseUrl ? 'your PostgreSQL (DATABASE_URL)' : `${config.dataDir} (PostgreSQL runs inside)`],
  ]
  return `\n  Adjoin is ready. Ctrl-C stops it.\n\n${rows.map(([name, value]) => `  ${name!.padEnd(9)}${value}`).join('\n')}\n\n`
}

function sentence(error: unknown): string {
  if (error instanceof ConfigurationError) return error.message
  const { code, message, port } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE')
    return `Port ${port} is already in use by another program. Stop it, or choose another port: PORT=3001 npm start`
  return message ?? String(error)
}

/** npm passes a signal on and so does the terminal: it arrives twice. Only a later one means "now". */
function stopOnSignal(stop: () => Promise<void>): void {
  let asked = 0
  const onSignal = () => {
    if (asked && Date.now() - asked > FORCED_AFTER_MS) process.exit(1)
    if (asked) return
    asked = Date.now()
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal)
  process.on('disconnect', onSignal) // the supervisor was killed: nobody could stop us any more
}
