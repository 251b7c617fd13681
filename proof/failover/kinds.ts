// What can fail in a cluster, caused and ended; what the service makes of it is judged elsewhere.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Size } from '../finding.ts'
import type { Cluster } from './cluster.ts'
import { etcdLeader } from './etcd.ts'

export interface FailoverKind {
  readonly name: string
  readonly rounds: Record<Size, number>
  /** How long nobody may have been able to write, in seconds. On two busy cores everything takes longer. */
  readonly gapWithin: number
  /** Whether another node is the primary afterwards: a fault that moved nobody proves nothing. */
  readonly moves: boolean
  /** Causes it; `writing` waits until writes are acknowledged again. Then ends it. */
  cause(cluster: Cluster, writing: () => Promise<void>): Promise<void>
}

/** Longer than Patroni's ttl: another node has taken over when it ends. */
const FROZEN_MS = 30_000
const QUORUM_LOST_MS = 40_000

export const switchover: FailoverKind = {
  name: 'switchover',
  rounds: { small: 1, full: 6 },
  gapWithin: 20,
  moves: true,
  cause: (cluster) => cluster.switchover(),
}

export const kinds: readonly FailoverKind[] = [
  switchover,
  {
    name: '`kill -9` of PostgreSQL, restarted by Patroni',
    rounds: { small: 0, full: 5 },
    gapWithin: 30,
    moves: false,
    cause: async (cluster, writing) => {
      process.kill((await cluster.primary()).postmaster()!, 'SIGKILL')
      await writing()
    },
  },
  {
    name: '`kill -9` of the primary’s whole node',
    rounds: { small: 1, full: 7 },
    gapWithin: 40,
    moves: true,
    cause: async (cluster, writing) => {
      const node = await cluster.primary()
      await node.kill()
      await writing()
      node.start()
    },
  },
  {
    name: 'primary frozen for 30 s, then woken',
    rounds: { small: 1, full: 5 },
    gapWithin: 40,
    moves: true,
    cause: async (cluster) => {
      const node = await cluster.primary()
      node.signal('SIGSTOP')
      await sleep(FROZEN_MS)
      node.signal('SIGCONT')
    },
  },
  {
    name: 'synchronous standby killed',
    rounds: { small: 0, full: 5 },
    gapWithin: 20,
    moves: false,
    cause: async (cluster, writing) => {
      const node = await cluster.synchronous()
      await node.kill()
      await writing()
      node.start()
    },
  },
  {
    name: 'synchronous standby frozen for 30 s',
    rounds: { small: 0, full: 2 },
    gapWithin: 30,
    moves: false,
    cause: async (cluster) => {
      const node = await cluster.synchronous()
      node.signal('SIGSTOP')
      await sleep(FROZEN_MS)
      node.signal('SIGCONT')
    },
  },
  {
    name: 'etcd leader killed',
    rounds: { small: 0, full: 5 },
    gapWithin: 15,
    moves: false,
    cause: async ({ etcds }) => {
      const leader = await etcdLeader(etcds)
      await leader.kill()
      await sleep(8000)
      leader.start()
    },
  },
  {
    name: 'etcd without a quorum for 40 s',
    rounds: { small: 0, full: 2 },
    gapWithin: 15,
    moves: false,
    cause: async (cluster) => {
      const lost = cluster.etcds.slice(1)
      await Promise.all(lost.map((etcd) => etcd.kill()))
      await sleep(QUORUM_LOST_MS)
      const pages = await Promise.all(cluster.nodes.map(async ({ rest }) => (await fetch(`${rest}/metrics`)).text()))
      for (const etcd of lost) etcd.start()
      if (!pages.some((page) => /^patroni_failsafe_mode_is_active\{.*\} 1$/m.test(page)))
        throw new Error('failsafe_mode was not in use without etcd')
    },
  },
  {
    name: 'HAProxy killed, the one in use',
    rounds: { small: 1, full: 5 },
    gapWithin: 15,
    moves: false,
    cause: async ({ balancers }, writing) => {
      for (const balancer of balancers) {
        await balancer.kill()
        await writing()
        balancer.start()
        await sleep(3000) // until it has found the primary
      }
    },
  },
]
