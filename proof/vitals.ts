// How a running service is, from outside: its metrics port,
// its connections as PostgreSQL counts them, and what its heap really holds.
import type { Furnish } from './furnish.ts'

export interface Vitals {
  readonly rss: number
  readonly connections: number
  /** Seconds, the 99th percentile since the last look. */
  readonly lag: number
}

export async function readVitals(metricsPort: number, furnish: Furnish): Promise<Vitals> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const gauge = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  const { connections } = await furnish.one<{ connections: number }>(
    `select count(*)::int as connections from pg_stat_activity where application_name = 'adjoin'`,
  )
  return { rss: gauge('process_resident_memory_bytes'), lag: gauge('nodejs_eventloop_lag_p99_seconds'), connections }
}

export interface Inspector {
  /** Bytes on the heap once all garbage is gone. */
  heldBytes(): Promise<number>
  close(): void
}

/**
 * Through the inspector of a service that was started with `--inspect`:
 * no code of ours has to be in it for this.
 */
export async function openInspector(port: number): Promise<Inspector> {
  const [target] = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as { webSocketDebuggerUrl: string }[]
  const socket = new WebSocket(target!.webSocketDebuggerUrl)
  const waiting = new Map<number, (result: Record<string, unknown>) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id: number; result: Record<string, unknown> }
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () => reject(new Error('the inspector does not answer')))
  })
  let calls = 0
  const call = (method: string) =>
    new Promise<Record<string, unknown>>((resolve) => {
      waiting.set(++calls, resolve)
      socket.send(JSON.stringify({ id: calls, method }))
    })
  return {
    async heldBytes() {
      await call('HeapProfiler.collectGarbage')
      return Number((await call('Runtime.getHeapUsage')).usedSize)
    },
    close: () => socket.close(),
  }
}

export interface Point {
  readonly ms: number
  readonly value: number
}

/** Least squares: by how much of its mean a series grows in ten minutes. */
export function growthPerTenMinutes(points: readonly Point[]): number {
  const mean = (pick: (point: Point) => number) => points.reduce((sum, point) => sum + pick(point), 0) / points.length
  const [t, v] = [mean(({ ms }) => ms), mean(({ value }) => value)]
  const slope = mean(({ ms, value }) => (ms - t) * (value - v)) / mean(({ ms }) => (ms - t) ** 2)
  return (slope * 600_000) / v
}
