// For what is not about waiting: a machine that stands still for seconds makes nothing wrong.
import type { Timeouts } from '../src/db/timeouts.ts'
import type { Waits } from '../src/waits.ts'

/** How long a service waits for its database and for others; what a test is about, it says itself. */
export interface Patience {
  timeouts?: Partial<Timeouts>
  waits?: Partial<Waits>
}

export const PATIENT: Timeouts = {
  connect: 60_000,
  query: 120_000,
  statement: 60_000,
  lock: 60_000,
  idleInTransaction: 60_000,
  request: 120_000,
}

export const PATIENT_WAITS: Waits = {
  vendor: 60_000,
  vendorConnect: 60_000,
  identity: 60_000,
  webhook: 60_000,
  webhookConnect: 60_000,
  requestHead: 120_000,
  request: 120_000,
  lag: Number.POSITIVE_INFINITY, // where others keep the machine busy, it says nothing of our load
}

/** The same for a program of its own, and for those that it starts: to be part of its environment. */
export const PATIENT_PROGRAM = { NODE_OPTIONS: `--import=${new URL('./patient-program.ts', import.meta.url)}` }
