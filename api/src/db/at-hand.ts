// Connections that were just returned, ready for the next query. The pool of `pg` spends two timers, two turns
// of the event loop and two listeners on handing one out and taking it back. It still owns all connections,
// and gets back those that nobody needed.

export interface AtHand<Connection> {
  take(): Connection | undefined
  keep(connection: Connection): void
  /** For a connection that died while it was kept. */
  drop(connection: Connection): void
  /** Releases all of them to the pool, and keeps no more. */
  end(): void
  readonly size: number
}

export function keepAtHand<Connection>(idleMs: number, release: (connection: Connection, broken: boolean) => void): AtHand<Connection> {
  /** The last one kept is the first one taken, so those that are not needed grow old and are released. */
  const kept: { readonly connection: Connection; readonly since: number }[] = []
  let timer: NodeJS.Timeout | undefined
  let ended = false

  const releaseOld = () => {
    const now = performance.now()
    while (kept.length && now - kept[0]!.since >= idleMs) release(kept.shift()!.connection, false)
    timer = kept.length ? setTimeout(releaseOld, idleMs).unref() : undefined
  }
  return {
    take: () => kept.pop()?.connection,
    keep(connection) {
      if (ended) return release(connection, false)
      kept.push({ connection, since: performance.now() })
      timer ??= setTimeout(releaseOld, idleMs).unref()
    },
    drop(connection) {
      const at = kept.findIndex((one) => one.connection === connection)
      if (at >= 0) release(kept.splice(at, 1)[0]!.connection, true)
    },
    end() {
      ended = true
      clearTimeout(timer)
      for (const { connection } of kept.splice(0)) release(connection, false)
    },
    get size() {
      return kept.length
    },
  }
}
