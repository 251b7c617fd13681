// Everywhere a secret could have come to rest.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type { HeardExchange } from '../../api/test/answers.ts'
import type { ProofDatabase } from '../database.ts'

const ADMIN = fileURLToPath(new URL('../../api/src/admin/main.ts', import.meta.url))

/** Who asks sends the path and may read it again: `instance` is no leak. */
export const shown = ({ text, headers }: HeardExchange): string =>
  `${[...headers].map(([name, value]) => `${name}: ${value}`).join('\n')}\n${text.replace(/"instance":"[^"]*"/, '')}`

/** Every table, row by row: as text, as JSON, and what its binary columns would say as text. */
export async function dump(database: ProofDatabase): Promise<Buffer> {
  const tables = await database.operator<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const parts: Buffer[] = []
  for (const { name } of tables) {
    const rows = await database.operator<{ line: string; row: Record<string, unknown> }>(
      `select t::text as line, row_to_json(t) as row from ${name} t`,
    )
    for (const { line, row } of rows) {
      parts.push(Buffer.from(`${name} ${line}\n${JSON.stringify(row)}\n`))
      for (const value of Object.values(row))
        if (typeof value === 'string' && value.startsWith('\\x')) parts.push(Buffer.from(value.slice(2), 'hex'))
    }
  }
  return Buffer.concat(parts)
}

/** The files of PostgreSQL itself, its write-ahead log and its own log included. */
export async function* files(database: ProofDatabase): AsyncGenerator<{ name: string; bytes: Buffer }> {
  await database.operator('checkpoint')
  for (const entry of readdirSync(database.folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const name = join(entry.parentPath, entry.name)
    const bytes = read(name)
    if (bytes) yield { name: name.slice(database.folder.length + 1), bytes }
  }
}

/** A table's file may go while we walk. */
function read(name: string): Buffer | undefined {
  try {
    return readFileSync(name)
  } catch {
    return undefined
  }
}

/** What `adjoin-admin backup` writes, unpacked, and what it says while it does. */
export async function backup(env: Record<string, string>, file: string): Promise<{ contents: Buffer; said: Buffer }> {
  const child = spawn(process.execPath, [ADMIN, 'backup', file], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  const code = await new Promise((resolve) => child.once('exit', resolve))
  const said = Buffer.concat(chunks)
  if (code !== 0) throw new Error(`the backup failed: ${said}`)
  return { contents: gunzipSync(readFileSync(file)), said }
}
