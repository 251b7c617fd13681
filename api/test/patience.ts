// For what is not about waiting: a machine that stands still for seconds makes nothing wrong.
import type { Timeouts } from '../src/db/timeouts.ts'
import type { Waits } from '../src/waits.ts'

/** How long a service waits for its database and for others; what a test is about, it says itself. */
export interface Patience {
  timeouts?: Partial<Timeouts>
  waits?: Partial<Waits>
}

export const PATIENT: Timeouts = {
  start: 300_000,
  connect: 300_000,
  query: 600_000,
  statement: 300_000,
  lock: 300_000,
  idleInTransaction: 300_000,
  request: 600_000,
}

export const PATIENT_WAITS: Waits = {
  vendor: 300_000,
  vendorConnect: 300_000,
  identity: 300_000,
  webhook: 300_000,
  webhookConnect: 300_000,
  requestHead: 300_000, // no more than Node’s own time for a request, unless it is told
  request: 300_000,
  lag: Number.POSITIVE_INFINITY, // where others keep the machine busy, it says nothing of our load
}

/** The same for a program of its own, and for those that it starts: to be part of its environment. */
export const PATIENT_PROGRAM = { NODE_OPTIONS: `--import=${new URL('./patient-program.ts', import.meta.url)}` }
