// Brings checkpoints to where the operator wants them kept. It has happened when this returns: on disk, or answered with 2xx.
import { open, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CheckpointPlace } from '../domain/checkpoint-place.ts'

export interface Batch {
  /** Unique, and in the order of time. */
  readonly name: string
  /** The lines of an ndjson file. */
  readonly body: string
  /** Says who sent it; a bucket does not need it. */
  readonly headers: Readonly<Record<string, string>>
}

const PATIENCE_MS = 15_000

export const writeCheckpointBatch = (place: CheckpointPlace, batch: Batch): Promise<void> =>
  place.how === 'append'
    ? append(place.folder ? join(place.path, `checkpoints-${batch.name.slice(0, 10)}.ndjson`) : place.path, batch.body)
    : send(place.how, place.address.replaceAll('{name}', `${batch.name}.ndjson`), batch)

async function append(path: string, body: string): Promise<void> {
  const isNew = !(await stat(path).catch(() => undefined))
  const file = await open(path, 'a+', 0o600)
  try {
    const { size } = await file.stat()
    const { buffer } = await file.read(Buffer.alloc(1), 0, size ? 1 : 0, Math.max(0, size - 1))
    // A crash may have left half a line behind: what follows begins on its own.
    await file.appendFile(size && buffer[0] !== 0x0a ? `\n${body}` : body)
    await file.sync()
  } finally {
    await file.close()
  }
  if (isNew) await syncFolder(dirname(path))
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** As bytes: a content type that nobody signed would make a bucket refuse a signed address. */
async function send(method: 'PUT' | 'POST', address: string, { body, headers }: Batch): Promise<void> {
  const answer = await fetch(address, {
    method,
    body: new TextEncoder().encode(body),
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
    ...(method === 'POST' && { headers: { ...headers, 'content-type': 'application/x-ndjson' } }),
  })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`it answered ${answer.status}`)
}
