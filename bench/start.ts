// `npm start` as a person types it, on a folder that was started on before:
// how long until it answers, and what it holds when nobody asks.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { delimiter } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../furnishing/free-port.ts'
import { removeScratch, scratchFolder } from '../proof/scratch.ts'
import type { Measure } from './measure.ts'
import { median } from './sides.ts'

const STARTS = 7
const IDLE_STARTS = 3
const IDLE_SECONDS = 5
const PATIENCE_MS = 60_000
const ROOT = fileURLToPath(new URL('..', import.meta.url))

export async function* start(): AsyncIterable<Measure> {
  const folder = scratchFolder()
  try {
    yield { what: 'the first one on an empty folder', numbers: { seconds: (await startOnce(folder)).seconds } }
    const starts: StartFigures[] = []
    for (let i = 0; i < STARTS; i++) starts.push(await startOnce(folder, i < IDLE_STARTS ? IDLE_SECONDS : 0))
    const seconds = starts.map((started) => started.seconds)
    yield {
      what: `npm start to the first 200, ${STARTS} times`,
      numbers: { seconds: median(seconds), slowest: Math.max(...seconds) },
      bars: { seconds: { most: 5 } },
    }
    const idle = starts.slice(0, IDLE_STARTS)
    yield {
      what: `the API process after ${IDLE_SECONDS} s without a request, and the one that starts it again after a crash`,
      numbers: {
        megabytes: median(idle.map(({ megabytes }) => megabytes)),
        most: Math.max(...idle.map(({ megabytes }) => megabytes)),
        supervisor: median(idle.map(({ supervisor }) => supervisor)),
      },
      bars: { megabytes: { most: 180 } },
    }
  } finally {
    removeScratch(folder)
  }
}

interface StartFigures {
  readonly seconds: number
  readonly megabytes: number
  /** Megabytes of its own: it shares the program itself with the service. */
  readonly supervisor: number
}

async function startOnce(dataDir: string, idleSeconds = 0): Promise<StartFigures> {
  const port = String(await freePort())
  const began = performance.now()
  const npm = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { PATH: plainPath(), HOME: process.env.HOME, DATA_DIR: dataDir, PORT: port },
    stdio: 'ignore',
    detached: true, // a group of its own, so that it can be ended whole
  })
  const ended = once(npm, 'exit')
  const end = () => void process.kill(-npm.pid!, 'SIGKILL')
  // An interrupted bench leaves nothing behind; its folder is removed after it.
  process.prependListener('exit', end)
  try {
    await answering(npm, `http://127.0.0.1:${port}/health`)
    const seconds = Math.round(performance.now() - began) / 1000
    await sleep(idleSeconds * 1000)
    const supervisor = childOf(npm.pid!)
    return { seconds, megabytes: residentMegabytes(childOf(supervisor)), supervisor: ownMegabytes(supervisor) }
  } finally {
    npm.kill('SIGTERM')
    await ended
    process.off('exit', end)
  }
}

async function answering(npm: ChildProcess, url: string): Promise<void> {
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await sleep(10)) {
    if (npm.exitCode !== null || npm.signalCode !== null) throw new Error('npm start ended before it answered')
    if ((await fetch(url).catch(() => undefined))?.status === 200) return
  }
  throw new Error('npm start did not answer')
}

/** Without what `npm run bench` has put in front of it: a person's shell finds the machine's own Node. */
const plainPath = () =>
  process.env
    .PATH!.split(delimiter)
    .filter((folder) => !/node_modules|node-gyp-bin/.test(folder))
    .join(delimiter)

/**
 * npm's only child by then is the supervisor, since the script that
 * starts it makes way for it, and the supervisor's is the service.
 */
const childOf = (pid: number) => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim())

const ownMegabytes = (pid: number) => Math.round(Number(/Pss:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))![1]) / 1024)

const residentMegabytes = (pid: number) => Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024)
