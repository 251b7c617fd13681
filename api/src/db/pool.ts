// The one door to the database: a bounded pool whose waits all end, whose dead connections never end it.
import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { currentContext, withinPart } from '../context.ts'
import { keepAtHand } from './at-hand.ts'
import { currentBudget, refuseSpent } from './budget.ts'
import { breaksConnection, CommitLost, isCollision, leavesCommitOpen } from './failure.ts'
import { type QueryCallback, type Statement, sendPrepared } from './prepared.ts'
import { type Fragment, type Row, type RunQuery, statement } from './sql.ts'
import { DEFAULT_TIMEOUTS, localTimeouts, sessionTimeouts, type Timeouts } from './timeouts.ts'
import { BACKGROUND, createTurns } from './turns.ts'
import { getTypeParser } from './type-parsers.ts'

export { CommitLost, unavailable, violates } from './failure.ts'

export interface Database {
  query: RunQuery
  readonly timeouts: Timeouts
  /** Distributed by organization (Citus): a statement that names its organization is run by one server alone. */
  sharded: boolean
  /** Both in one round trip, each for itself: the second is run also where the first fails. */
  queryBoth(first: Fragment, second: Fragment): Promise<readonly [Row[], Row[]]>
  /**
   * All or nothing. Runs `work` again, at most twice,
   * when it collided with another transaction: what it collects, it collects inside.
   */
  transaction<T>(work: (query: RunQuery) => Promise<T>): Promise<T>
  /** Callers that wait, and connections that exist: what load shedding and metrics read. */
  load(): { waiting: number; groups: number; total: number; idle: number; max: number }
  /** Opens every connection it may have, so that the first requests need not wait for theirs; called while nobody uses it. */
  warm(): Promise<void>
  end(): Promise<void>
}

export interface PoolOptions {
  max?: number
  /** False behind a pooler in transaction mode: no named statements, no start-up parameters. */
  prepare?: boolean
  /** Where requests are served nobody may hold all connections; this multiplies what one may. */
  sharesFactor?: number | undefined
  onStatement?: OnStatement | undefined
  traceStatement?: TraceStatement | undefined
  timeouts?: Partial<Timeouts>
}

/** Told of every statement as it is sent. */
export type OnStatement = (text: string, values: readonly unknown[]) => void
/** Told of every statement's text as it is sent; what it returns is told when the answer is there. */
export type TraceStatement = (text: string) => ((error?: unknown) => void) | undefined

/** How often what collided is sent again; a little apart, or they meet again. */
const RETRIES = 2
const apart = () => 5 + Math.random() * 20
/** Requests that follow one another come within this time; the pool closes what nobody has used for longer. */
const AT_HAND_MS = 1000

type Send = <R extends object = Row>(config: pg.QueryConfig) => Promise<pg.QueryResult<R>>

/** A statement outside a transaction: if it collided, as with a shard that moves, it was rolled back whole. */
const sendAlone = <R extends object>(send: Send, config: pg.QueryConfig, tries = 0): Promise<pg.QueryResult<R>> =>
  send<R>(config).catch(async (error) => {
    if (tries === RETRIES || !isCollision(error) || breaksConnection(error)) throw error
    await sleep(apart())
    return sendAlone<R>(send, config, tries + 1)
  })

interface PooledClient {
  broken: boolean
  /** What is written between its `cork` and `uncork` leaves in one packet. */
  readonly stream: Writable
}

/** The patience is ours: that of `pg` keeps what a statement returned until the next full collection. */
const execute = <R extends object>(client: pg.ClientBase, config: pg.QueryConfig, patience: number): Promise<pg.QueryResult<R>> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Query read timeout')), patience)
    const answered: QueryCallback = (error, result) => {
      clearTimeout(timer)
      if (error) reject(error)
      else resolve(result as pg.QueryResult<R>)
    }
    if (isPrepared(config)) sendPrepared(client, config, answered)
    else void client.query(config, answered)
  })

const isPrepared = (config: pg.QueryConfig): config is Statement & { values: unknown[] } => config.name !== undefined

/**
 * True inside `transaction`: a network call made then holds
 * locks and a connection for as long as a stranger likes.
 */
export const inTransaction = (): boolean => currentContext()?.transaction?.open === true

