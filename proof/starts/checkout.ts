// A fresh copy of this checkout, as a clone would have it, and `npm start` in it as a person types it.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, cpSync, lchownSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../furnishing/free-port.ts'
import { killDatabaseIn, removeScratch, scratchFolder } from '../scratch.ts'

export interface StartedProgram {
  readonly output: string
  /** What it ended with: by itself, or told to. */
  readonly code: number | null
  readonly seconds: number
  /** Why it did not come up, or was not the whole product. */
  readonly fault?: string
}

export type Checkout = Awaited<ReturnType<typeof createCheckout>>

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const NOBODY = 65_534
const PATIENCE_MS = 180_000
const STOP_MS = 15_000
/** What a shell has besides, and npm may need to reach its registry. */
const KEPT = /^(LANG|LC_\w+|TERM|TMPDIR|NODE_EXTRA_CA_CERTS|https?_proxy|no_proxy|npm_config_(registry|userconfig))$/i

export async function createCheckout(name = 'adjoin', asNobody = false) {
  const scratch = scratchFolder('starts')
  const folder = join(scratch, name)
  const home = join(scratch, 'home')
  copyFiles(folder)
  const account = asNobody && process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  const base: Record<string, string> = { ...shell(), npm_config_prefer_offline: 'true', PATH: plainPath() }
  if (account.uid) {
    mkdirSync(home)
    cpSync(npmCache(), join(home, '.npm'), { recursive: true, filter: (path) => !path.endsWith('_logs') })
    giveTo(NOBODY, scratch)
    base.HOME = home
  }

  const launch = (command: readonly string[], env: Readonly<Record<string, string>>) => {
    const child = spawn(command[0]!, command.slice(1), {
      cwd: folder,
      env: { ...base, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true, // a group of its own, so that it can be ended whole
      ...account,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    const kill = () => {
      try {
        process.kill(-child.pid!, 'SIGKILL')
      } catch {
        // It is over.
      }
      killDatabaseIn(join(folder, 'data'))
    }
    // An interrupted proof leaves nothing behind; its folder is removed after it.
    process.prependListener('exit', kill)
    const ended = once(child, 'close').then(() => {
      process.off('exit', kill)
      return child.exitCode
    })
    return { child, ended, kill, output: () => output }
  }

  const run = async (command: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const { ended, output } = launch(command, env)
    return { code: await ended, output: output() }
  }

  /** Until it answers or ends; then it is told to stop. */
  const start = async (env: Readonly<Record<string, string>> = {}): Promise<StartedProgram> => {
    const port = env.PORT ?? String(await freePort())
    const began = performance.now()
    const { child, ended, kill, output } = launch(['npm', 'start'], { PORT: port, ...env })
    const left = () => child.exitCode !== null || child.signalCode !== null
    const url = `http://127.0.0.1:${port}`
    while (!left() && performance.now() - began < PATIENCE_MS && !(await isUp(url))) await sleep(50)
    const seconds = Math.round((performance.now() - began) / 100) / 10
    const fault = left() ? `ended instead:\n${output().slice(-2000)}` : await missing(url)
    child.kill('SIGTERM')
    const late = setTimeout(kill, STOP_MS)
    const code = await ended
    clearTimeout(late)
    return { output: output(), code, seconds, ...(fault && { fault }) }
  }

  const npm = async (args: readonly string[]) => {
    const { code, output } = await run(['npm', ...args])
    if (code !== 0) throw new Error(`npm ${args.join(' ')} failed:\n${output}`)
  }
  return { folder, npm, run, start, remove: async () => removeScratch(scratch) }
}

const isUp = async (url: string) =>
  (await fetch(`${url}/health`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined))?.status === 200

/** Up is not enough: the portal has to be the one that this checkout was built into, file by file. */
async function missing(url: string): Promise<string | undefined> {
  const ours = readFileSync(join(ROOT, 'portal/dist/index.html'), 'utf8')
  const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text()
  return page === ours ? undefined : `another portal than the production build:\n${page}`
}

/** What a clone would have, with the changes that are not committed yet. */
function copyFiles(folder: string): void {
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
  for (const file of files.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(ROOT, file), join(folder, file))
  }
}

const shell = () =>
  Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[0] === 'HOME' || KEPT.test(entry[0])))

/** Without what npm has put in front of it: a person's shell finds the machine's own Node. */
const plainPath = () =>
  process.env
    .PATH!.split(delimiter)
    .filter((folder) => !/node_modules|node-gyp-bin/.test(folder))
    .join(delimiter)

const npmCache = () => execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8', cwd: ROOT }).trim()

function giveTo(account: number, folder: string): void {
  chownSync(folder, account, account)
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) lchownSync(join(folder, path), account, account)
}
