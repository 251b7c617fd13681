// A run of a program that leaves nothing behind. All temporary files of the run lie in one folder, which everything it
// starts inherits as TMPDIR; at its end, however it comes, what still lives there is ended, and the folder goes.
// A run that was killed itself is swept by the next one: it no longer listens on the socket in its folder.
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const NAME = 'adjoin-run-'
const SOCKET = 'alive'
/** What is told to end gets so long before it is killed. */
const GRACE_MS = 5000
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs a program of ours with this Node; how it ended, as a shell would say it. */
export async function swept(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  await sweepDeadRuns()
  const { folder, server } = await openFolder()
  // Hundreds of programs of ours start in a run: compiling all they import again would be most of what they do.
  const own = { TMPDIR: folder, NODE_COMPILE_CACHE: join(folder, 'compiled') }
  const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env, ...own } })
  const end = () => {
    child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref()
  }
  for (const signal of SIGNALS) process.on(signal, end)
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code, signal) => resolve(signal ? 130 : code!))
    })
  } finally {
    await endAllIn(folder)
    server.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    for (const signal of SIGNALS) process.off(signal, end)
  }
}

/** Found by the others only once it listens. Whoever runs as somebody else passes through, and sees no names. */
async function openFolder(): Promise<{ folder: string; server: Server }> {
  const fresh = mkdtempSync(join(tmpdir(), 'adjoin-new-'))
  chmodSync(fresh, 0o711)
  const server = createServer((socket) => socket.destroy()).unref()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(join(fresh, SOCKET), resolve))
  const folder = join(tmpdir(), basename(fresh).replace('adjoin-new-', NAME))
  renameSync(fresh, folder)
  return { folder, server }
}

async function sweepDeadRuns(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((one) => one.startsWith(NAME))) {
    const folder = join(tmpdir(), name)
    if (!(await isDead(folder))) continue
    await endAllIn(folder)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Only a socket that nobody listens on says so: one that we may not ask belongs to somebody else. */
const isDead = (folder: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(join(folder, SOCKET))
    socket.once('connect', () => resolve(false))
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'ECONNREFUSED' || code === 'ENOENT'))
    socket.once('close', () => socket.destroy())
  })

/** Asks first, since a PostgreSQL that is killed leaves memory of the machine behind. */
async function endAllIn(folder: string): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const)
    for (const until = Date.now() + GRACE_MS; Date.now() < until; await sleep(50)) {
      const living = processesIn(folder)
      if (!living.length) return
      for (const pid of living) kill(pid, signal)
    }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended meanwhile, or is somebody else's.
  }
}

/** By their environment, or what they were started with: PostgreSQL gets no environment of ours. Only Linux tells. */
function processesIn(folder: string): number[] {
  const isOurs = (pid: number) =>
    contentOf(`/proc/${pid}/environ`).some((line) => line === `TMPDIR=${folder}` || line.startsWith(`TMPDIR=${folder}/`)) ||
    contentOf(`/proc/${pid}/cmdline`).some((word) => word.includes(`${folder}/`))
  return numbersIn('/proc').filter((pid) => pid !== process.pid && isOurs(pid))
}

function contentOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\0')
  } catch {
    return [] // it has ended, or is somebody else's
  }
}

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder).map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}
