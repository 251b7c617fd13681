// What a cluster is made of, if this machine has it.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export interface ClusterPrograms {
  /** A command line: `patroni`, or several words. */
  readonly patroni: string
  readonly patroniVersion: string
  readonly etcd: string
  readonly haproxy: string
  /** The folder of PostgreSQL's own programs. */
  readonly bin: string
  /** All of them with their versions, for the record. */
  readonly versions: string
}

/** Not found: the proof can't be carried out here, which is no failure. */
export class NotFound extends Error {}

/**
 * Before this, a primary that wakes up after its lease has ended puts itself back as the leader,
 * and what the other one acknowledged meanwhile is thrown away.
 */
const OLDEST_PATRONI = [3, 0, 3]

export function findPrograms(env: NodeJS.ProcessEnv = process.env): ClusterPrograms {
  if (process.platform !== 'linux') throw new NotFound('the processes of a node are found by /proc, which only Linux has')
  const patroni = env['PATRONI'] || found('patroni', env)
  if (!patroni) throw new NotFound('Patroni is not installed. Put patroni on the PATH, or set PATRONI="python3 -m patroni" and PYTHONPATH')
  const patroniVersion = versionOf(['sh', '-c', `${patroni} --version`], env)
  if (!patroniVersion) throw new NotFound(`\`${patroni} --version\` does not work here`)
  if (isOlder(patroniVersion, OLDEST_PATRONI))
    throw new Error(
      `Patroni ${patroniVersion} loses acknowledged changes: before ${OLDEST_PATRONI.join('.')}, a primary that was frozen puts itself back ` +
        'as the leader when it wakes up, although its lease has ended and another took over. Install a newer one.',
    )
  const [etcd, haproxy] = [found('etcd', env), found('haproxy', env)]
  if (!etcd || !haproxy) throw new NotFound(`${etcd ? 'HAProxy' : 'etcd'} is not installed`)
  const bin = postgresFolder(env)
  if (!bin) throw new NotFound('no PostgreSQL with pg_basebackup and pg_rewind is installed. Set PG_BIN to the folder of its programs')
  const versions = [
    `Patroni ${patroniVersion}`,
    `PostgreSQL ${versionOf([join(bin, 'postgres'), '--version'], env)}`,
    `etcd ${versionOf([etcd, '--version'], { ...env, ...ETCD_ANYWHERE })}`,
    `HAProxy ${versionOf([haproxy, '-v'], env)}`,
  ].join(', ')
  return { patroni, patroniVersion, etcd, haproxy, bin, versions }
}

/** etcd 3.4 does not start on arm64 unless told that we know. */
export const ETCD_ANYWHERE: Record<string, string> = process.arch === 'arm64' ? { ETCD_UNSUPPORTED_ARCH: 'arm64' } : {}

export function isOlder(version: string, than: readonly number[]): boolean {
  const parts = version.split('.').map(Number)
  const at = than.findIndex((part, i) => (parts[i] ?? 0) !== part)
  return at >= 0 && (parts[at] ?? 0) < than[at]!
}

/** On the PATH, or where daemons are that only root starts. */
const found = (name: string, env: NodeJS.ProcessEnv): string | undefined =>
  [...(env['PATH'] ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin'].map((folder) => join(folder, name)).find(existsSync)

function versionOf([command, ...args]: string[], env: NodeJS.ProcessEnv): string | undefined {
  const options = { env: { ...env, PYTHONDONTWRITEBYTECODE: '1' }, encoding: 'utf8', timeout: 20_000 } as const
  const { status, stdout } = spawnSync(command!, args, options)
  return status === 0 ? /\d+\.\d+(\.\d+)?/.exec(stdout)?.[0] : undefined
}

/** `PG_BIN`, or the newest of those that Debian's packages have put in their place. */
function postgresFolder(env: NodeJS.ProcessEnv): string | undefined {
  const packaged = '/usr/lib/postgresql'
  const newestFirst = existsSync(packaged) ? readdirSync(packaged).toSorted((a, b) => Number(b) - Number(a)) : []
  const folders = env['PG_BIN'] ? [env['PG_BIN']] : newestFirst.map((major) => join(packaged, major, 'bin'))
  return folders.find((folder) => ['postgres', 'pg_basebackup', 'pg_rewind', 'psql'].every((name) => existsSync(join(folder, name))))
}
