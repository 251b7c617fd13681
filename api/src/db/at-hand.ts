// Connections that were given back a moment ago: the next to ask gets one at once. The pool of `pg` spends
// two timers, two turns of the event loop and two listeners on handing one out and taking it back.
// It still owns them all, and has back what nobody asked for.

export interface AtHand<Connection> {
  take(): Connection | undefined
  keep(connection: Connection): void
  /** It died while nobody used it. */
  drop(connection: Connection): void
  /** Gives all of them back, and keeps no more. */
  end(): void
  readonly size: number
}

export function keepAtHand<Connection>(idleMs: number, giveBack: (connection: Connection, broken: boolean) => void): AtHand<Connection> {
  /** The last one given back is the first one taken: the others grow old, and leave. */
  const kept: { readonly connection: Connection; readonly since: number }[] = []
  let timer: NodeJS.Timeout | undefined
  let ended = false

  const giveBackOld = () => {
    const now = performance.now()
    while (kept.length && now - kept[0]!.since >= idleMs) giveBack(kept.shift()!.connection, false)
    timer = kept.length ? setTimeout(giveBackOld, idleMs).unref() : undefined
  }
  return {
    take: () => kept.pop()?.connection,
    keep(connection) {
      if (ended) return giveBack(connection, false)
      kept.push({ connection, since: performance.now() })
      timer ??= setTimeout(giveBackOld, idleMs).unref()
    },
    drop(connection) {
      const at = kept.findIndex((one) => one.connection === connection)
      if (at >= 0) giveBack(kept.splice(at, 1)[0]!.connection, true)
    },
    end() {
      ended = true
      clearTimeout(timer)
      for (const { connection } of kept.splice(0)) giveBack(connection, false)
    },
    get size() {
      return kept.length
    },
  }
}
