import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { forTerminal } from './terminal.ts'

/** The body of an answer goes where it is asked to, as it comes: its size does not matter. */
export const writeBody = ({ body }: Response, file: string | undefined): Promise<void> =>
  writeChunks(body ? Readable.fromWeb(body as never) : Readable.from([]), file)

export async function writeChunks(chunks: AsyncIterable<Uint8Array>, file: string | undefined): Promise<void> {
  if (!file) return pipeline(forTerminal(chunks), process.stdout, { end: false })
  const part = `${file}.part`
  try {
    await pipeline(chunks, createWriteStream(part, { mode: 0o600 }))
    renameSync(part, file) // it gets its name when it is whole
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}
