// `npm start` and the image: starts the service, and starts it again when it has crashed.
// What fails to start at all is for its operator to
// mend, so that ends this too. Plain JavaScript with one import:
// it costs its share of memory for as long as the service runs.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 30_000
/** Whoever has run for this long has not crashed at once: the next wait is a short one again. */
const STEADY_MS = 60_000

/** What does not say anything for so long is stuck: its event loop is blocked, and no signal but the last one reaches it. */
const SILENT_SECONDS = 20
const GRACE_SECONDS = 10

let service
let silent = 0
let waiting
let wait = FIRST_WAIT_MS
let hasBeenReady = false
let stopping = false

function start() {
  const began = performance.now()
  service = spawn(process.execPath, [...process.execArgv, MAIN], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  silent = 0
  service.on('message', () => {
    hasBeenReady = true
    silent = 0
  })
  const ended = (code, signal) => {
    if (stopping || !hasBeenReady || code === 0) process.exit(code ?? 128 + constants.signals[signal])
    if (performance.now() - began > STEADY_MS) wait = FIRST_WAIT_MS
    process.stderr.write(`\nAdjoin stopped unexpectedly (${signal ?? `exit code ${code}`}). Starting it again in ${wait / 1000} s.\n`)
    waiting = setTimeout(start, wait)
    wait = Math.min(wait * 2, LONGEST_WAIT_MS)
  }
  service.once('exit', ended)
  service.once('error', () => {
    // The machine has no room for a process; it may have in a moment.
    if (service.pid === undefined) ended(1, null)
  })
}

/** Counted in looks, not by the clock: whoever was suspended together with the service has not waited for it. */
function look() {
  if (!hasBeenReady || service.exitCode !== null || service.signalCode !== null) return
  silent++
  if (silent === SILENT_SECONDS)
    process.stderr.write(`\nAdjoin has not responded for ${SILENT_SECONDS} s. It is ended in ${GRACE_SECONDS} s unless it does.\n`)
  if (silent >= SILENT_SECONDS + GRACE_SECONDS) service.kill('SIGKILL')
}
// Somebody with a debugger stops it for as long as they like.
if (!process.execArgv.some((argument) => argument.startsWith('--inspect'))) setInterval(look, 1000).unref()

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'])
  process.on(signal, () => {
    stopping = true
    if (service.exitCode === null && service.signalCode === null) return void service.kill(signal)
    clearTimeout(waiting)
    process.exit(0)
  })

start()
