/** About a turn of the event loop. Reading the clock costs next to nothing, hearing of every turn does. */
const TURN_MS = 1

/** Undefined: go on. Otherwise after everybody else's turn of the event loop. */
export type Pace = (key: string) => Promise<void> | undefined

/**
 * What one key may begin before others have had their turn:
 * who comes with a single request is never behind another's sixty.
 */
export function createPace(perTurn: number): Pace {
  const queues = new Map<string, (() => void)[]>()
  let begun = new Map<string, number>()
  let since = performance.now()

  const nextTurn = () => {
    for (const [key, queue] of queues) {
      const now = queue.splice(0, perTurn)
      begun.set(key, now.length)
      for (const begin of now) begin()
      if (!queue.length) queues.delete(key)
    }
    if (queues.size) setImmediate(nextTurn)
  }

  return (key) => {
    const queue = queues.get(key)
    if (queue) return new Promise((resolve) => queue.push(resolve))
    const now = performance.now()
    if (now - since > TURN_MS) {
      since = now
      if (begun.size) begun = new Map()
    }
    const count = begun.get(key) ?? 0
    if (count < perTurn) return void begun.set(key, count + 1)
    if (!queues.size) setImmediate(nextTurn)
    return new Promise((resolve) => queues.set(key, [resolve]))
  }
}
