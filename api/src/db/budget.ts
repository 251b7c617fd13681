// How long one request may wait for the database in all. Each statement has its time-out;
// a slow database would still hold a request for as many seconds as it has statements.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { PoolShare } from './turns.ts'

export interface Budget {
  leftMs: number
  /** Whose share of the connections it uses: the address's, until it is known who calls. */
  share?: PoolShare
}

/**
 * With the longest wait that may follow the last moment
 * of it (a connection, then a statement) this stays below 15 s.
 */
const REQUEST_MS = 7000

const budgets = new AsyncLocalStorage<Budget>()

export const requestBudget = (address: string): Budget => ({ leftMs: REQUEST_MS, share: { group: address } })

export const withinBudget = <T>(budget: Budget, work: () => T): T => budgets.run(budget, work)

/** For what goes on after the answer. */
export const outsideRequest = <T>(work: () => T): T => budgets.exit(work)

/** Of the request that is being answered; jobs have none. */
export const currentBudget = (): Budget | undefined => budgets.getStore()

/** Throws when it is used up: before the statement, so that a refused caller knows it did not happen. */
export function refuseSpent(budget: Budget | undefined): void {
  if (budget && budget.leftMs <= 0) throw new Error('Waited too long for the database in all')
}
