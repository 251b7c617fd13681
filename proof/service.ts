// A real service in a process of its own, on its own folder:
// started, killed and started again as an operator, or fate, would.
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../furnishing/free-port.ts'
import { killDatabaseIn, removeScratch, scratchFolder } from './scratch.ts'

const MAIN = fileURLToPath(new URL('../api/src/main.ts', import.meta.url))

/** Of what a service says, the last so many characters. */
const KEPT = 1_000_000

export interface Service {
  readonly url: string
  readonly dataDir: string
  /** Of the process that was started last. */
  pid(): number
  start(): void
  kill(signal: NodeJS.Signals): void
  /** Kills the PostgreSQL below it; the service has to notice and bring it back. */
  killDatabase(): void
  /** Milliseconds until it answers 200 on `/health`. */
  ready(withinMs?: number): Promise<number>
  /** Told to stop, as an operator would, or killed: what it ended with, null if by a signal. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  /** Everything it wrote to stdout and stderr. */
  output(): string
  remove(): Promise<void>
}

export async function createService(env: Record<string, string> = {}, main = MAIN): Promise<Service> {
  const dataDir = scratchFolder()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  let output = ''

  const start = () => {
    child = spawn(process.execPath, [main], {
      env: {
        PATH: process.env.PATH,
        PORT: String(port),
        DATA_DIR: dataDir,
        LOG_LEVEL: 'warn',
        LIMITS_FACTOR: '1000000',
        SANDBOX: 'false',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (chunk) => {
        output += chunk
        // Seldom: what reads beside a bench must cost next to nothing.
        if (output.length > 2 * KEPT) output = output.slice(-KEPT)
      })
  }
  const end = () => void child?.kill('SIGKILL')
  process.prependListener('exit', end) // before its folder is removed
  const ready = async (withinMs = 120_000) => {
    const began = performance.now()
    while (performance.now() - began < withinMs) {
      // Seconds are enough for an answer, unless the machine is busy: the longer this lasts, the longer each may take.
      const eachMs = Math.max(2000, Math.round((performance.now() - began) / 4))
      const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(eachMs) }).catch(() => undefined)
      if (answer?.status === 200) return Math.round(performance.now() - began)
      await sleep(20)
    }
    throw new Error(`the service was not ready within ${withinMs} ms:\n${output.slice(-2000)}`)
  }
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (!child) return null
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal)
      await new Promise((resolve) => child!.once('exit', resolve))
    }
    return child.exitCode
  }
  const remove = async () => {
    await stop()
    process.off('exit', end)
    removeScratch(dataDir)
  }
  return {
    url,
    dataDir,
    pid: () => child!.pid!,
    start,
    kill: (signal) => void child?.kill(signal),
    killDatabase: () => killDatabaseIn(dataDir),
    ready,
    stop,
    output: () => output,
    remove,
  }
}
