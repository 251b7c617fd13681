// Where we call and as whom: flags win over the environment, the environment over the file.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Client, createClient, type EventsReader } from '@adjoin/contract'
import { usage } from './failure.ts'

/** What `adjoin login` and `adjoin use` remember. The file holds a session, so only its owner may read it. */
export interface SavedContext {
  url?: string
  token?: string
  apiKey?: string
  org?: string
  workspace?: string
}
export interface Flags {
  url?: string
  org?: string
  workspace?: string
  json?: boolean
}
export interface Context {
  readonly url: string
  readonly client: Client & EventsReader
  readonly json: boolean
  readonly signedIn: boolean
  readonly org: () => string
  readonly workspace: () => string
  readonly headers: Record<string, string>
  /** Takes a key in the place of the one that was remembered, where that is the one in use. */
  readonly saveKey?: (apiKey: string) => void
}

const FALLBACK = 'http://localhost:3000'

export const fileOf = (env: NodeJS.ProcessEnv): string =>
  join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'adjoin', 'config.json')

export function readSavedContext(env: NodeJS.ProcessEnv): SavedContext {
  const file = fileOf(env)
  if (!existsSync(file)) return {}
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as SavedContext
  } catch {
    throw usage(`${file} is not valid JSON. Remove it and run \`adjoin login\` again.`)
  }
}

export function saveContext(env: NodeJS.ProcessEnv, change: SavedContext): void {
  const file = fileOf(env)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // A new file takes the old one's place:
  // at no moment is it half written, or readable by others as an old one may have been.
  const fresh = `${file}.${process.pid}`
  writeFileSync(fresh, `${JSON.stringify({ ...readSavedContext(env), ...change }, null, 2)}\n`, { mode: 0o600 })
  renameSync(fresh, file)
}

export const deleteSavedContext = (env: NodeJS.ProcessEnv): void => rmSync(fileOf(env), { force: true })

export function contextOf(flags: Flags, env: NodeJS.ProcessEnv): Context {
  const file = readSavedContext(env)
  const url = (flags.url ?? env.ADJOIN_URL ?? file.url ?? FALLBACK).replace(/\/+$/, '')
  // What was remembered is for the service that gave it: no other address ever gets to see it.
  const own: SavedContext = url === (file.url ?? FALLBACK) ? file : {}
  const key = env.ADJOIN_API_KEY || (env.ADJOIN_TOKEN ? undefined : own.apiKey)
  const token = env.ADJOIN_TOKEN || own.token
  const headers: Record<string, string> = key ? { 'x-api-key': key } : token ? { authorization: `Bearer ${token}` } : {}
  const [organization, workspace] = [flags.org ?? env.ADJOIN_ORG ?? file.org, flags.workspace ?? env.ADJOIN_WORKSPACE ?? file.workspace]
  const named = (what: string, value: string | undefined) => () => {
    if (value) return value
    throw usage(`Which ${what}? Add --${what === 'organization' ? 'org' : what} SLUG, or set a default: adjoin use ORG/WORKSPACE`)
  }
  return {
    url,
    client: createClient({ url, headers: { ...headers, 'user-agent': 'adjoin-cli/0.1.0' } }),
    json: flags.json === true,
    signedIn: key !== undefined || token !== undefined,
    org: named('organization', organization),
    workspace: named('workspace', workspace),
    headers,
    ...(key && key === own.apiKey && { saveKey: (apiKey: string) => saveContext(env, { apiKey }) }),
  }
}
