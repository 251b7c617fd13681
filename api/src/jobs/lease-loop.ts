// One loop for all work that is leased from a table:
// takes as much as there are places, runs each on its own, and naps when nothing is due.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../log.ts'
import { asSpan, type Tracer } from '../tracer.ts'

export interface LeaseLoop {
  /** Something may be due: look now instead of at the next tick. */
  wake(): void
  /** How much is under way. */
  running(): number
  /** False when no look has succeeded for a while. */
  healthy(): boolean
  /** Takes nothing more, and waits for what is under way. */
  stop(): Promise<void>
}

export interface LeaseLoopOptions<T> {
  /** How much may be under way at once. */
  readonly width: number
  /** Leases up to so many, and is asked again until there are none, or no places. */
  take(places: number): Promise<readonly T[]>
  /** Never rejects: what becomes of it is written there. */
  run(one: T): Promise<void>
  readonly idleMs?: number
  /** Each one that is run is a span, called so. */
  readonly tracer?: Tracer | undefined
  readonly spanName: (one: T) => string
  readonly log: Log
  /** What is said while the database is away. */
  readonly waits: string
}

const IDLE_MS = 1000
const HEALTHY_MS = 30_000

export function leaseLoop<T>(options: LeaseLoopOptions<T>): LeaseLoop {
  const { width, take, run, idleMs = IDLE_MS, tracer, spanName, log, waits } = options
  const running = new Set<Promise<void>>()
  let stopping = false
  let woken = false
  let nap = new AbortController()
  let lastRound = performance.now() // not by the clock on the wall, which may be set back

  const wake = () => {
    woken = true
    nap.abort()
  }
  const start = (one: T) => {
    const task: Promise<void> = asSpan(tracer, spanName(one), () => run(one)).finally(() => {
      running.delete(task)
      wake() // a place is free, and what it left behind may be due at once
    })
    running.add(task)
  }
  /** True: there may be more. */
  const round = async (): Promise<boolean> => {
    const places = width - running.size
    const taken = places > 0 ? await take(places) : []
    for (const one of taken) start(one)
    lastRound = performance.now()
    return taken.length > 0 && running.size < width
  }
  const loop = async () => {
    while (!stopping) {
      woken = false
      const more = await round().catch((error) => {
        log.warn({ err: error }, waits)
        woken = false // not at once again, whatever was committed
        return false
      })
      nap = new AbortController()
      if (!more && !woken && !stopping) await sleep(idleMs, undefined, { signal: nap.signal }).catch(() => {})
    }
  }
  const looping = loop()

  return {
    wake,
    running: () => running.size,
    healthy: () => performance.now() - lastRound < HEALTHY_MS,
    async stop() {
      stopping = true
      nap.abort()
      await looping
      await Promise.all(running)
    },
  }
}
