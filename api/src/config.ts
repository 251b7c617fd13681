// The only reader of the environment. One table of settings;
// every mistake is told at once, by name, with what is expected.
import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseEnv } from 'node:util'
import { isLoopback } from '@adjoin/contract/trusted-url'
import { type EnvironmentVariables, settingsReader } from './config-reader.ts'
import { bool, contactOf, isNetwork, machineOf, originOf, pairsOf, wholeNumber } from './config-values.ts'
import { checkedAddress } from './db/addresses.ts'
import { type CheckpointPlace, parseCheckpointPlace } from './domain/checkpoint-place.ts'
import { parseKeyRing } from './vault/key-ring.ts'
import type { SealKey } from './vault/seal.ts'

export type Environment = 'development' | 'test' | 'production'
export type IdentityClient = { clientId: string; clientSecret: string; issuer: string }

/** A collector that takes OTLP over HTTP. */
export interface TracesConfig {
  /** `/v1/traces` is appended. Absent: nothing is traced. */
  endpoint?: string
  headers: Record<string, string>
  serviceName: string
  /** The part of all requests that is recorded, where a caller has not decided it. */
  ratio: number
}

export interface Config {
  environment: Environment
  port: number
  host: string
  publicUrl: string
  dataDir: string
  databaseUrl?: string
  databasePool: number
  databasePrepare: boolean
  smtpUrl?: string
  mailFrom: string
  /** Absent in development until the data folder has one; main makes it. */
  sealKeys?: SealKey[]
  trustedOrigins: string[]
  trustedProxies: string[]
  identity: { google?: IdentityClient; microsoft?: IdentityClient }
  /** Where signed checkpoints of the audit trail are kept. */
  auditCheckpoints?: CheckpointPlace
  /** Whom to tell of a vulnerability, as an address: `mailto:` or https. */
  securityContact: string
  sandbox: boolean
  /** `ADJOIN_<PROVIDER>_…`: the operator's apps at the ad systems. */
  providerSettings: Readonly<Record<string, string>>
  traces: TracesConfig
  metricsPort?: number
  metricsHost: string
  logLevel: string
  roles: { api: boolean; jobs: boolean }
  /** How many processes serve the API on one port; without it one process does everything. */
  workers?: number
  limitsFactor: number
  /** What a build knows of itself; a checkout looks into its own history. */
  build: { commit?: string; builtAt?: string }
}

/** What went wrong, in lines a person can act on. */
export class ConfigurationError extends Error {
  constructor(lines: string[]) {
    super(`The configuration is not valid:\n${lines.map((line) => `  - ${line}`).join('\n')}\nSee .env.example for every setting.`)
    this.name = 'ConfigurationError'
  }
}

/** `.env` is read if present; the environment wins over it. */
export const environmentWithFile = (file = '.env', env: EnvironmentVariables = process.env): EnvironmentVariables =>
  existsSync(file) ? { ...parseEnv(readFileSync(file, 'utf8')), ...env } : env

