// What `adjoin login` and `adjoin use` remember, by profile. The file holds sessions, so only its owner may read it.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { usage } from './failure.ts'

export interface SavedContext {
  url?: string
  token?: string
  apiKey?: string
  org?: string
  workspace?: string
}

/** The profile without a name is the file itself, as it was before there were others. */
interface SavedFile extends SavedContext {
  profiles?: Record<string, SavedContext>
}

export interface Saved {
  readonly context: SavedContext
  /** False: there is no profile of that name yet. */
  readonly exists: boolean
  save(change: SavedContext): void
  forget(): void
}

export const DEFAULT_PROFILE = 'default'

const fileOf = (env: NodeJS.ProcessEnv): string =>
  join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'adjoin', 'config.json')

function read(env: NodeJS.ProcessEnv): SavedFile {
  const file = fileOf(env)
  if (!existsSync(file)) return {}
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as SavedFile
  } catch {
    throw usage(`${file} is not valid JSON. Remove it and run \`adjoin login\` again.`)
  }
}

function write(env: NodeJS.ProcessEnv, content: SavedFile): void {
  const file = fileOf(env)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // A new file takes the old one's place:
  // at no moment is it half written, or readable by others as an old one may have been.
  const fresh = `${file}.${process.pid}`
  writeFileSync(fresh, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  renameSync(fresh, file)
}

/** A map: a profile may be called `constructor`. */
const named = ({ profiles }: SavedFile) => new Map(Object.entries(profiles ?? {}))

export function savedOf(env: NodeJS.ProcessEnv, profile = DEFAULT_PROFILE): Saved {
  if (!/^[\w.-]{1,64}$/.test(profile)) throw usage('A profile name can have up to 64 letters, digits, dots, dashes and underscores.')
  const { profiles: _, ...own } = read(env)
  if (profile === DEFAULT_PROFILE)
    return {
      context: own,
      exists: true,
      save: (change) => write(env, { ...read(env), ...change }),
      forget: () => keepOnly(env, read(env).profiles),
    }
  const saved = named(read(env)).get(profile)
  return {
    context: saved ?? {},
    exists: saved !== undefined,
    save: (change) => {
      const file = read(env)
      const all = named(file)
      write(env, { ...file, profiles: Object.fromEntries(all.set(profile, { ...all.get(profile), ...change })) })
    },
    forget: () => {
      const { profiles: _, ...rest } = read(env)
      const all = named(read(env))
      all.delete(profile)
      if (Object.keys(rest).length) write(env, { ...rest, ...(all.size && { profiles: Object.fromEntries(all) }) })
      else keepOnly(env, Object.fromEntries(all))
    },
  }
}

function keepOnly(env: NodeJS.ProcessEnv, profiles: SavedFile['profiles']): void {
  if (profiles && Object.keys(profiles).length) write(env, { profiles })
  else rmSync(fileOf(env), { force: true })
}

export function profilesOf(env: NodeJS.ProcessEnv): ({ name: string } & SavedContext)[] {
  const file = read(env)
  const { profiles: _, ...own } = file
  const others = [...named(file)].map(([name, saved]) => ({ name, ...saved }))
  return Object.keys(own).length ? [{ name: DEFAULT_PROFILE, ...own }, ...others] : others
}