export function openPool(connection: pg.PoolConfig, options: PoolOptions = {}): Database {
  const { max = 10, prepare = true, sharesFactor, onStatement, traceStatement } = options
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts }
  const pool = new pg.Pool({
    fallback_application_name: 'adjoin',
    keepAlive: true,
    idleTimeoutMillis: 30_000,
    ...(prepare && sessionTimeouts(timeouts)),
    ...connection,
    max,
    pipeline: true, // a connection has one borrower: what waits for an answer is sent only where the borrower does not
    connectionTimeoutMillis: timeouts.connect,
    types: { getTypeParser },
  })
  pool.on('error', () => {}) // an idle connection died: the pool has dropped it already
  const atHand = keepAtHand<pg.PoolClient>(AT_HAND_MS, (client, broken) => client.release(broken))
  /** It died, at hand or in use; there, its statement rejects if one is under way. */
  const dead = new WeakSet<pg.PoolClient>()
  pool.on('connect', (client) =>
    client.on('error', () => {
      dead.add(client)
      atHand.drop(client)
    }),
  )

  const turns = createTurns<pg.PoolClient>(max, timeouts.connect, sharesFactor)

  /**
   * One connection for as long as `work` lasts.
   * `send` notices when it breaks; then the pool must not hand it out again.
   */
  const borrow = async <T>(work: (send: Send, client: PooledClient) => Promise<T>): Promise<T> => {
    const budget = currentBudget()
    const spend = (since: number) => {
      if (budget) budget.leftMs -= performance.now() - since
    }
    refuseSpent(budget)
    const share = budget?.share ?? BACKGROUND
    const asked = performance.now()
    const turn = turns.take(share)
    const passedOn = turn && (await turn)
    const client =
      passedOn ??
      atHand.take() ??
      (await pool.connect().catch((error) => {
        turns.give(share)
        throw error
      }))
    spend(asked)
    const state: PooledClient = { broken: false, stream: (client as unknown as { connection: { stream: Writable } }).connection.stream }
    const send: Send = async (config) => {
      onStatement?.(config.text, config.values ?? [])
      const answered = traceStatement?.(config.text)
      const sent = performance.now()
      try {
        refuseSpent(budget)
        const result = await execute(client, config, timeouts.query)
        answered?.()
        return result as pg.QueryResult<never>
      } catch (error) {
        answered?.(error)
        state.broken ||= breaksConnection(error)
        Error.captureStackTrace(error as Error) // it was made where bytes arrive: let it tell who asked
        throw error
      } finally {
        spend(sent)
      }
    }
    try {
      return await work(send, state)
    } finally {
      if (state.broken || dead.has(client)) {
        client.release(true)
        turns.give(share)
      } else if (!turns.give(share, client)) atHand.keep(client)
    }
  }

  // Not pool.query: that throws the connection away after every refused statement.
  const query: RunQuery = async <R extends object>(f: Fragment) => {
    if (inTransaction()) throw new Error('Inside a transaction use the query it hands you: the pool would wait for a second connection.')
    return borrow(async (send) => (await sendAlone<R>(send, statement(f, prepare))).rows)
  }

  const queryBoth: Database['queryBoth'] = async (first, second) => {
    if (inTransaction()) throw new Error('Inside a transaction use the query it hands you: the pool would wait for a second connection.')
    return borrow(async (send, { stream }) => {
      const [one, other] = [statement(first, prepare), statement(second, prepare)]
      stream.cork()
      const sent = [sendAlone(send, one), sendAlone(send, other)] as const
      stream.uncork()
      await Promise.allSettled(sent) // the connection is free only when both are answered
      return [(await sent[0]).rows, (await sent[1]).rows]
    })
  }

  let ending: Promise<void> | undefined
  const begin = { text: prepare ? 'begin' : `begin; ${localTimeouts(timeouts)}` }

  const attempt = <T>(work: (query: RunQuery) => Promise<T>): Promise<{ value: T } | { collision: unknown }> =>
    borrow(async (send, client) => {
      const scope = { open: true }
      const inside: RunQuery = async <R extends object>(f: Fragment) => {
        if (!scope.open) throw new Error('This transaction has ended: await every statement inside it.')
        return (await send<R>(statement(f, prepare))).rows
      }
      try {
        await send(begin)
        const value = await withinPart({ transaction: scope }, () => work(inside))
        scope.open = false
        // When a statement failed and `work` went on, PostgreSQL answers COMMIT with a quiet ROLLBACK.
        const { command } = await send({ text: 'commit' }).catch((error) => {
          throw leavesCommitOpen(error) ? new CommitLost(error) : error
        })
        if (command !== 'COMMIT')
          throw new Error('The transaction was rolled back: a statement in it failed, and its error was not passed on.')
        return { value }
      } catch (error) {
        const again = scope.open && isCollision(error) // never once COMMIT was sent
        scope.open = false
        if (!client.broken) await send({ text: 'rollback' }).catch(() => {})
        if (again) return { collision: error }
        throw error
      }
    })

  return {
    query,
    timeouts,
    sharded: false,
    queryBoth,
    transaction: async (work) => {
      if (inTransaction()) throw new Error('A transaction inside a transaction: hand the outer query on instead.')
      for (let tries = 0; ; tries++) {
        const outcome = await attempt(work)
        if ('value' in outcome) return outcome.value
        if (tries === RETRIES) throw outcome.collision
        await sleep(apart())
      }
    },
    load: () => ({ waiting: turns.waiting, groups: turns.groups, total: pool.totalCount, idle: pool.idleCount + atHand.size, max }),
    warm: async () => {
      const first = atHand.take()
      const others = await Promise.allSettled(Array.from({ length: first ? max - 1 : max }, () => pool.connect()))
      first?.release()
      for (const one of others) if (one.status === 'fulfilled') one.value.release()
    },
    end: () => {
      atHand.end()
      ending ??= pool.end()
      return ending
    },
  }
}
