// How much one address, caller or organization may have under way at once. Past it: in turn, then 503 for the one who asks too much.
import type { ServerResponse } from 'node:http'
import { shares as widths } from '@adjoin/contract'
import type { Identified } from '../access/identify.ts'
import { callerKey } from '../call.ts'
import { Refusal } from '../refusal.ts'

export type ShareName = 'address' | 'caller' | 'organization'

export interface Share {
  /** Undefined: there was room. Otherwise it is let in when others have left, or refused. A client that hangs up waits no longer. */
  enter(key: string, response: ServerResponse): Promise<void> | undefined
  leave(key: string): void
}

export interface Shares {
  readonly address: Share
  /** The caller's share, and that of the organization which the request is about. */
  enter(found: Identified, response: ServerResponse): Promise<void> | undefined
  leave(found: Identified): void
}

interface Place {
  readonly key: string
  running: number
  /** How many were let in during this turn of the event loop. */
  begun: number
  readonly waiting: Set<() => void>
}

/** Waiting is also what slows down a client that repeats at once what was refused. */
const MAX_WAITING = 512
const PATIENCE_MS = { address: 1000, caller: 5000, organization: 5000 }
/** Of each turn of the event loop an address has one beginning: whoever comes with a single request is not behind another's sixty. */
const PER_TURN = 1

const TOO_MUCH: Record<ShareName, string> = {
  address: 'Your network address has too many requests in progress. Wait for some to finish, then repeat this one.',
  caller: 'You have too many requests in progress. Wait for some to finish, then repeat this one.',
  organization: 'Your organization has too many requests in progress. Wait for some to finish, then repeat this one.',
}

export interface ShareOptions {
  readonly name: ShareName
  readonly width: number
  readonly perTurn?: number
  readonly onRefuse?: (share: ShareName, key: string) => void
}

export function createShare({ name, width, perTurn = Number.POSITIVE_INFINITY, onRefuse }: ShareOptions): Share {
  const places = new Map<string, Place>()
  const touched = new Set<Place>()
  const hasRoom = ({ running, begun }: Place) => running < width && begun < perTurn
  const touch = (place: Place) => {
    if (!touched.size) setImmediate(nextTurn)
    touched.add(place)
  }
  const begin = (place: Place) => {
    place.running++
    place.begun++
    touch(place)
  }
  /** After everybody else's. */
  const nextTurn = () => {
    const since = [...touched]
    touched.clear()
    for (const place of since) {
      place.begun = 0
      for (const enter of place.waiting) {
        if (!hasRoom(place)) break
        enter()
      }
      if (!place.running && !place.waiting.size) places.delete(place.key)
      else if (place.waiting.size && place.running < width) touch(place)
    }
  }

  const wait = (place: Place, response: ServerResponse) =>
    new Promise<void>((resolve, reject) => {
      const end = () => {
        place.waiting.delete(enter)
        clearTimeout(timer)
        response.off('close', hangUp)
      }
      const enter = () => {
        end()
        begin(place)
        resolve()
      }
      const hangUp = () => {
        end()
        reject(new Refusal('too_much_at_once', { unlogged: true }))
      }
      const refuse = () => {
        end()
        onRefuse?.(name, place.key)
        reject(new Refusal('too_much_at_once', { detail: TOO_MUCH[name], unlogged: true }))
      }
      const timer = setTimeout(refuse, PATIENCE_MS[name])
      response.once('close', hangUp)
      place.waiting.add(enter)
      if (place.waiting.size > MAX_WAITING) refuse()
    })

  return {
    enter(key, response) {
      const place = places.get(key) ?? { key, running: 0, begun: 0, waiting: new Set() }
      places.set(key, place)
      if (place.waiting.size || !hasRoom(place)) return wait(place, response)
      begin(place)
    },
    leave(key) {
      const place = places.get(key)!
      place.running--
      touch(place)
    },
  }
}

export function createShares(factor: number, onRefuse: (share: ShareName, key: string) => void): Shares {
  const atLeastOne = (share: number) => Math.max(1, Math.round(share * factor))
  const share = (name: ShareName, perTurn?: number) => createShare({ name, width: atLeastOne(widths[name]), perTurn, onRefuse })
  const [callers, organizations] = [share('caller'), share('organization')]
  return {
    address: share('address', atLeastOne(PER_TURN)),
    enter(found, response) {
      const caller = callerKey(found.caller)
      const organization = organizationKey(found)
      const there = () => {
        const entering = organization === undefined ? undefined : organizations.enter(organization, response)
        return entering?.catch((error) => {
          callers.leave(caller)
          throw error
        })
      }
      const entering = callers.enter(caller, response)
      return entering ? entering.then(there) : there()
    },
    leave(found) {
      callers.leave(callerKey(found.caller))
      const organization = organizationKey(found)
      if (organization !== undefined) organizations.leave(organization)
    },
  }
}

/** The one that the caller was let into: nobody uses up the share of an organization by naming it. */
export const organizationKey = ({ caller, organization }: Identified): string | undefined =>
  organization?.id ?? (caller.class === 'session' ? undefined : caller.key.organizationId)
