// How many calls of an integration run at once: nobody holds all of its places,
// and the next one goes to whoever holds fewest.
import type { HangUp } from '@adjoin/contract'

/** Whose call it is: a key or a person, and the person who made the key. */
export interface PlaceHolder {
  readonly caller: string
  readonly person: string
}

export interface TakenPlace {
  /** Calling it again does nothing. */
  leave(): void
  /** Others came first. */
  readonly waited: boolean
}

export interface Places {
  /** Null: the queue is full, it took too long, or the caller has gone. */
  enter(integrationId: string, holder: PlaceHolder, hungUp?: HangUp): Promise<TakenPlace | null>
  waiting(integrationId: string): number
}

/** Of all places, those of one person with all of their keys, and those of one key: others find one free. */
export const MOST = { all: 8, person: 7, caller: 6 } as const
export const MOST_WAITING = 16
const WAIT_MS = 30_000

interface Waiter {
  readonly holder: PlaceHolder
  end(taken: boolean): void
}

interface Integration {
  readonly running: PlaceHolder[]
  readonly waiting: Waiter[]
}

export function createPlaces(waitMs = WAIT_MS): Places {
  const integrations = new Map<string, Integration>()

  const leave = (id: string, holder: PlaceHolder) => {
    const { running, waiting } = integrations.get(id)!
    running.splice(running.indexOf(holder), 1)
    const next = nextOf({ running, waiting })
    if (!next) return tidy(id)
    running.push(next.holder)
    next.end(true)
  }
  const tidy = (id: string) => {
    const integration = integrations.get(id)
    if (!integration?.running.length && !integration?.waiting.length) integrations.delete(id)
  }
  const taken = (id: string, holder: PlaceHolder, waited: boolean): TakenPlace => {
    let left = false
    return {
      waited,
      leave() {
        if (left) return
        left = true
        leave(id, holder)
      },
    }
  }
  const wait = (id: string, { waiting }: Integration, holder: PlaceHolder, hungUp: HangUp | undefined) =>
    new Promise<TakenPlace | null>((resolve) => {
      const waiter: Waiter = {
        holder,
        end(isTaken) {
          const at = waiting.indexOf(waiter)
          if (at < 0) return
          waiting.splice(at, 1)
          clearTimeout(timer)
          resolve(isTaken ? taken(id, holder, true) : null)
          tidy(id)
        },
      }
      const timer = setTimeout(() => waiter.end(false), waitMs)
      waiting.push(waiter)
      hungUp?.addEventListener('abort', () => waiter.end(false))
    })

  return {
    waiting: (id) => integrations.get(id)?.waiting.length ?? 0,
    async enter(id, of, hungUp) {
      const holder = { ...of } // one of its own for each call: it is found again by identity
      const integration = integrations.get(id) ?? { running: [], waiting: [] }
      if (hungUp?.aborted) return null
      if (fits(integration, holder)) {
        integrations.set(id, integration)
        integration.running.push(holder)
        return taken(id, holder, false)
      }
      if (integration.waiting.length >= MOST_WAITING) {
        const last = lastOfTheMost(integration, holder)
        if (!last) return null
        last.end(false)
      }
      return wait(id, integration, holder, hungUp)
    },
  }
}

const countOf = (holders: readonly PlaceHolder[], of: PlaceHolder, by: keyof PlaceHolder) =>
  holders.reduce((count, holder) => (holder[by] === of[by] ? count + 1 : count), 0)

const fits = ({ running }: Integration, holder: PlaceHolder): boolean =>
  running.length < MOST.all &&
  (running.length < MOST.caller || // the usual case, without counting
    (countOf(running, holder, 'person') < MOST.person && countOf(running, holder, 'caller') < MOST.caller))

/** Of those that may: whose person holds fewest places, then whose key does, then who waits longest. */
function nextOf(integration: Integration): Waiter | undefined {
  const { running, waiting } = integration
  let best: Waiter | undefined
  let fewest = Number.POSITIVE_INFINITY
  for (const waiter of waiting) {
    if (!fits(integration, waiter.holder)) continue
    const held = countOf(running, waiter.holder, 'person') * MOST.all + countOf(running, waiter.holder, 'caller')
    if (held < fewest) [best, fewest] = [waiter, held]
  }
  return best
}

/** The queue is full: whoever has most in it gives one up for somebody who has fewer. Undefined: that is the newcomer. */
function lastOfTheMost({ waiting }: Integration, newcomer: PlaceHolder): Waiter | undefined {
  const holders = waiting.map(({ holder }) => holder)
  const most = Math.max(...holders.map((holder) => countOf(holders, holder, 'caller')))
  if (countOf(holders, newcomer, 'caller') + 1 >= most) return undefined
  return waiting.findLast(({ holder }) => countOf(holders, holder, 'caller') === most)
}
