/**
 * Opens sessions with ad systems: which are configured,
 * which are served by their twin, and the judged send that providers use.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { DEFAULT_WAITS } from '../waits.ts'
import { judge } from './answer.ts'
import type { Http } from './http.ts'
import { route } from './http.ts'
import { dialectOf } from './oauth.ts'
import { type FieldValues, type Provider, unreachable, type VendorRequest, type VendorSession } from './provider.ts'

type OperatorSettings = Readonly<Record<string, string | undefined>>

export type VendorSessions = {
  /** False while no app is configured for what was entered, and no twin serves the system. */
  available(provider: Provider, fields?: FieldValues): boolean
  /** The operator's app at a system, the version of its API, and where its twin is, if one serves it. */
  settingsOf(provider: Provider): {
    readonly app: Readonly<Record<string, string>>
    readonly version: string
    readonly twin?: string | undefined
  }
  /** `times`: how often the usual time a run may take that reads much. */
  open(provider: Provider, now: Date, times?: number): VendorSession
}

export type VendorSessionsOptions = {
  environment: OperatorSettings
  http: Http
  /** Where twins are: `url` for us, `publicUrl` for a browser. Absent in production. */
  sandbox?: { url: string; publicUrl: string }
  /** For everything one run sends, retries included. */
  totalMs?: number
  /** How long a new access is given to propagate, where it may be refused at first: most need seconds. */
  propagationMs?: number
  userAgent?: string
}

const upperSnake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()

/** ADJOIN_GOOGLE_ADS_CLIENT_ID for google_ads and clientId. */
export function settingName({ id }: Pick<Provider, 'id'>, name: string): string {
  const key = `${id} ${name}`
  const known = settingNames.get(key) ?? `ADJOIN_${upperSnake(id)}_${upperSnake(name)}`
  settingNames.set(key, known)
  return known
}

/** A few for each provider; asked for with every call. */
const settingNames = new Map<string, string>()

function appOf(provider: Provider, environment: OperatorSettings): Record<string, string> | null {
  const values = [...provider.app, ...(provider.optionalApp ?? [])].map((name) => [name, environment[settingName(provider, name)]] as const)
  const app = Object.fromEntries(values.filter((entry): entry is [string, string] => Boolean(entry[1])))
  return provider.app.every((name) => name in app) ? app : null
}

function hostsOf(provider: Provider, environment: OperatorSettings): Record<string, string> {
  const entries = Object.entries(provider.hosts).map(([role, origin]) => [
    role,
    environment[settingName(provider, `${role}Host`)] ?? origin,
  ])
  return Object.fromEntries(entries.map(([role, origin]) => [role, new URL(origin!).origin]))
}

export function createVendorSessions(options: VendorSessionsOptions): VendorSessions {
  const { environment, http, sandbox, totalMs = DEFAULT_WAITS.vendor, propagationMs = 5000, userAgent = 'Adjoin/0.1' } = options

  /** An app of its own beats the twin; systems without an app are real only where there is no sandbox. */
  const placement = (provider: Provider) => {
    const app = appOf(provider, environment)
    if (app && !(sandbox && provider.app.length === 0)) return { app, twin: undefined }
    // A twin knows every client, those included that an operator may leave out.
    const names = [...provider.app, ...(provider.optionalApp ?? []).filter((name) => /Client(Id|Secret)$/.test(name))]
    if (sandbox) return { app: Object.fromEntries(names.map((name) => [name, `sandbox-${name}`])), twin: sandbox }
    return null
  }

  /** What the environment says of a system does not change while we run. */
  const known = new Map<string, ReturnType<typeof read>>()
  const read = (provider: Provider) => {
    const { app, twin } = placement(provider) ?? { app: {}, twin: undefined }
    const hosts = hostsOf(provider, environment)
    const version = environment[settingName(provider, 'version')] ?? provider.version ?? ''
    return {
      app,
      twin,
      hosts,
      version,
      settings: { app, version, twin: twin?.url },
      reach: { provider: provider.id, allowed: Object.values(hosts) },
    }
  }
  const surroundings = (provider: Provider) => {
    const found = known.get(provider.id) ?? read(provider)
    known.set(provider.id, found)
    return found
  }

  const sessions: VendorSessions = {
    available(provider, fields = {}) {
      if (!placement(provider)) return false
      return provider.authMethod !== 'oauth' || dialectOf(sessions.open(provider, new Date()), fields).client.id !== ''
    },
    settingsOf: (provider) => surroundings(provider).settings,
    open(provider, now, times = 1) {
      const { app, twin, hosts, version, reach } = surroundings(provider)
      const deadline = performance.now() + totalMs * times
      const secrets = new Set<string>()
      const conceal: VendorSession['conceal'] = (values) => {
        for (const value of values) if (value && value.length >= 4) secrets.add(value)
      }
      conceal(Object.entries(app).flatMap(([name, value]) => (name === 'clientId' ? [] : [value])))
      return {
        provider,
        hosts,
        version,
        app,
        now,
        twin: twin?.url,
        address: (url) => route({ ...reach, twin: twin?.publicUrl, url }).href,
        conceal,
        waitForPropagation: () => sleep(Math.max(0, Math.min(propagationMs, deadline - performance.now()))),
        async send(step, request) {
          const repeatable = request.repeatable ?? (request.method === 'GET' && step === 'verify')
          const answer = await http({ ...reach, twin: twin?.url, ...httpRequest(request, userAgent), repeatable, deadline })
          if ('failure' in answer) return unreachable(answer.failure)
          return judge(provider, step, answer, now, { secrets, anyBody: request.anyBody })
        },
      }
    },
  }
  return sessions
}

function httpRequest(
  request: VendorRequest,
  userAgent: string,
): { method: string; url: string; headers: Record<string, string>; body?: string } {
  const url = new URL(request.url)
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value)
  const headers: Record<string, string> = { accept: 'application/json', 'user-agent': userAgent }
  for (const [name, value] of Object.entries(request.headers ?? {})) headers[name.toLowerCase()] = value
  if (request.form)
    return {
      method: request.method,
      url: url.href,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(request.form).toString(),
    }
  if (request.json !== undefined)
    return {
      method: request.method,
      url: url.href,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(request.json),
    }
  return { method: request.method, url: url.href, headers }
}
