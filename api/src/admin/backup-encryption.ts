// Backups encrypted with age (https://age-encryption.org): for a public key, and opened only with the file that holds the private one.
import { open, readFile } from 'node:fs/promises'

const MAGIC = 'age-encryption.org/v1'

type Chunks = AsyncIterable<Uint8Array>
type Transform = (source: Chunks) => AsyncGenerator<Uint8Array>

/** Loaded only where it is used. */
const age = () => import('age-encryption')

/** Refuses what is no recipient before anything is written. */
export async function encryptFor(recipients: readonly string[]): Promise<Transform> {
  const encrypter = new (await age()).Encrypter()
  for (const recipient of recipients)
    try {
      encrypter.addRecipient(recipient)
    } catch {
      throw new Error('--encrypt must be followed by an age recipient, such as age1…; `age-keygen` shows it as the public key')
    }
  return async function* (source) {
    yield* await encrypter.encrypt(ReadableStream.from(source))
  }
}

export async function isEncrypted(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer } = await handle.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0)
    return buffer.toString('latin1') === MAGIC
  } finally {
    await handle.close()
  }
}

/** `identity`: a file as `age-keygen` writes it. */
export async function decryptWith(identity: string | undefined, file: string): Promise<Transform> {
  if (identity === undefined) throw new Error(`${file} is encrypted. Add --identity with the file that holds its age key.`)
  const decrypter = new (await age()).Decrypter()
  const keys = (await readFile(identity, 'utf8')).split(/\s*\n/).filter((line) => line && !line.startsWith('#'))
  try {
    if (!keys.length) throw new Error('empty')
    for (const key of keys) decrypter.addIdentity(key)
  } catch {
    throw new Error(`${identity} does not hold an age key. Use the file that \`age-keygen\` wrote for this backup.`)
  }
  return async function* (source) {
    try {
      yield* await decrypter.decrypt(ReadableStream.from(source))
    } catch (error) {
      if (/no identity matched/.test((error as Error).message))
        throw new Error(`The key in ${identity} does not open ${file}. Use the one it was encrypted for.`)
      throw Object.assign(error as Error, { code: 'Z_DATA_ERROR' }) // damaged, as a file that does not unzip
    }
  }
}
