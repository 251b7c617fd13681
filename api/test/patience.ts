// For what is not about waiting: a machine that stands still for seconds makes nothing wrong.
import type { Timeouts } from '../src/db/timeouts.ts'

export const PATIENT: Timeouts = {
  connect: 60_000,
  query: 120_000,
  statement: 60_000,
  lock: 60_000,
  idleInTransaction: 60_000,
  request: 120_000,
}

/** The same for a program of its own, and for those that it starts: to be part of its environment. */
export const PATIENT_PROGRAM = { NODE_OPTIONS: `--import=${new URL('./patient-program.ts', import.meta.url)}` }
