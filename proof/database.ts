// A PostgreSQL of a proof's own, outside of the services that share it:
// on loopback, so that a proxy can stand in between.
import pg from 'pg'
import { startEmbedded } from '../api/src/db/embedded.ts'
import { freePort } from '../furnishing/free-port.ts'
import { removeScratch, scratchFolder } from './scratch.ts'

export interface ProofDatabase {
  readonly connection: pg.ClientConfig & { port: number }
  /** For `DATABASE_URL`; by another port where a proxy stands in between. */
  url(port?: number): string
  /** One statement outside of every service, as an operator would do it. */
  operator<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>
  /** Brings it back after it was stopped or killed. */
  ensure(): Promise<void>
  readonly folder: string
  remove(): Promise<void>
}

/** Makes an empty database on it, and says how it is reached. */
export type CreateDatabase = (name: string) => Promise<Record<string, string>>

export async function createDatabase(settings: Record<string, string> = {}): Promise<ProofDatabase> {
  const folder = scratchFolder()
  const port = await freePort()
  const server = await startEmbedded(folder, { tcpPort: port, settings: { max_connections: '200', ...settings } })
  const { user, password } = server.connection
  const connection = { host: '127.0.0.1', port, user, password: password as string, database: 'adjoin' }
  const ask = async <R extends pg.QueryResultRow>(config: pg.ClientConfig, text: string, values: unknown[] = []) => {
    const client = new pg.Client(config)
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query<R>(text, values)).rows
    } finally {
      await client.end()
    }
  }
  await ask(server.connection, 'create database adjoin')
  return {
    folder,
    connection,
    url: (at = port) => `postgres://${user}:${encodeURIComponent(connection.password)}@127.0.0.1:${at}/adjoin`,
    operator: (text, values) => ask(connection, text, values),
    ensure: () => server.ensure(),
    remove: async () => {
      await server.stop()
      removeScratch(folder)
    },
  }
}
