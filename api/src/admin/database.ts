import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { publicKeyOf } from '../audit/checkpoint.ts'
import type { Config } from '../config.ts'
import { connectDatabase } from '../db/connect.ts'
import { runningEmbedded } from '../db/embedded.ts'
import type { Connection } from '../db/hosts.ts'
import { type Database, openPool } from '../db/pool.ts'
import { developmentKeyRing, parseKeyRing } from '../vault/key-ring.ts'
import { createVault, type Vault } from '../vault/seal.ts'
import { readSigningKey } from '../vault/tokens.ts'

export interface OpenedDatabase {
  readonly db: Database
  readonly connection: Connection
  close(): Promise<void>
}

const quiet = { info() {}, warn() {} }

/** The database of this configuration: beside a running service, or brought up for the moment. */
export async function openDatabase(config: Config): Promise<OpenedDatabase> {
  const running = config.databaseUrl ? undefined : runningEmbedded(config.dataDir)
  if (running) {
    const connection = { ...running, database: 'adjoin' }
    const db = openPool(connection, { max: 4 })
    return { db, connection, close: () => db.end() }
  }
  if (!config.databaseUrl && !existsSync(join(config.dataDir, 'postgres')))
    throw new Error(`there is no database in ${config.dataDir}. Start the service once, or set DATA_DIR or DATABASE_URL.`)
  return connectDatabase({ databaseUrl: config.databaseUrl, dataDir: config.dataDir, max: 4, prepare: config.databasePrepare, log: quiet })
}

export const openVault = (config: Config): Vault => createVault(config.sealKeys ?? parseKeyRing(developmentKeyRing(config.dataDir)))

/** What checkpoints of this database are signed with. */
export async function ownPublicKey(db: Database, vault: Vault): Promise<string> {
  const key = await readSigningKey(db.query, vault).catch(() => undefined)
  if (!key)
    throw new Error('the key that signs checkpoints can’t be opened. Set SEAL_KEYS to the key ring of this database, or add --public-key.')
  return publicKeyOf(key)
}
