// The processes of the embedded PostgreSQL: started in a folder, recognized by it, ended.
// On Linux the folder is entered before the account changes, and called by the short name /proc/self/cwd from
// inside: so neither closed parents nor long paths matter. macOS has no /proc; there the plain path is used.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, fchownSync, fstatSync, ftruncateSync, openSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const linux = process.platform === 'linux'
const env = { LC_ALL: 'C', TZ: 'UTC' }
const logLimit = 10 * 1024 * 1024

/** Who a process runs as; empty when that is ourselves. */
export interface ProcessAccount {
  uid?: number
  gid?: number
}

/** A folder's name for a process that runs in it. */
export const insidePath = (folder: string): string => (linux ? '/proc/self/cwd' : folder)

export interface PostgresServer {
  pid: number
  port: number
}

/**
 * The live postmaster of this folder. A pid alone proves nothing:
 * the kernel may have given it to another program since.
 */
export function serverOf(dir: string): PostgresServer | undefined {
  try {
    const [pid, , , port] = readFileSync(join(dir, 'postmaster.pid'), 'utf8').split('\n').map(Number)
    return pid && runsIn(pid, realpathSync(dir)) ? { pid, port: port || 0 } : undefined
  } catch {
    return undefined
  }
}

function runsIn(pid: number, dir: string): boolean {
  try {
    if (!linux) return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(`-D ${dir}`)
    return readlinkSync(`/proc/${pid}/cwd`) === dir && stat(pid).state !== 'Z'
  } catch {
    return false
  }
}

/** From /proc/pid/stat: `pid (any name) state parent …` */
function stat(pid: number): { state: string; parent: number } {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [state, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { state: state!, parent: Number(parent) }
}

/**
 * After `kill -9` of a postmaster its busy children keep the shared memory,
 * and no new one may start (13 s instead of 0.2).
 */
export function endOrphans(dir: string): void {
  if (!linux) return // there they end by themselves, after the statement they are at
  const real = realpathSync(dir)
  for (const pid of readdirSync('/proc').map(Number)) {
    try {
      const orphan =
        pid > 0 &&
        runsIn(pid, real) &&
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('postgres:') &&
        !runsIn(stat(pid).parent, real)
      if (orphan) process.kill(pid, 'SIGKILL')
    } catch {} // gone meanwhile, or not ours to look at
  }
}

/** Starts the server and returns at once; `failed` tells what it said, should it end by itself. */
export function startServer(
  bin: string,
  dir: string,
  settings: Record<string, string>,
  as: ProcessAccount,
): { failed(): string | undefined } {
  const log = openSync(join(dir, 'server.log'), 'a+', 0o600)
  if (as.uid !== undefined) fchownSync(log, as.uid, as.gid!)
  if (fstatSync(log).size > logLimit) ftruncateSync(log)
  const before = fstatSync(log).size
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // A session of its own: Ctrl-C reaches us and not the server, while requests are being finished.
  const child = spawn(join(bin, 'postgres'), ['-D', insidePath(dir), ...options], {
    cwd: dir,
    ...as,
    env,
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  child.unref()
  let end: string | undefined
  child.on('error', (error) => (end = error.message))
  child.on('exit', (code, signal) => (end = `the server ended with ${signal ?? code}`))
  return { failed: () => end && `${end}: ${tail(join(dir, 'server.log'), before)}` }
}

function tail(file: string, from: number): string {
  return readFileSync(file).subarray(from).toString().trim().split('\n').slice(-5).join('\n')
}

/**
 * Fast shutdown: open transactions roll back, a checkpoint is written.
 * A server that cannot is made to, and recovers at its next start.
 */
export async function stopServer(dir: string): Promise<void> {
  for (const [signal, patience] of [
    ['SIGINT', 8000],
    ['SIGQUIT', 1000],
    ['SIGKILL', 1000],
  ] as const) {
    const server = serverOf(dir)
    if (!server) return
    try {
      process.kill(server.pid, signal)
    } catch {} // ended by itself meanwhile
    for (const until = Date.now() + patience; serverOf(dir)?.pid === server.pid && Date.now() < until; ) await sleep(20)
  }
}

/** Runs a program to its end; `input` is an open file, closed here. */
export async function run([command, ...args]: string[], cwd: string, as: ProcessAccount, input?: number): Promise<void> {
  const child = spawn(command!, args, { cwd, ...as, env, stdio: [input ?? 'ignore', 'pipe', 'pipe'] })
  if (input !== undefined) closeSync(input)
  let said = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (said += chunk))
  const [code, signal] = await once(child, 'close') // rejects when it could not be started
  if (code !== 0) throw new Error(`${command} ended with ${signal ?? code}: ${said.slice(-800).trim()}`)
}
