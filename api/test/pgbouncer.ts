// A real PgBouncer between a test and its database, where the machine has one.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { freePort } from '../../furnishing/free-port.ts'
import { until } from '../../furnishing/until.ts'

/** PGBOUNCER names one; else that of the path, or of where distributions put it. */
const binary = [
  process.env.PGBOUNCER,
  ...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'pgbouncer')),
  '/usr/sbin/pgbouncer',
]
  .filter((path) => path !== undefined)
  .find((path) => existsSync(path))

/** 121 is 1.21. Undefined where there is none. */
export const pgbouncerVersion = binary === undefined ? undefined : versionOf(execFileSync(binary, ['--version'], { encoding: 'utf8' }))

function versionOf(text: string): number {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(text) ?? []
  return Number(major) * 100 + Number(minor)
}

/** Through it to a database: its address. PgBouncer does not run as root. */
export async function startPgbouncer(databaseUrl: string, settings: Record<string, string | number>) {
  const { hostname, port: serverPort, username, password, pathname } = new URL(databaseUrl)
  const [folder, port] = [mkdtempSync(join(tmpdir(), 'adjoin-pgbouncer-')), await freePort()]
  const as = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const file = join(folder, 'pgbouncer.ini')
  const options = { listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '', auth_type: 'any', admin_users: 'nobody', ...settings }
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${serverPort} user=${username} password=${password}
[pgbouncer]
${Object.entries(options)
  .map(([name, value]) => `${name} = ${value}`)
  .join('\n')}
`,
  )
  chmodSync(folder, 0o700)
  if (as.uid) for (const path of [folder, file]) chownSync(path, as.uid, as.gid)
  const child = spawn(binary!, ['-q', file], { stdio: 'ignore', ...as })
  const ended = once(child, 'exit')
  await until(() => listens(port), Boolean, 'PgBouncer')
  return {
    url: `postgres://adjoin@127.0.0.1:${port}${pathname}`,
    stop: async () => {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
