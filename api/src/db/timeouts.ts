// How long the server may be at something before it gives up, and how a connection tells it.

/** Milliseconds. The client's own patience is the longest, for the server that no longer answers at all. */
export interface Timeouts {
  /** For a server that is not there yet when we start. */
  start: number
  connect: number
  query: number
  statement: number
  lock: number
  idleInTransaction: number
  /**
   * All that one request may wait for the database: each statement has its time-out, but a slow database would still hold
   * a request for as many seconds as it has statements. With the longest wait that may follow the last moment of it (a
   * connection, then a statement) this stays below 15 s.
   */
  request: number
}

export const DEFAULT_TIMEOUTS: Timeouts = {
  start: 15_000,
  connect: 2000,
  query: 5000,
  statement: 4000,
  lock: 2000,
  idleInTransaction: 10_000,
  request: 7000,
}

/** For every statement of a connection. */
export const sessionTimeouts = ({ statement, lock, idleInTransaction }: Timeouts) => ({
  statement_timeout: statement,
  lock_timeout: lock,
  idle_in_transaction_session_timeout: idleInTransaction,
})

/** What a pooler must let pass, or ignore, unless nothing is prepared. */
export const SESSION_PARAMETERS = Object.keys(sessionTimeouts(DEFAULT_TIMEOUTS))

/** For one transaction, where a pooler lends its connections to everybody. */
export const localTimeouts = (timeouts: Timeouts) =>
  Object.entries(sessionTimeouts(timeouts))
    .map(([name, value]) => `set local ${name} = ${value}`)
    .join('; ')
