// Several database servers, of which one accepts changes: it is found, remembered, and looked for again when it is gone.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type DatabaseAddresses, parseAddresses } from './addresses.ts'

interface Host {
  readonly name: string
  readonly host: string
  readonly port: number
  readonly connectionString: string
}

/** How to reach a database; `Client` connects to whichever of its hosts accepts changes. */
export type Connection = pg.ClientConfig & { readonly Client?: typeof pg.Client }

type ConnectCallback = Parameters<pg.Client['connect']>[0]

/** Connections that are opened together ask once. */
const FRESH_MS = 1000
/** The host that was good last is asked alone for so long; all of it stays below the pool's patience. */
const HEAD_START_MS = 250
const CONNECT_MS = 1000
const ANSWER_MS = 500

/** What `pg` is given for a DATABASE_URL. */
export function connectionTo(databaseUrl: string): Connection {
  const addresses = parseAddresses(databaseUrl)
  const connectionString = addresses.urls[0]!
  return addresses.wanted ? { connectionString, Client: clientOf(findWritable(addresses)) } : { connectionString }
}

/** A single connection outside the pool, to the right host. */
export const newClient = ({ Client = pg.Client, ...connection }: Connection): pg.Client => new Client(connection)

/** Returns the host that accepts changes. */
type Find = () => Promise<Host>

export function findWritable({ urls, wanted }: DatabaseAddresses): Find {
  const hosts = urls.map(hostOf)
  let good = hosts[0]!
  let goodUntil = Number.NEGATIVE_INFINITY
  let asking: Promise<Host> | undefined

  const ask = async (): Promise<Host> => {
    const done = new AbortController()
    const first = good
    const asked = askHost(first, wanted, done.signal)
    const others = hosts.filter((host) => host !== first)
    const late = Promise.race([asked.catch(() => {}), sleep(HEAD_START_MS)])
    try {
      return await Promise.any([asked, ...others.map((host) => late.then(() => askHost(host, wanted, done.signal)))])
    } catch (error) {
      throw noneOf(error as AggregateError)
    } finally {
      done.abort()
    }
  }
  return () => {
    if (performance.now() < goodUntil) return Promise.resolve(good)
    asking ??= ask()
      .then((found) => {
        good = found
        goodUntil = performance.now() + FRESH_MS
        return found
      })
      .finally(() => {
        asking = undefined
      })
    return asking
  }
}

function hostOf(connectionString: string): Host {
  const { hostname, port } = new URL(connectionString)
  const host = decodeURIComponent(hostname).replace(/^\[(.+)\]$/, '$1')
  return { name: `${hostname}:${port || 5432}`, host, port: Number(port || 5432), connectionString }
}

/** Asked with a connection of its own, which ends with the answer. */
async function askHost(host: Host, wanted: DatabaseAddresses['wanted'], signal: AbortSignal): Promise<Host> {
  signal.throwIfAborted()
  const client = new pg.Client({
    connectionString: host.connectionString,
    fallback_application_name: 'adjoin-hosts',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
  })
  client.on('error', () => {})
  const end = () => void client.end().catch(() => {})
  signal.addEventListener('abort', end)
  try {
    await client.connect()
    const { rows } = await client.query<{ standby: boolean; readonly: boolean }>(
      "select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as readonly",
    )
    if (rows[0]!.standby) throw new Error('is a standby')
    if (wanted === 'read-write' && rows[0]!.readonly) throw new Error('is read-only')
    return host
  } catch (error) {
    throw Object.assign(error as Error, { at: host.name })
  } finally {
    signal.removeEventListener('abort', end)
    end()
  }
}

/** A wrong password or a missing database is said as it is; anything else may pass. */
function noneOf({ errors }: AggregateError): Error {
  const refusal = errors.find(({ code }) => /^(28|3D)/.test(code ?? ''))
  const reasons = errors.map(({ at, message, code }) => `${at}: ${message || code}`).join('; ')
  return refusal ?? new Error(`No database server accepts changes (${reasons})`)
}

/** A client that goes where changes are accepted at the moment it connects. */
function clientOf(find: Find): typeof pg.Client {
  class WritableClient extends pg.Client {
    override connect(): Promise<pg.Client>
    override connect(callback: ConnectCallback): void
    override connect(callback?: ConnectCallback): Promise<pg.Client> | undefined {
      const found = find().then(({ host, port }) => void Object.assign(this, { host, port }))
      if (!callback) return found.then(() => super.connect())
      found.then(() => super.connect(callback), callback as (error: Error) => void)
      return undefined
    }
  }
  return WritableClient
}
