// What a failed statement means: the database is not there for us just now,
// a rule of the schema said no, or the connection cannot be trusted any more.

interface PostgresError {
  code?: string
  severity?: string
  constraint?: string
  message?: string
  syscall?: string
}

const asPostgresError = (error: unknown): PostgresError => (typeof error === 'object' && error !== null ? error : {})

/** PostgreSQL's five characters; absent when the error was born on our side of the wire. */
const sqlState = (error: unknown): string | undefined => {
  const { code, severity } = asPostgresError(error)
  return severity !== undefined && typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** Neither our statement nor our data: the engine itself failed. */
const isEngineFault = (error: unknown): boolean => /^XX/.test(sqlState(error) ?? '')

// 08 connection · 53 out of resources · 57P shut down, crashed, starting ·
// 57014 statement time-out · 55P03 lock time-out
// 25P03 idle in a transaction · 25006 a demoted primary · 40001, 40P01 still colliding after our retries
const TRANSIENT_STATES = /^(08...|53...|57P0[1235]|57014|55P03|25P03|25006|40001|40P01)$/

// ENOENT and EAGAIN are a socket's words for "no server" and "too
// many at the door", but also a file's: there only `connect` counts.
// EMFILE, ENFILE: this process, or the machine, has no file descriptor left for one more connection.
const NETWORK_CODES = /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|EMFILE|ENFILE)$/

// `pg` gives its own refusals no code.
const DRIVER_MESSAGES =
  /^(Query read timeout|timeout expired|timeout exceeded when trying to connect|Connection terminated|Client (has encountered|was closed)|Cannot use a pool after|Waited too long|No database server accepts changes)/

// Citus has no code of its own for a worker that hung up in the middle: the words are its, or those of its connection.
const WORKER_MESSAGES =
  /^(server closed the connection|could not (send|receive) data|no connection to the server|connection not open|failure on connection marked as essential|failed to prepare transaction)/

/**
 * Is the database unreachable, overloaded, too slow or restarting? Answered with 503:
 * the same request may succeed in a moment.
 */
export const unavailable = (error: unknown): boolean => {
  const { code, message = '', syscall } = asPostgresError(error)
  return (
    error instanceof CommitLost ||
    (typeof code === 'string' &&
      (TRANSIENT_STATES.test(code) || NETWORK_CODES.test(code) || (syscall === 'connect' && /^(ENOENT|EAGAIN)$/.test(code)))) ||
    DRIVER_MESSAGES.test(message) ||
    (isEngineFault(error) && WORKER_MESSAGES.test(message))
  )
}

/** Did this constraint of the schema refuse the change (a duplicate, a missing reference, a failed check)? */
export const violates = (error: unknown, constraint: string): boolean => {
  const { code, constraint: refused } = asPostgresError(error)
  return refused === constraint && (code === '23505' || code === '23503' || code === '23514')
}

/** Two transactions stood in each other's way; the server rolled this one back whole. */
export const isCollision = (error: unknown): boolean => /^(40001|40P01)$/.test(sqlState(error) ?? '')

// The server hangs up after these · prepared statements that
// no longer fit the schema, or are gone · a read-only copy
const FATAL_STATES = /^(08...|53300|57P..|25P0[34]|0A000|26000|25006)$/

/**
 * Must the connection go? Yes, unless the server itself answered and lives on:
 * after our own time-out it may still be at that statement.
 */
export const breaksConnection = (error: unknown): boolean => {
  const state = sqlState(error)
  return state === undefined || FATAL_STATES.test(state) || /^(FATAL|PANIC)$/.test(asPostgresError(error).severity ?? '')
}

/** Refused on our side of the wire: the server has heard nothing of the statement. */
const neverSent = (error: unknown): boolean =>
  /^(Client (has encountered|was closed)|Waited too long)/.test(asPostgresError(error).message ?? '')

/**
 * COMMIT failed with this: may it have been committed all the same? Yes, if the connection broke,
 * or if the engine failed: a worker of Citus that died at its COMMIT may have carried it out.
 */
export const leavesCommitOpen = (error: unknown): boolean => (breaksConnection(error) && !neverSent(error)) || isEngineFault(error)

/** COMMIT was sent, and its answer never came, or nobody knows it: the transaction may have been committed, or not. */
export class CommitLost extends Error {
  /** The server said nothing. If it said that it shuts down, what it has committed may not have reached its standby. */
  readonly silent: boolean

  constructor(cause: unknown) {
    super(`The answer to COMMIT was lost: ${asPostgresError(cause).message ?? cause}`, { cause })
    this.name = 'CommitLost'
    this.silent = sqlState(cause) === undefined
  }
}
