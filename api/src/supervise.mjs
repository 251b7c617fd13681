// `npm start` and the image: starts the service, and starts it again when it has crashed or hangs.
// What fails to start at all is for its operator to mend, so that ends this too.
// Plain JavaScript with few imports: it costs its share of memory for as long as the service runs.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { createBackOff, killAfter, STOP_WITHIN_MS, watchHeartbeat } from './heartbeat.mjs'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))

// A full disk, or a reader that has gone away, costs a line of ours and nothing else.
process.stderr.on('error', () => {})

const nextWait = createBackOff()
let service
let waiting
let hasBeenReady = false
let stopping = false

function start() {
  const began = performance.now()
  service = spawn(process.execPath, [...process.execArgv, MAIN], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  service.once('message', () => {
    hasBeenReady = true
  })
  let hung = false
  watchHeartbeat(service, (seconds) => {
    hung = true
    process.stderr.write(`\nAdjoin has not responded for ${seconds} s. Ending it.\n`)
  })
  const ended = (code, signal) => {
    if (stopping || !hasBeenReady || (code === 0 && !hung)) process.exit(code ?? 128 + constants.signals[signal])
    const wait = nextWait(performance.now() - began)
    process.stderr.write(`\nAdjoin stopped unexpectedly (${signal ?? `exit code ${code}`}). Starting it again in ${wait / 1000} s.\n`)
    waiting = setTimeout(start, wait)
  }
  service.once('exit', ended)
  service.once('error', () => {
    // The machine has no room for a process; it may have in a moment.
    if (service.pid === undefined) ended(1, null)
  })
}

function superviseOne() {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'])
    process.on(signal, () => {
      const lives = service.exitCode === null && service.signalCode === null
      if (lives && !stopping) killAfter(service, STOP_WITHIN_MS)
      stopping = true
      if (lives) return void service.kill(signal)
      clearTimeout(waiting)
      process.exit(0)
    })
  start()
}

/** Whether WORKERS is set at all; what it must be, the configuration knows. */
function hasWorkers() {
  const { WORKERS, WORKERS_FILE } = existsSync('.env') ? { ...parseEnv(readFileSync('.env', 'utf8')), ...process.env } : process.env
  return Boolean(WORKERS?.trim() || WORKERS_FILE)
}

if (hasWorkers()) await (await import('./processes/primary.ts')).runProcesses()
else superviseOne()
