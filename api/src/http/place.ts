// One request's place among those that are under way: taken before its verb runs, let go of while it only waits.
import type { ServerResponse } from 'node:http'
import type { Budget } from '../context.ts'
import { Refusal } from '../refusal.ts'
import type { Overload } from './overload.ts'
import type { Requester, Shares } from './shares.ts'

export interface Place {
  /** With the share of the caller and the organization, in turn. True: others came first. */
  enter(): Promise<boolean>
  /** A stream keeps its share until it is read. */
  leave(streams?: boolean): void
  /** Lets go of everything for as long as `wait` lasts, then takes it again, in turn. */
  pause<T>(wait: () => Promise<T>): Promise<T>
}

/** The part of a place that the address has given, from the first byte of the request to the last of its answer. */
export interface AddressPlace {
  readonly address: string
  held: boolean
  /** How long the request was paused, in all. */
  pausedMs: number
}

export interface PlaceOptions {
  readonly overload: Overload
  readonly shares: Shares
  readonly requester: Requester | undefined
  readonly ofAddress: AddressPlace
  readonly budget: Budget
  readonly response: ServerResponse
}

export function createPlace({ overload, shares, requester, ofAddress, budget, response }: PlaceOptions): Place {
  let held = false
  const enter = async () => {
    const entering = requester && shares.enter(requester, response)
    if (requester) {
      if (entering) await spending(budget, entering)
      budget.share = { group: requester.organization ?? `alone:${requester.caller}`, member: requester.caller }
    }
    overload.enter()
    held = true
    return entering !== undefined
  }
  const leave = (streams = false) => {
    if (!held) return
    held = false
    overload.leave()
    if (!requester) return
    if (streams && !response.closed) response.once('close', () => shares.leave(requester))
    else shares.leave(requester)
  }
  return {
    enter,
    leave,
    async pause(wait) {
      const began = performance.now()
      leave()
      leaveAddress(shares, ofAddress)
      const result = await wait()
      ofAddress.pausedMs += performance.now() - began
      if (response.closed) throw new Refusal('unavailable', { unlogged: true }) // read by nobody
      await shares.address.enter(ofAddress.address, response)
      ofAddress.held = true
      await enter()
      return result
    },
  }
}

export function leaveAddress(shares: Shares, place: AddressPlace): void {
  if (!place.held) return
  place.held = false
  shares.address.leave(place.address)
}

/** Waiting for a turn is part of what a request may wait in all. */
export async function spending(budget: Budget, wait: Promise<void>): Promise<void> {
  const began = performance.now()
  await wait
  budget.leftMs -= performance.now() - began
}
