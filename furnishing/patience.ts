// For what is not about waiting: a machine that stands still for seconds makes nothing wrong.
import { DEFAULT_TIMEOUTS, type Timeouts } from '../api/src/db/timeouts.ts'

export const PATIENT: Timeouts = {
  connect: 60_000,
  query: 120_000,
  statement: 60_000,
  lock: 60_000,
  idleInTransaction: 60_000,
  request: 120_000,
}

/** For a process of its own: what is loaded before its program gives every pool that it opens this patience. */
export const bePatient = (): void => void Object.assign(DEFAULT_TIMEOUTS, PATIENT)
