// Whose turn it is at the database's connections:
// nobody holds them all, and the next one goes to whoever holds fewest.

/** Whom a statement is for: an organization, a caller or an address, and one caller of an organization. */
export interface PoolShare {
  readonly group: string
  readonly member?: string | undefined
}

export interface Turns<Connection> {
  /**
   * Undefined: go on. Otherwise when it is your turn,
   * with the connection that was passed on to you, if any; too late is refused.
   */
  take(share: PoolShare): Promise<Connection | undefined> | undefined
  /** True: the connection went to the next in turn, from hand to hand. */
  give(share: PoolShare, connection?: Connection): boolean
  readonly waiting: number
  /** How many organizations, callers and addresses wait: one that asks for much is one. */
  readonly groups: number
}

/** Jobs, checks, and what goes on after an answer. */
export const BACKGROUND: PoolShare = { group: 'background' }

interface Waiter<Connection> {
  readonly share: PoolShare
  readonly begin: (connection: Connection | undefined) => void
  readonly refuse: (error: Error) => void
  until: number
  waits: number
}

/**
 * Of ten connections an organization or an address has four at most,
 * one caller three, jobs and checks six: others find one free.
 */
const sharesOf = (max: number, factor: number) => ({
  background: Math.max(1, max - Math.ceil(max / 3)),
  group: Math.ceil(max * 0.4 * factor),
  member: Math.ceil(max * 0.3 * factor),
})

/**
 * Whoever waits for their own share alone, while connections are free,
 * may wait longer than for a pool that is used up.
 */
const OWN_SHARE_WAITS = 3

/** Waits end to within this share of the patience: one timer for all who wait, instead of one for each. */
const CHECKS_PER_WAIT = 10

/** Without a factor nobody has a share: the process serves no requests and may use them all. */
export function createTurns<Connection = never>(max: number, patienceMs: number, factor?: number): Turns<Connection> {
  const most = factor === undefined ? { background: max, group: max, member: max } : sharesOf(max, factor)
  const held = new Map<string, number>()
  const queues = new Map<string, Set<Waiter<Connection>>>()
  let running = 0
  let waiting = 0
  let watching = false

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
  const next = (): Waiter<Connection> | undefined => {
    let best: Waiter<Connection> | undefined
    let fewest = Number.POSITIVE_INFINITY
    for (const [group, queue] of queues) {
      if (heldBy(group) >= fewest) continue
      const first = findFirst(queue, ({ share }) => fits(share))
      if (first) [best, fewest] = [first, heldBy(group)]
    }
    return best
  }

  const leaveQueue = (waiter: Waiter<Connection>) => {
    const { group } = waiter.share
    const queue = queues.get(group)!
    queue.delete(waiter)
    if (!queue.size) queues.delete(group)
    waiting--
  }

  const refuseLate = () => {
    watching = waiting > 0
    if (!watching) return
    setTimeout(refuseLate, patienceMs / CHECKS_PER_WAIT).unref()
    const now = performance.now()
    for (const queue of queues.values())
      for (const waiter of queue) {
        if (waiter.until > now) continue
        waiter.until += patienceMs
        if (running < max && ++waiter.waits < OWN_SHARE_WAITS) continue
        leaveQueue(waiter)
        waiter.refuse(new Error('Waited too long for a connection'))
      }
  }

  const wait = (share: PoolShare) =>
    new Promise<Connection | undefined>((begin, refuse) => {
      const queue = queues.get(share.group) ?? new Set()
      queues.set(share.group, queue)
      queue.add({ share, begin, refuse, until: performance.now() + patienceMs, waits: 0 })
      waiting++
      if (watching) return
      watching = true
      setTimeout(refuseLate, patienceMs / CHECKS_PER_WAIT).unref()
    })

  return {
    take(share) {
      if (!fits(share)) return wait(share)
      hold(share, 1)
    },
    give(share, connection) {
      hold(share, -1)
      const waiter = waiting ? next() : undefined
      if (!waiter) return false
      leaveQueue(waiter)
      hold(waiter.share, 1)
      waiter.begin(connection)
      return connection !== undefined
    },
    get waiting() {
      return waiting
    },
    get groups() {
      return queues.size
    },
  }
}

function findFirst<T>(items: Iterable<T>, holds: (item: T) => boolean): T | undefined {
  for (const item of items) if (holds(item)) return item
  return undefined
}
