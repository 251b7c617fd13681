// Three nodes, three members of etcd and two HAProxies on loopback, from the very files that deploy/ha ships.
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { removeScratch, scratchFolder } from '../scratch.ts'
import { createEtcds, type Etcd } from './etcd.ts'
import { type ClusterMember, createMember } from './member.ts'
import { type ClusterNode, type ClusterState, createNode, ownFolder } from './node.ts'
import { lastingPort } from './port.ts'
import { type ClusterPrograms, isOlder } from './programs.ts'

export interface HaproxyMember extends ClusterMember {
  readonly primary: string
  readonly standby: string
  readonly metrics: string
}

export interface Cluster {
  readonly nodes: readonly ClusterNode[]
  readonly etcds: readonly Etcd[]
  readonly balancers: readonly HaproxyMember[]
  primary(): Promise<ClusterNode>
  /** The standby that every commit waits for. */
  synchronous(): Promise<ClusterNode>
  /** Has the primary go to the synchronous standby, as an operator does before an upgrade. */
  switchover(): Promise<void>
  /** Waits until it is whole: a primary, a synchronous standby, everyone streaming. */
  whole(withinMs?: number): Promise<void>
  /** For DATABASE_URL: through both HAProxies, a standby through one, or the nodes themselves. */
  url(account: 'owner' | 'run', way?: 'balancers' | 'standby' | 'nodes'): string
  remove(): Promise<void>
}

const DEPLOY = fileURLToPath(new URL('../../deploy', import.meta.url))
const START_MS = 120_000

export async function startCluster(programs: ClusterPrograms): Promise<Cluster> {
  const folder = scratchFolder('failover')
  cpSync(DEPLOY, join(folder, 'deploy'), { recursive: true, filter: (file) => file !== join(DEPLOY, 'secrets') })
  const secrets = join(folder, 'secrets')
  const made = spawnSync('sh', [join(folder, 'deploy/ha/make-secrets.sh'), secrets], {
    env: { PATH: process.env['PATH'], SMTP_URL: 'smtp://127.0.0.1:1' },
    encoding: 'utf8',
  })
  if (made.status !== 0) throw new Error(`make-secrets.sh failed: ${made.stderr}`)
  const secret = (name: string) => readFileSync(join(secrets, name), 'utf8').trim()
  const account = ownFolder(folder)
  if (account.uid !== undefined) spawnSync('chown', ['-R', `${account.uid}:${account.gid}`, folder])

  const etcds = await createEtcds(programs, folder, account)
  const places = ['db-1', 'db-2', 'db-3'].map((name) => ({ name, programs, shared: folder, etcds }))
  const nodes = await Promise.all(places.map(createNode))
  const balancers = await Promise.all(['haproxy-1', 'haproxy-2'].map((name) => createHaproxy(name)))
  const members = [...etcds, ...nodes, ...balancers]
  const killAll = () => {
    for (const member of members) member.signal('SIGKILL')
  }
  process.prependListener('exit', killAll) // before the folders are removed

  async function createHaproxy(name: string): Promise<HaproxyMember> {
    const [primary, standby, metrics] = await Promise.all([1, 2, 3].map(async () => `127.0.0.1:${await lastingPort()}`))
    const env = { PRIMARY_BIND: primary!, STANDBY_BIND: standby!, METRICS_BIND: metrics! }
    const addresses = nodes.flatMap((node, i) => [
      [`DB_${i + 1}`, `${node.host}:${node.port}`],
      [`DB_${i + 1}_REST_PORT`, new URL(node.rest).port],
    ])
    const command = [programs.haproxy, '-db', '-f', join(folder, 'deploy/ha/haproxy.cfg')]
    const member = createMember({ name, folder, account, command, env: { ...env, ...Object.fromEntries(addresses) } })
    return { ...member, primary: primary!, standby: standby!, metrics: metrics! }
  }

  /** As the first node that answers tells it. */
  const states = async (): Promise<ClusterState[]> => {
    for (const { rest } of nodes) {
      const answer = await fetch(`${rest}/cluster`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined)
      if (answer?.ok) return ((await answer.json()) as { members: ClusterState[] }).members
    }
    return []
  }
  const nodeAs = async (role: string, withinMs = 30_000): Promise<ClusterNode> => {
    for (const until = Date.now() + withinMs; Date.now() < until; await sleep(200)) {
      const name = (await states()).find((one) => one.role === role)?.name
      const node = nodes.find((one) => one.name === name)
      if (node) return node
    }
    throw new Error(`no node is ${role}`)
  }
  /** What Patroni calls a standby that follows. */
  const following = isOlder(programs.patroniVersion, [3, 0, 4]) ? 'running' : 'streaming'
  const whole = async (withinMs = START_MS) => {
    let seen: ClusterState[] = []
    for (const until = Date.now() + withinMs; Date.now() < until; await sleep(300)) {
      seen = await states()
      const roles = seen.map(({ role }) => role)
      const streaming = seen.every(({ role, state }) => (role === 'leader' ? state === 'running' : state === following))
      if (seen.length === nodes.length && streaming && roles.includes('leader') && roles.includes('sync_standby')) return
    }
    throw new Error(
      `the cluster was not whole within ${withinMs} ms: ${JSON.stringify(seen)}\n${nodes.map((one) => one.lastWords()).join('\n')}`,
    )
  }
  const cluster: Cluster = {
    nodes,
    etcds,
    balancers,
    primary: () => nodeAs('leader'),
    synchronous: () => nodeAs('sync_standby'),
    switchover: async () => {
      const [leader, candidate] = [await nodeAs('leader'), await nodeAs('sync_standby')]
      const answer = await fetch(`${leader.rest}/switchover`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`patroni:${secret('patroni_password')}`)}` },
        body: JSON.stringify({ leader: leader.name, candidate: candidate.name }),
        signal: AbortSignal.timeout(60_000),
      })
      if (!answer.ok) throw new Error(`the switchover was refused: ${answer.status} ${await answer.text()}`)
    },
    whole,
    url: (who, way = 'balancers') => {
      const hosts = {
        balancers: balancers.map(({ primary }) => primary).join(),
        nodes: nodes.map(({ host, port }) => `${host}:${port}`).join(),
        standby: balancers[0]!.standby,
      }[way]
      const start = `postgres://adjoin_${who}:${secret(`database_${who}_password`)}@${hosts}/adjoin`
      return way === 'standby' ? start : `${start}?target_session_attrs=read-write`
    },
    remove: async () => {
      await Promise.all(members.map((member) => member.kill()))
      process.off('exit', killAll)
      for (const one of [folder, ...nodes.map((node) => node.folder)]) removeScratch(one)
    },
  }
  try {
    for (const member of [...etcds, ...balancers]) member.start()
    for (const node of nodes) node.start()
    await whole()
  } catch (error) {
    await cluster.remove()
    throw error
  }
  return cluster
}
