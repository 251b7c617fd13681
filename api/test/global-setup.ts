// One PostgreSQL for the whole run, without the disk's patience,
// with a migrated template that every test file clones.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { freePort } from '../../furnishing/free-port.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'
import { createTemplate } from './citus-template.ts'
import { TEMPLATE } from './template.ts'
import { careless } from './temporary-server.ts'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { CITUS_NODES } = process.env
  if (CITUS_NODES) {
    const nodes = CITUS_NODES.split(',')
    await createTemplate(nodes, TEMPLATE)
    project.provide('server', nodes[0]!)
    project.provide('workers', nodes.slice(1))
    return async () => {}
  }
  const folder = mkdtempSync(join(tmpdir(), 'adjoin-tests-'))
  const port = await freePort()
  const server = await startEmbedded(folder, { settings: { ...careless, max_connections: '300' }, tcpPort: port })
  const stop = async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const client = new pg.Client(server.connection)
    await client.connect()
    await client.query(`create database ${TEMPLATE}`)
    await client.end()
    await migrate({ ...server.connection, database: TEMPLATE })
  } catch (error) {
    await stop() // or a broken migration would leave a server behind with every run
    throw error
  }
  const { user, password } = server.connection
  project.provide('server', `postgres://${user}:${password}@127.0.0.1:${port}`)
  project.provide('workers', [])
  return stop
}
