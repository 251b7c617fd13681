// The file of a backup: gzipped ndjson. First a header, then the rows of each table as PostgreSQL
// writes them in JSON, last the row counts: a file without them is incomplete.
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { link, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { linesOf } from '@adjoin/contract/audit-chain'
import { decryptWith, encryptFor, isEncrypted } from './backup-encryption.ts'

export interface Header {
  readonly format: 'adjoin-backup'
  readonly version: 1
  readonly createdAt: string
  /** The schema: how many migrations had been applied, and the last one's name. */
  readonly schema: { number: number; name: string }
  /** The keys that its sealed values need. The keys themselves are not in the file. */
  readonly keyIds: readonly string[]
  /**
   * The service's own secrets, sealed: a key ring that can't open them
   * is not the one of this backup, even if its keys have the same ids.
   */
  readonly secrets: Readonly<Record<string, string>>
}
export type Counts = Record<string, number>

export type BackupLine = { header: Header } | { table: string; row: string } | { counts: Counts }

/** The file gets its name only when it is complete, and never replaces another. Only its owner may read it. */
export async function writeBackup(file: string, lines: AsyncIterable<BackupLine>, recipients: readonly string[] = []): Promise<void> {
  if (existsSync(file)) throw taken(file)
  const part = `${file}.part`
  const encrypt = recipients.length ? await encryptFor(recipients) : (source: AsyncIterable<Uint8Array>) => source
  try {
    await pipeline(Readable.from(encode(lines), { objectMode: false }), createGzip(), encrypt, createWriteStream(part, { mode: 0o600 }))
    await link(part, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw taken(file)
      return rename(part, file) // a file system without links
    })
    await rm(part, { force: true })
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

async function* encode(lines: AsyncIterable<BackupLine>): AsyncGenerator<string> {
  let text = ''
  for await (const line of lines) {
    // A row is JSON already and is not parsed, so that numbers too large for JavaScript stay exact.
    text += 'row' in line ? `{"table":${JSON.stringify(line.table)},"row":${line.row}}\n` : `${JSON.stringify(line)}\n`
    if (text.length < 65_536) continue
    yield text
    text = ''
  }
  yield text
}

export async function* readBackup(file: string, identity?: string): AsyncGenerator<BackupLine> {
  let complete = false
  let first = true
  try {
    // Not `pipeline`, which fails if a reader stops early.
    const encrypted = await isEncrypted(file)
    const decrypt = encrypted ? await decryptWith(identity, file) : undefined
    const source: Readable = decrypt ? Readable.from(decrypt(createReadStream(file))) : createReadStream(file)
    const plain = source.pipe(createGunzip())
    source.on('error', (error) => plain.destroy(error))
    for await (const text of linesOf(plain)) {
      const line = decode(text)
      if (first && !('header' in line)) throw notBackup(file)
      first = false
      complete = 'counts' in line
      yield line
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'Z_BUF_ERROR') throw incomplete(file)
    if (/incorrect header/.test((error as Error).message)) throw notBackup(file) // not even gzip
    if (code?.startsWith('Z_') || error instanceof SyntaxError) throw damaged(file)
    throw error
  }
  if (!complete) throw first ? notBackup(file) : incomplete(file)
}

export const notBackup = (file: string) => new Error(`${file} is not an Adjoin backup. Choose another file.`)
const taken = (file: string) => new Error(`${file} already exists and was not changed. Choose another name, or move it away first.`)
const incomplete = (file: string) => new Error(`${file} is incomplete: its end is missing. Copy it again.`)
const damaged = (file: string) => new Error(`${file} is damaged. Copy it again, or use another backup.`)

const ROW = /^\{"table":"(\w+)","row":(.*)\}$/s

function decode(text: string): BackupLine {
  const [, table, row] = ROW.exec(text) ?? []
  if (table && row) return { table, row }
  const line = JSON.parse(text) as BackupLine
  if ('header' in line && (line.header.format !== 'adjoin-backup' || line.header.version !== 1))
    throw new Error('This backup has a newer format. Restore it with the version of Adjoin that made it.')
  return line
}
