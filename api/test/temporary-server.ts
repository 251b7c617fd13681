// A PostgreSQL of a test's own: on a folder that goes away with it, without the disk's patience.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type Embedded, startEmbedded } from '../src/db/embedded.ts'
import { PATIENT } from './patience.ts'

export const careless = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }

export interface TemporaryServer extends Embedded {
  folder: string
  /** A new, empty database. */
  database(): Promise<pg.ClientConfig>
  /** One statement outside any pool, as an operator would do it. */
  operator(text: string, values?: unknown[]): Promise<pg.QueryResult>
  remove(): Promise<void>
}

export async function temporaryServer(settings: Record<string, string> = {}): Promise<TemporaryServer> {
  const folder = mkdtempSync(join(tmpdir(), 'adjoin-test-'))
  const server = await startEmbedded(folder, { settings: { ...careless, ...settings } })
  let databases = 0
  const operator = async (text: string, values?: unknown[]) => {
    const client = new pg.Client(server.connection)
    client.on('error', () => {})
    await client.connect()
    try {
      return await client.query(text, values)
    } finally {
      await client.end()
    }
  }
  return {
    ...server,
    folder,
    operator,
    database: async () => {
      const database = `test_${++databases}`
      await operator(`create database ${database}`)
      return { ...server.connection, database, connectionTimeoutMillis: PATIENT.connect }
    },
    remove: async () => {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