export function readConfig(env: EnvironmentVariables): Config {
  const { faults, fault, raw, read, list } = settingsReader(env)
  const environment = read<Environment>('NODE_ENV', 'development', 'development, test or production', 'production', (text) =>
    text === 'development' || text === 'test' || text === 'production' ? text : undefined,
  )
  const production = environment === 'production'
  const port = read('PORT', 3000, 'a port number', '3000', wholeNumber(0, 65_535))
  const publicUrl = read(
    'PUBLIC_URL',
    `http://localhost:${port || 3000}`,
    'an origin without a path',
    'https://adjoin.agency.example',
    originOf,
  )
  const identity = (name: string, issuer: string): IdentityClient | undefined => {
    const clientId = raw(`${name}_CLIENT_ID`)
    const clientSecret = raw(`${name}_CLIENT_SECRET`)
    if (!clientId !== !clientSecret) faults.push(`${name}_CLIENT_ID and ${name}_CLIENT_SECRET go together: set both or neither`)
    if (!clientId || !clientSecret) return undefined
    return {
      clientId,
      clientSecret,
      // A stand-in on this machine may speak http; an issuer anywhere else, and any in production, is https.
      issuer: read(`${name}_ISSUER`, issuer, 'the https address of an issuer', issuer, (text) =>
        URL.canParse(text) && (text.startsWith('https://') || (!production && isLoopback(text))) ? text : undefined,
      ),
    }
  }

  /** Says what is wrong with it, besides what it should look like. */
  const told =
    <T>(name: string, parse: (text: string) => T) =>
    (text: string): T | undefined => {
      try {
        return parse(text)
      } catch (error) {
        faults.push(`${name}: ${(error as Error).message}`)
        return undefined
      }
    }

  const config: Config = {
    environment,
    port,
    host: read('HOST', '127.0.0.1', 'an address or a name of this machine', '0.0.0.0', machineOf),
    publicUrl,
    dataDir: raw('DATA_DIR') ?? './data',
    databaseUrl: read(
      'DATABASE_URL',
      undefined,
      'a PostgreSQL address',
      'postgres://adjoin:secret@db.internal:5432/adjoin',
      told('DATABASE_URL', checkedAddress),
    ),
    databasePool: read('DATABASE_POOL', 10, 'a number of connections from 2 to 500', '10', wholeNumber(2, 500)),
    databasePrepare: read('DATABASE_PREPARE', true, 'true or false', 'false', bool),
    smtpUrl: read('SMTP_URL', undefined, 'an SMTP address', 'smtps://user:secret@mail.example:465', (text) =>
      /^smtps?:\/\//.test(text) && URL.canParse(text) ? text : undefined,
    ),
    mailFrom: read(
      'MAIL_FROM',
      'Adjoin <no-reply@localhost>',
      'an address, with or without a name',
      'Adjoin <no-reply@agency.example>',
      (text) => (MAILBOX.test(text) ? text : undefined),
    ),
    sealKeys: read<SealKey[] | undefined>(
      'SEAL_KEYS',
      undefined,
      'keys of 32 random bytes as id:base64, comma-separated',
      '2026a:$(openssl rand -base64 32)',
      told('SEAL_KEYS', parseKeyRing),
    ),
    trustedOrigins: list('TRUSTED_ORIGINS', 'a comma-separated list of origins', 'https://app.agency.example', originOf),
    trustedProxies: list('TRUSTED_PROXIES', 'a comma-separated list of addresses or CIDR ranges', '10.0.0.0/8', (item) =>
      isNetwork(item) ? item : undefined,
    ),
    identity: {
      google: identity('GOOGLE', 'https://accounts.google.com'),
      microsoft: identity('MICROSOFT', 'https://login.microsoftonline.com/common/v2.0'),
    },
    providerSettings: Object.fromEntries(
      Object.keys(env)
        .filter((name) => name.startsWith('ADJOIN_'))
        .map((name) => name.replace(/_FILE$/, ''))
        .flatMap((name) => (raw(name) ? [[name, raw(name)!]] : [])),
    ),
    auditCheckpoints: read(
      'AUDIT_CHECKPOINTS',
      undefined,
      'a file, or an https address to PUT or POST to',
      'file:///var/lib/adjoin/checkpoints.ndjson',
      (text) => parseCheckpointPlace(text, production),
    ),
    securityContact: read(
      'SECURITY_CONTACT',
      `mailto:security@${new URL(publicUrl).hostname}`,
      'an email address, or an https address of a page',
      'security@agency.example',
      contactOf,
    ),
    sandbox: read('SANDBOX', !production, 'true or false', 'false', bool),
    traces: {
      endpoint: read(
        'OTEL_EXPORTER_OTLP_ENDPOINT',
        undefined,
        'the address of a collector for OTLP over HTTP',
        'http://127.0.0.1:4318',
        (text) => (/^https?:\/\//.test(text) && URL.canParse(text) ? text : undefined),
      ),
      headers: read('OTEL_EXPORTER_OTLP_HEADERS', {}, 'names and values, comma-separated', 'authorization=Bearer%20secret', pairsOf),
      serviceName: raw('OTEL_SERVICE_NAME') ?? 'adjoin',
      ratio: read('OTEL_TRACES_SAMPLER_ARG', 1, 'a part from 0 to 1', '0.1', (text) =>
        /^(?:0?\.\d{1,9}|[01](?:\.0+)?)$/.test(text) ? Number(text) : undefined,
      ),
    },
    metricsPort: read('METRICS_PORT', undefined, 'a port number', '9464', wholeNumber(0, 65_535)),
    metricsHost: read('METRICS_HOST', '127.0.0.1', 'an address or a name of this machine', '0.0.0.0', machineOf),
    logLevel: read('LOG_LEVEL', 'info', 'fatal, error, warn, info, debug, trace or silent', 'info', (text) =>
      LEVELS.includes(text) ? text : undefined,
    ),
    roles: read('ROLES', { api: true, jobs: true }, 'api, jobs or both, comma-separated', 'api,jobs', rolesOf),
    workers: read<number | undefined>('WORKERS', undefined, 'auto or a number of processes from 1 to 64', 'auto', workersOf),
    limitsFactor: read('LIMITS_FACTOR', 1, 'a number from 0.01 to 1000000', '4', (text) =>
      /^\d{1,7}(\.\d{1,3})?$/.test(text) && Number(text) >= 0.01 && Number(text) <= 1_000_000 ? Number(text) : undefined,
    ),
    build: { commit: raw('COMMIT'), builtAt: raw('BUILT_AT') },
  }

  for (const [name, value] of Object.entries(config.providerSettings))
    if (name.endsWith('_DAILY_CALLS') && value !== 'none' && wholeNumber(1, 999_999_999)(value) === undefined)
      fault(name, 'a number of calls from 1 on, or none', '15000')

  if (config.trustedProxies.some((network) => /\/0+$/.test(network)))
    faults.push(
      'TRUSTED_PROXIES must not name every address: every client could then choose the address that limits count and logs show. ' +
        'Name the network of your proxies, for example TRUSTED_PROXIES=10.0.0.0/8',
    )

  if (config.workers && !config.roles.api)
    faults.push('WORKERS is the number of processes for the API, which ROLES leaves out: remove WORKERS, or add api to ROLES')

  if (production) {
    if (!config.databaseUrl)
      faults.push('DATABASE_URL is required in production, for example DATABASE_URL=postgres://adjoin:secret@db.internal:5432/adjoin')
    if (!config.smtpUrl) faults.push('SMTP_URL is required in production, for example SMTP_URL=smtps://user:secret@mail.example:465')
    if (!config.sealKeys)
      faults.push(
        'SEAL_KEYS is required in production, for example SEAL_KEYS=2026a:$(openssl rand -base64 32); keep a copy, separate from your backups',
      )
    if (!publicUrl.startsWith('https://'))
      faults.push('PUBLIC_URL must be https in production, for example PUBLIC_URL=https://adjoin.agency.example')
    if (config.sandbox) faults.push('SANDBOX can’t be true in production, because its ad systems are only stand-ins: remove it')
  }
  if (faults.length) throw new ConfigurationError(faults)
  return config
}

const MAILBOX = /^(?:[^<>\p{Cc}]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u
const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

const workersOf = (text: string) => (text === 'auto' ? Math.min(availableParallelism(), 64) : wholeNumber(1, 64)(text))

function rolesOf(text: string): Config['roles'] | undefined {
  const roles = text.split(',').map((role) => role.trim())
  return roles.every((role) => role === 'api' || role === 'jobs') ? { api: roles.includes('api'), jobs: roles.includes('jobs') } : undefined
}
