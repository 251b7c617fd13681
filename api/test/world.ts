// The world of a test file: a real service on a real database of its own, and people by name.
import { randomBytes } from 'node:crypto'
import { type Client, createClient } from '@adjoin/contract'
import { onTestFinished } from 'vitest'
import {
  type Caller,
  createTenants,
  type FurnishedKey,
  type FurnishedOrganization,
  type FurnishedPerson,
  type FurnishedWorkspace,
  type KeyOptions,
} from '../../furnishing/tenants.ts'
import { until } from '../../furnishing/until.ts'
import { type App, startApp } from '../src/app.ts'
import { type Config, readConfig } from '../src/config.ts'
import { currentContext } from '../src/context.ts'
import { type Fragment, type Row, sql } from '../src/db/sql.ts'
import { readMailbox } from '../src/mail/mailbox.ts'
import { createSandbox } from '../src/sandbox/index.ts'
import { newSealKey } from '../src/vault/key-ring.ts'
import { PATIENT, PATIENT_WAITS, type Patience } from './patience.ts'
import { newDatabase } from './test-database.ts'
import { createTestLog, type TestLog } from './test-log.ts'

export interface TestCaller extends Caller {
  client: Client
}
export type TestPerson = FurnishedPerson<TestCaller>
export type TestOrganization = FurnishedOrganization<TestCaller>
export type TestWorkspace = FurnishedWorkspace
export type TestKey = FurnishedKey<TestCaller>
export type TestKeyOptions = KeyOptions & { level: 'user' | 'organization' | 'workspace' }

/** A call that a twin of an ad system got. */
export interface Arrival {
  readonly method: string
  readonly url: string
  readonly at: number
}

export type World = Awaited<ReturnType<typeof createWorld>>

/** After which a slow twin answers: later than anybody waits who is not patient. */
const SLOW_MS = 60_000

let addresses = 0
/** Every person speaks from an address of their own, so that limits on one test do not bite another. */
export const newAddress = (): string => {
  addresses++
  return `10.${randomBytes(1)[0]}.${(addresses >> 8) & 255}.${addresses & 255}`
}

/** `before`: what stands before the twins, and answers in their place where it wants to. */
export async function createWorld(
  settings: Partial<Config> = {},
  patience: Patience = {},
  before?: (twins: string) => Promise<{ url: string; close(): Promise<void> }>,
) {
  const log: TestLog = createTestLog()
  /** What requests send; and what loops in the background, jobs and tests do, whatever is going on. */
  const statements: string[] = []
  const looks: string[] = []
  /** A sample of the values that each statement was sent with. */
  const samples = new Map<string, readonly unknown[]>()
  const env = {
    NODE_ENV: 'test',
    PORT: '0',
    TRUSTED_PROXIES: '127.0.0.1',
    DATABASE_URL: await newDatabase(),
    SEAL_KEYS: newSealKey('test1'),
    PUBLIC_URL: 'http://localhost:3000',
  }
  const config: Config = { ...readConfig(env), ...settings }
  // One set of twins for all replicas: what a client consumed at one is consumed for all.
  const arrivals: Arrival[] = []
  const observe = ({ method, url }: { method: string; url: string }) => arrivals.push({ method, url, at: Date.now() })
  const twins = createSandbox({ secret: 'test', environment: 'test', slowMs: SLOW_MS, observe })
  const behind = await twins.listen()
  const sandbox = (await before?.(behind.url)) ?? behind
  const start = (more: Partial<Config> = {}, { timeouts, waits } = patience) =>
    startApp(
      { ...config, ...more },
      {
        log: log.log,
        onStatement: (text, values) => {
          samples.set(text, values)
          ;(currentContext()?.requestId ? statements : looks).push(text)
        },
        sandbox,
        timeouts: { ...PATIENT, ...timeouts },
        waits: { ...PATIENT_WAITS, ...waits },
      },
    )
  const app = await start()
  const replicas: App[] = []

  const query = <R extends object = Row>(fragment: Fragment) => app.parts.db.query<R>(fragment)
  const headersOf = (credential: Record<string, string>) => ({ 'x-forwarded-for': newAddress(), ...credential })
  const client = (headers: Record<string, string> = headersOf({}), url = app.url) => createClient({ url, headers })

  const tenants = createTenants(query, (credential): TestCaller => {
    const headers = headersOf(credential)
    return { headers, client: client(headers) }
  })
  /** The mails to an address, newest first; waits until there are `count` of them. */
  const mails = async (to: string, count = 1) => {
    const found = async () => (await readMailbox(app.parts)).filter((mail) => mail.to === to)
    return until(found, ({ length }) => length >= count, `${count} mail(s) to ${to}`)
  }
  /** Another process's worth of service on the same database. */
  const replica = async (more?: Partial<Config>, patience?: Patience): Promise<App> => {
    const another = await start(more, patience)
    replicas.push(another)
    return another
  }
  /** In a world without jobs: a process that does them, until the test ends. */
  const doJobs = async () => {
    const process = await start({ roles: { api: false, jobs: true } })
    onTestFinished(() => process.stop())
  }
  const stop = async () => {
    await Promise.all([app, ...replicas].map((one) => one.stop()))
    await sandbox.close()
    if (sandbox !== behind) await behind.close()
  }
  return {
    app,
    url: app.url,
    config,
    log,
    statements,
    looks,
    samples,
    query,
    client,
    headersOf,
    ...tenants,
    mails,
    twins,
    arrivals,
    replica,
    doJobs,
    start,
    stop,
  }
}

/** One raw request, for what the typed client would never send. */
export async function request(url: string, init: RequestInit & { address?: string } = {}) {
  const { address = newAddress(), ...rest } = init
  const response = await fetch(url, {
    redirect: 'manual',
    ...rest,
    headers: { 'x-forwarded-for': address, ...(rest.headers as Record<string, string>) },
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: <T = Record<string, unknown>>() => JSON.parse(text) as T }
}

/** What a client's refused promise says: status, code and the whole problem. */
export async function refusal(promise: Promise<unknown>) {
  // Heard of at once: a rejection that nobody listens to for a moment ends the run.
  const refused = promise.then(
    (value) => new Error(`was not refused: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  )
  const { ProblemError } = await import('@adjoin/contract')
  const error = await refused
  if (!(error instanceof ProblemError)) throw error
  return error
}

export { onTestFinished, sql }

/** What the organization's trail says, newest first. */
export const trail = async ({ admin, slug }: TestOrganization) => (await admin.client.listAuditLogs({ orgSlug: slug })).auditLogs
