// How much one address, caller or organization may have under way at once. Past it: in turn, then 503 for the one who asks too much.
import type { ServerResponse } from 'node:http'
import { atOnce } from '@adjoin/contract'
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
  readonly waiting: Set<() => void>
  /** Somebody who waits is let in after everybody else's turn. */
  scheduled: boolean
}

/** Waiting is also what slows down a client that repeats at once what was refused. */
const MAX_WAITING = 512
const PATIENCE_MS = { address: 1000, caller: 5000, organization: 5000 }
/** What one address may begin before others have had their turn of the event loop: a single request is never behind another's sixty. */
const PER_TURN = 2
/** About a turn; asking the clock costs next to nothing, being told of every turn does not. */
const TURN_MS = 1

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
  let begun = new Map<string, number>()
  let since = performance.now()

  const begunBy = (key: string): number => {
    if (performance.now() - since > TURN_MS) {
      since = performance.now()
      if (begun.size) begun = new Map()
    }
    return begun.get(key) ?? 0
  }
  const hasRoom = ({ key, running }: Place) => running < width && (perTurn === Number.POSITIVE_INFINITY || begunBy(key) < perTurn)
  const begin = (place: Place) => {
    place.running++
    if (perTurn !== Number.POSITIVE_INFINITY) begun.set(place.key, begunBy(place.key) + 1)
  }
  const schedule = (place: Place) => {
    if (place.scheduled || !place.waiting.size || place.running >= width) return
    place.scheduled = true
    setImmediate(nextTurn, place)
  }
  const nextTurn = (place: Place) => {
    place.scheduled = false
    begun.delete(place.key)
    for (const enter of place.waiting) {
      if (!hasRoom(place)) break
      enter()
    }
    schedule(place)
    forget(place)
  }
  /** Only what nobody comes back to: a place is one object for as long as anyone runs, waits or is about to be let in there. */
  const forget = (place: Place) => {
    if (!place.running && !place.waiting.size && !place.scheduled) places.delete(place.key)
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
      schedule(place)
    })

  return {
    enter(key, response) {
      const place = places.get(key) ?? { key, running: 0, waiting: new Set(), scheduled: false }
      places.set(key, place)
      if (place.waiting.size || !hasRoom(place)) return wait(place, response)
      begin(place)
    },
    leave(key) {
      const place = places.get(key)!
      place.running--
      schedule(place)
      forget(place)
    },
  }
}

export function createShares(factor: number, onRefuse: (share: ShareName, key: string) => void): Shares {
  const atLeastOne = (share: number) => Math.max(1, Math.round(share * factor))
  const share = (name: ShareName, perTurn?: number) => createShare({ name, width: atLeastOne(atOnce[name]), perTurn, onRefuse })
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
