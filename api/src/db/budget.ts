// How long one request may wait for the database in all.
import { type Budget, currentContext, withinPart } from '../context.ts'
import type { Timeouts } from './timeouts.ts'

export const requestBudget = (address: string, { request }: Timeouts): Budget => ({ leftMs: request, share: { group: address } })

/** For what goes on after the answer. */
export const outsideRequest = <T>(work: () => T): T => withinPart({ budget: undefined }, work)

/** Of the request that is being answered; jobs have none. */
export const currentBudget = (): Budget | undefined => currentContext()?.budget

/** Throws when it is used up: before the statement, so that a refused caller knows it did not happen. */
export function refuseSpent(budget: Budget | undefined): void {
  if (budget && budget.leftMs <= 0) throw new Error('Waited too long for the database in all')
}
