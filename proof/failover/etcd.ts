// Three members of etcd, with the settings of deploy/ha.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProcessAccount } from '../../api/src/db/embedded-process.ts'
import { type ClusterMember, createMember } from './member.ts'
import { lastingPort } from './port.ts'
import { type ClusterPrograms, ETCD_ANYWHERE } from './programs.ts'

export interface Etcd extends ClusterMember {
  /** Where clients ask: `127.0.0.1:2379`. */
  readonly address: string
}

export async function createEtcds(programs: ClusterPrograms, folder: string, account: ProcessAccount): Promise<Etcd[]> {
  const settings = readSettings(join(folder, 'deploy/ha/etcd.env'))
  const places = await Promise.all(
    ['etcd-1', 'etcd-2', 'etcd-3'].map(async (name) => ({
      name,
      address: `127.0.0.1:${await lastingPort()}`,
      peer: `http://127.0.0.1:${await lastingPort()}`,
    })),
  )
  return places.map(({ name, address, peer }) => ({
    address,
    ...createMember({
      name,
      folder,
      account,
      command: [programs.etcd],
      env: {
        ...settings,
        ...ETCD_ANYWHERE,
        ETCD_NAME: name,
        ETCD_DATA_DIR: join(folder, name),
        ETCD_LISTEN_CLIENT_URLS: `http://${address}`,
        ETCD_ADVERTISE_CLIENT_URLS: `http://${address}`,
        ETCD_LISTEN_PEER_URLS: peer,
        ETCD_INITIAL_ADVERTISE_PEER_URLS: peer,
        ETCD_INITIAL_CLUSTER: places.map((one) => `${one.name}=${one.peer}`).join(),
      },
    }),
  }))
}

/** The one that the others follow. */
export async function etcdLeader(etcds: readonly Etcd[]): Promise<Etcd> {
  for (const etcd of etcds) {
    const asked = { method: 'POST', body: '{}', signal: AbortSignal.timeout(2000) }
    const answer = await fetch(`http://${etcd.address}/v3/maintenance/status`, asked).catch(() => undefined)
    const status = answer?.ok ? ((await answer.json()) as { leader?: string; header: { member_id: string } }) : undefined
    if (status?.leader === status?.header.member_id && status) return etcd
  }
  throw new Error('etcd has no leader')
}

/** Lines of `NAME=value`, as compose reads them. */
export const readSettings = (file: string): Record<string, string> =>
  Object.fromEntries([...readFileSync(file, 'utf8').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]))
