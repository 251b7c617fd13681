// Where we call and as whom: flags win over the environment, the environment over what was remembered.
import { hostname } from 'node:os'
import { type Client, createClient } from '@adjoin/contract'
import { type Credential, usage } from './failure.ts'
import { DEFAULT_PROFILE, type Saved, type SavedContext, savedOf } from './saved.ts'
import { hasFormat, useFormat } from './template.ts'
import { note } from './terminal.ts'

export const VERSION = '0.1.0'

export interface Flags {
  url?: string
  org?: string
  workspace?: string
  json?: boolean
  template?: string
  jq?: string
  profile?: string
  /** Where a profile may be made, it need not be there. */
  newProfile?: boolean
}
export interface Context {
  readonly url: string
  readonly client: Client
  /** Documents for programs instead of tables for people. */
  readonly json: boolean
  readonly signedIn: boolean
  readonly credential: Credential | undefined
  readonly org: () => string
  readonly workspace: () => string
  /** The only workspace that the key can see. */
  readonly keyWorkspace: string | undefined
  readonly headers: Record<string, string>
  readonly saved: Saved
  /** Takes a key in the place of the one that was remembered, where that is the one in use. */
  readonly saveKey?: (apiKey: string) => void
}
/** What a key belongs to. */
export interface KeyPlace {
  readonly org: string
  readonly workspace: string | undefined
}

const FALLBACK = 'http://localhost:3000'

const SYSTEM: Partial<Record<NodeJS.Platform, string>> = { linux: 'Linux', darwin: 'Mac OS', win32: 'Windows' }

/** The machine in it is what a list of sessions shows. */
export const userAgent = `adjoin-cli/${VERSION} (${SYSTEM[process.platform] ?? process.platform}; ${hostname().replace(/[^\w.-]/g, '')})`

/** Told once a run: every answer repeats it. */
const told = new WeakSet<NodeJS.ProcessEnv>()

export function clientOf(url: string, headers: Record<string, string>, env: NodeJS.ProcessEnv): Client {
  return createClient({
    url,
    headers: { 'user-agent': userAgent, ...headers },
    fetch: async (...request) => {
      const answer = await fetch(...request)
      if (!told.has(env) && announceRetiring(answer.headers)) told.add(env)
      return answer
    },
  })
}

/** A key that was replaced says so until it stops working (RFC 9745, RFC 8594). */
function announceRetiring(headers: Headers): boolean {
  const until = new Date(headers.get('sunset') ?? '')
  if (!headers.has('deprecation') || Number.isNaN(until.getTime())) return false
  note`This API key was replaced and stops working on ${until.toISOString().slice(0, 16).replace('T', ' ')} UTC. Use the new key.\n`
  return true
}

function addressOf(text: string, source: string): string {
  const address = text.replace(/\/+$/, '')
  if (/^https?:\/\//.test(address) && URL.canParse(address)) return address
  throw usage(`${source} takes an address such as https://adjoin.agency.example, not ${text}`)
}

export function contextOf(flags: Flags, env: NodeJS.ProcessEnv, keyPlace?: KeyPlace): Context {
  const profile = flags.profile ?? (env.ADJOIN_PROFILE || DEFAULT_PROFILE)
  const saved = savedOf(env, profile)
  if (!saved.exists && !flags.newProfile) throw usage(`There is no profile ${profile}. Create it: adjoin login --profile ${profile}`)
  const file = saved.context
  const url = addressOf(flags.url ?? env.ADJOIN_URL ?? file.url ?? FALLBACK, flags.url === undefined ? 'ADJOIN_URL' : '--url')
  // What was remembered is for the service that gave it: no other address ever gets to see it.
  const own: SavedContext = url === (file.url ?? FALLBACK) ? file : {}
  const key = env.ADJOIN_API_KEY || (env.ADJOIN_TOKEN ? undefined : own.apiKey)
  const token = env.ADJOIN_TOKEN || own.token
  const headers: Record<string, string> = key ? { 'x-api-key': key } : token ? { authorization: `Bearer ${token}` } : {}
  const organization = flags.org ?? env.ADJOIN_ORG ?? keyPlace?.org ?? file.org
  const remembered = keyPlace && keyPlace.org !== file.org ? undefined : file.workspace
  const workspace = flags.workspace ?? env.ADJOIN_WORKSPACE ?? keyPlace?.workspace ?? remembered
  const named = (what: string, value: string | undefined) => () => {
    if (value) return value
    throw usage(`Which ${what}? Add --${what === 'organization' ? 'org' : what} SLUG, or set a default: adjoin use ORG/WORKSPACE`)
  }
  useFormat(flags)
  return {
    url,
    client: clientOf(url, headers, env),
    json: flags.json === true || hasFormat(),
    signedIn: key !== undefined || token !== undefined,
    credential: credentialOf(env, own),
    org: named('organization', organization),
    workspace: named('workspace', workspace),
    keyWorkspace: keyPlace?.workspace,
    headers,
    saved,
    ...(key && key === own.apiKey && { saveKey: (apiKey: string) => saved.save({ apiKey }) }),
  }
}

/** Where the credential in use comes from: what to change where it is refused. */
function credentialOf(env: NodeJS.ProcessEnv, own: SavedContext): Credential | undefined {
  if (env.ADJOIN_API_KEY) return 'ADJOIN_API_KEY'
  if (env.ADJOIN_TOKEN) return 'ADJOIN_TOKEN'
  return own.apiKey ? 'key' : own.token ? 'session' : undefined
}
