// One place among the processes of an installation, such as `api-1`: filled again when its process ends, and handed
// over from one process to the next without losing a request.
import cluster, { type Worker } from 'node:cluster'
import { fileURLToPath } from 'node:url'
import { createBackOff, killAfter, STOP_WITHIN_MS, watchHeartbeat } from '../heartbeat.mjs'
import type { Log } from '../log.ts'

export interface Member {
  readonly name: string
  /** Its process, while that is ready. */
  readonly worker: Worker | undefined
  /** How often its process ended although nobody asked. */
  readonly restarts: number
  /** The first start of all must succeed: undefined when it is ready, or the code that its process ended with. */
  startOnce(): Promise<number | undefined>
  /** Until it is ready, or has failed for the first time; it is then tried again. */
  start(): Promise<boolean>
  /** Starts another process and, when that is ready, ends the one before. False if it could not start. */
  replace(): Promise<boolean>
  /** Every process of it, also one that is being replaced; the highest code that they ended with. */
  stop(signal: NodeJS.Signals): Promise<number>
}

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))
/** More than a process takes to retire: it waits for its connections, and then for what is in progress. */
const RETIRE_WITHIN_MS = 32_000

interface Running {
  readonly worker: Worker
  readonly ready: Promise<boolean>
  readonly ended: Promise<number>
  isReady: boolean
}

export function createMember(name: string, env: Record<string, string>, log: Log): Member {
  const running = new Set<Running>()
  const nextWait = createBackOff()
  let holder: Running | undefined
  let restarts = 0
  let waiting: NodeJS.Timeout | undefined
  let stopping = false

  const launch = (): Running => {
    const began = performance.now()
    cluster.setupPrimary({ exec: MAIN, args: [name] })
    const worker = cluster.fork(env)
    const child = worker.process
    const about = { worker: name, pid: child.pid }
    const { promise: ready, resolve: decide } = Promise.withResolvers<boolean>()
    const { promise: ended, resolve: end } = Promise.withResolvers<number>()
    const one: Running = { worker, ready, ended, isReady: false }
    running.add(one)
    child.once('message', () => {
      one.isReady = true
      log.info(about, 'process started')
      decide(true)
    })
    watchHeartbeat(child, (seconds) => log.error({ ...about, seconds }, 'process does not respond, ending it'))
    const onEnd = (code: number | null, signal: NodeJS.Signals | null) => {
      running.delete(one)
      decide(false)
      end(code ?? (stopping && signal !== 'SIGKILL' ? 0 : 1))
      if (stopping || holder !== one) return
      holder = undefined
      restarts++
      const waitMs = nextWait(performance.now() - began)
      log.error({ ...about, code, signal, waitMs }, 'process stopped unexpectedly, starting it again')
      waiting = setTimeout(fill, waitMs)
    }
    worker.once('exit', onEnd)
    // The machine has no room for a process; it may have in a moment.
    worker.on('error', () => child.pid === undefined && onEnd(1, null))
    return one
  }

  /** Whatever holds the place is started again, also when it ends before it is ready. */
  const fill = (): Promise<boolean> => {
    holder = launch()
    return holder.ready
  }

  return {
    name,
    get worker() {
      return holder?.isReady ? holder.worker : undefined
    },
    get restarts() {
      return restarts
    },
    async startOnce() {
      const first = launch()
      if (!(await first.ready)) return first.ended
      holder = first
      return undefined
    },
    start: fill,
    async replace() {
      const next = launch()
      if (!(await next.ready)) return false
      clearTimeout(waiting) // it ended by itself meanwhile
      const before = holder
      holder = next
      log.info({ worker: name, pid: next.worker.process.pid, before: before?.worker.process.pid }, 'process replaced')
      if (before) await retire(before)
      return true
    },
    async stop(signal) {
      stopping = true
      clearTimeout(waiting)
      const codes = [...running].map(({ worker, ended }) => {
        killAfter(worker.process, STOP_WITHIN_MS)
        worker.process.kill(signal)
        return ended
      })
      return Math.max(0, ...(await Promise.all(codes)))
    },
  }
}

async function retire({ worker, ended }: Running): Promise<void> {
  if (worker.isConnected()) worker.send({ retire: true }, () => {})
  killAfter(worker.process, RETIRE_WITHIN_MS)
  await ended
}
