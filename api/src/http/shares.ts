// How much one address, caller or organization may have under way at once.
// Past it: in turn, then 503 for the one who asks too much.
import type { ServerResponse } from 'node:http'
import { atOnce } from '@adjoin/contract'
import type { Identified } from '../access/identify.ts'
import { Refusal } from '../refusal.ts'
import { NETWORK_TIMES, networkOf } from './client-address.ts'
import { createPace } from './pace.ts'

export type ShareName = 'address' | 'caller' | 'organization'

export interface Share {
  /**
   * Undefined: there was room. Otherwise it is let in when others have left, or refused.
   * A client that hangs up waits no longer.
   */
  enter(key: string, response: ServerResponse): Promise<void> | undefined
  leave(key: string): void
}

export interface Shares {
  readonly address: Share
  /** The caller's share, and that of the organization which the request is about. */
  enter(requester: Requester, response: ServerResponse): Promise<void> | undefined
  leave(requester: Requester): void
}

export interface Requester {
  readonly caller: string
  readonly organization: string | undefined
}

interface Occupancy {
  running: number
  waiting?: Set<() => void>
}

/** Waiting is also what slows down a client that repeats at once what was refused. */
const MAX_WAITING = 512
const PATIENCE_MS = { address: 1000, caller: 5000, organization: 5000 }
/** What an address begins in one turn of the event loop. */
const PER_TURN = 1

const SHARE_DETAILS: Record<ShareName, string> = {
  address: 'Your network address has too many requests in progress. Wait for some to finish, then try again.',
  caller: 'You have too many requests in progress. Wait for some to finish, then try again.',
  organization: 'Your organization has too many requests in progress. Wait for some to finish, then try again.',
}

/** Read by nobody: its client has hung up. */
const clientGone = () => new Refusal('too_much_at_once', { unlogged: true })

export function createShare(name: ShareName, width: number, onRefuse?: (share: ShareName, key: string) => void): Share {
  const occupied = new Map<string, Occupancy>()

  const wait = (key: string, occupancy: Occupancy, response: ServerResponse) =>
    new Promise<void>((resolve, reject) => {
      occupancy.waiting ??= new Set()
      const { waiting } = occupancy
      const end = () => {
        waiting.delete(enter)
        clearTimeout(timer)
        response.off('close', hangUp)
      }
      const enter = () => {
        end()
        resolve()
      }
      const hangUp = () => {
        end()
        reject(clientGone())
      }
      const refuse = () => {
        end()
        onRefuse?.(name, key)
        reject(new Refusal('too_much_at_once', { detail: SHARE_DETAILS[name], unlogged: true }))
      }
      const timer = setTimeout(refuse, PATIENCE_MS[name])
      response.once('close', hangUp)
      waiting.add(enter)
      if (waiting.size > MAX_WAITING) refuse()
    })

  return {
    enter(key, response) {
      if (response.closed) return Promise.reject(clientGone()) // and nobody would ever leave
      const occupancy = occupied.get(key)
      if (!occupancy) occupied.set(key, { running: 1 })
      else if (occupancy.running >= width) return wait(key, occupancy, response)
      else occupancy.running++
    },
    /** Hands its place to whoever waits longest. */
    leave(key) {
      const occupancy = occupied.get(key)!
      const [next] = occupancy.waiting ?? []
      if (next) next()
      else if (--occupancy.running === 0) occupied.delete(key)
    },
  }
}

export function createShares(factor: number, onRefuse: (share: ShareName, key: string) => void): Shares {
  const atLeastOne = (share: number) => Math.max(1, Math.round(share * factor))
  const share = (name: ShareName) => createShare(name, atLeastOne(atOnce[name]), onRefuse)
  const [addresses, callers, organizations] = [share('address'), share('caller'), share('organization')]
  const networks = createShare('address', atLeastOne(atOnce.address * NETWORK_TIMES), onRefuse)
  const pace = createPace(atLeastOne(PER_TURN))
  /** The address first: it waits for its own before it waits for its neighbours. */
  const enterAddress: Share['enter'] = (key, response) => {
    const network = networkOf(key)
    if (network === undefined) return addresses.enter(key, response)
    const next = () => inNetwork(key, network, response)
    const entering = addresses.enter(key, response)
    return entering ? entering.then(next) : next()
  }
  const inNetwork = (key: string, network: string, response: ServerResponse) =>
    networks.enter(network, response)?.catch((error) => {
      addresses.leave(key)
      throw error
    })
  return {
    address: {
      enter: (key, response) => pace(key)?.then(() => enterAddress(key, response)) ?? enterAddress(key, response),
      leave(key) {
        const network = networkOf(key)
        if (network !== undefined) networks.leave(network)
        addresses.leave(key)
      },
    },
    enter({ caller, organization }, response) {
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
    leave({ caller, organization }) {
      callers.leave(caller)
      if (organization !== undefined) organizations.leave(organization)
    },
  }
}

/**
 * The organization is one that the caller was let into: nobody uses up another's share by naming it.
 * Keys that act for their creator share with them: twenty keys of one person are one caller.
 */
export const requesterOf = ({ caller, organization }: Identified): Requester => ({
  caller: caller.class === 'organizationKey' ? `key:${caller.key.id}` : `user:${caller.user.id}`,
  organization: organization?.id ?? (caller.class === 'session' ? undefined : caller.key.organizationId),
})
