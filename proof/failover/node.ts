// One node: Patroni and its PostgreSQL, started as the image starts them.
import { chownSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { accountFor } from '../../api/src/db/embedded-files.ts'
import type { ProcessAccount } from '../../api/src/db/embedded-process.ts'
import { scratchFolder } from '../scratch.ts'
import { type ClusterMember, createMember } from './member.ts'
import { lastingPort } from './port.ts'
import type { ClusterPrograms } from './programs.ts'

export interface ClusterNode extends ClusterMember {
  readonly host: string
  readonly port: number
  /** Patroni's REST API. */
  readonly rest: string
  readonly folder: string
  /** The PostgreSQL of this node, if one lives. */
  postmaster(): number | undefined
}

/** What Patroni says of one node. */
export interface ClusterState {
  readonly name: string
  readonly role: string
  readonly state: string
}

export interface NodePlace {
  readonly name: string
  readonly programs: ClusterPrograms
  /** With the files of deploy/, and the secrets. */
  readonly shared: string
  readonly etcds: readonly { readonly address: string }[]
}

export async function createNode({ name, programs, shared, etcds }: NodePlace): Promise<ClusterNode> {
  const folder = scratchFolder('failover') // whatever happens, the PostgreSQL in it does not outlive the proof
  const account = ownFolder(folder)
  const [port, restPort] = [await lastingPort(), await lastingPort()]
  const data = join(folder, 'postgres')
  const postmaster = () => {
    try {
      const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(data) ? pid : undefined
    } catch {
      return undefined
    }
  }
  const member = createMember({
    name,
    folder,
    account,
    command: ['sh', join(shared, 'deploy/ha/node.sh')],
    others: () => [postmaster()].filter((pid) => pid !== undefined),
    env: {
      ...(process.env['PYTHONPATH'] && { PYTHONPATH: process.env['PYTHONPATH'] }),
      PYTHONDONTWRITEBYTECODE: '1',
      PATH: `${programs.bin}:${process.env['PATH']}`,
      HOME: folder,
      PATRONI: programs.patroni,
      SECRETS: join(shared, 'secrets'),
      PATRONI_NAME: name,
      PATRONI_ETCD3_HOSTS: etcds.map(({ address }) => `'${address}'`).join(),
      PATRONI_RESTAPI_LISTEN: `127.0.0.1:${restPort}`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${restPort}`,
      PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${port}`,
      PATRONI_POSTGRESQL_DATA_DIR: data,
      PATRONI_POSTGRESQL_BIN_DIR: programs.bin,
      PATRONI_POSTGRESQL_PGPASS: join(folder, 'pgpass'),
    },
  })
  return { ...member, host: '127.0.0.1', port, rest: `http://127.0.0.1:${restPort}`, folder, postmaster }
}

/** PostgreSQL refuses root: then a folder, and all that runs in it, is nobody's. */
export function ownFolder(folder: string): ProcessAccount {
  const account = accountFor(folder)
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid!)
  return account
}
