// Whose turn it is at the database's connections: nobody holds them all, and the next one goes to whoever holds fewest.

/** Whom a statement is for: an organization, a caller, an address, and within an organization one of its callers. */
export interface PoolShare {
  readonly group: string
  readonly member?: string | undefined
}

export interface Turns {
  /** Undefined: go on. Otherwise when it is your turn; too late is refused. */
  take(share: PoolShare): Promise<void> | undefined
  give(share: PoolShare): void
  readonly waiting: number
  /** How many organizations, callers and addresses wait: one that asks for much is one. */
  readonly groups: number
}

/** Jobs, checks, and what goes on after an answer. */
export const BACKGROUND: PoolShare = { group: 'background' }

interface Waiter {
  readonly share: PoolShare
  begin(): void
}

/** Of ten connections an organization or an address has four at most, one caller three, jobs and checks six: others find one free. */
const sharesOf = (max: number, factor: number) => ({
  background: Math.max(1, max - Math.ceil(max / 3)),
  group: Math.ceil(max * 0.4 * factor),
  member: Math.ceil(max * 0.3 * factor),
})

/** Whoever waits for their own share alone, while connections are free, may wait longer than for a pool that is used up. */
const OWN_PATIENCES = 3

/** Without a factor nobody has a share: the process serves no requests, and whatever it does may use them all. */
export function createTurns(max: number, patienceMs: number, factor?: number): Turns {
  const most = factor === undefined ? { background: max, group: max, member: max } : sharesOf(max, factor)
  const held = new Map<string, number>()
  const queues = new Map<string, Set<Waiter>>()
  let running = 0
  let waiting = 0

  const heldBy = (key: string | undefined) => (key === undefined ? 0 : (held.get(key) ?? 0))
  const count = (key: string | undefined, change: 1 | -1) => {
    if (key === undefined) return
    const now = heldBy(key) + change
    if (now) held.set(key, now)
    else held.delete(key)
  }
  const hold = ({ group, member }: PoolShare, change: 1 | -1) => {
    running += change
    count(group, change)
    count(member, change)
  }
  const fits = (share: PoolShare) =>
    running < max && heldBy(share.group) < (share === BACKGROUND ? most.background : most.group) && heldBy(share.member) < most.member

  /** The longest waiting of the group that holds fewest; of equals the one that has waited longer. */
  const next = (): Waiter | undefined => {
    let best: Waiter | undefined
    let fewest = Number.POSITIVE_INFINITY
    for (const [group, queue] of queues) {
      if (heldBy(group) >= fewest) continue
      const first = [...queue].find(({ share }) => fits(share))
      if (first) [best, fewest] = [first, heldBy(group)]
    }
    return best
  }

  const wait = (share: PoolShare) =>
    new Promise<void>((resolve, reject) => {
      const queue = queues.get(share.group) ?? new Set<Waiter>()
      queues.set(share.group, queue)
      const end = () => {
        clearTimeout(timer)
        waiting--
        queue.delete(waiter)
        if (!queue.size) queues.delete(share.group)
      }
      const waiter: Waiter = {
        share,
        begin() {
          end()
          hold(share, 1)
          resolve()
        },
      }
      let patiences = 0
      const lose = () => {
        if (running < max && ++patiences < OWN_PATIENCES) {
          timer = setTimeout(lose, patienceMs)
          return
        }
        end()
        reject(new Error('Waited too long for a connection'))
      }
      let timer = setTimeout(lose, patienceMs)
      waiting++
      queue.add(waiter)
    })

  return {
    take(share) {
      if (!fits(share)) return wait(share)
      hold(share, 1)
    },
    give(share) {
      hold(share, -1)
      if (waiting) next()?.begin()
    },
    get waiting() {
      return waiting
    },
    get groups() {
      return queues.size
    },
  }
}
