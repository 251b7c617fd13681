// Checks an exported audit trail without trusting whoever keeps it.
// WebCrypto only: the same function runs in a browser and in Node 20 or later.
import { namedBy, organizationMismatch, type TrailOrganization } from './audit-organization.ts'

/**
 * An entry as the export writes it. All its members but these
 * four are the hashed content, in the order they are written in.
 */
export interface ChainedEntry {
  readonly sequence: number
  readonly createdAt: string
  readonly hash: string
  readonly previousHash: string
}

export interface Checkpoint {
  readonly organizationId: string
  readonly sequence: number
  readonly hash: string
  readonly createdAt: string
  readonly publicKey: string
  readonly signature: string
}

export type Fault =
  /** Not a line of an export. */
  | 'unreadable'
  /** The entry's content does not give its hash. */
  | 'edited'
  /** The entry fits itself but not the one before it: one of the two was written anew. */
  | 'replaced'
  /** The entry stands behind one that came later. */
  | 'swapped'
  /** A second entry with a sequence number that was there already. */
  | 'inserted'
  /** The checkpoint's signature is not that of its key, or its key is not the one expected. */
  | 'checkpoint_forged'
  /** The entry at the checkpoint is not the one that was signed. */
  | 'checkpoint_differs'
  /** The trail ends before the checkpoint: its end is missing. */
  | 'checkpoint_missed'
  /** The trail, a part of it or the checkpoint is another organization's, or the trail does not say whose. */
  | 'other_organization'

export interface TrailVerdict {
  /**
   * `intact`: every entry from the first one on is here and unchanged · `gaps`:
   * what is here is unchanged, but entries are missing, as in a
   * filtered export or after a removal: from the file alone nobody can tell which · `broken`: see `fault`.
   */
  readonly outcome: 'intact' | 'gaps' | 'broken'
  readonly entries: number
  readonly first: number | null
  readonly last: { readonly sequence: number; readonly hash: string; readonly createdAt: string } | null
  /** The first missing span of sequence numbers. */
  readonly missing?: { readonly from: number; readonly to: number }
  readonly fault?: { readonly what: Fault; readonly line: number; readonly sequence: number | null; readonly message: string }
  /** Whose trail it says it is. Only a checkpoint, by a key known from elsewhere, proves it. */
  readonly organization: TrailOrganization | null
  /**
   * A checkpoint names the last entry.
   * Without one, entries may have been cut off the end, or the last ones written again.
   */
  readonly endProved: boolean
  /** The checkpoint was signed by this key and lies on the trail. */
  readonly checkpoint?: { readonly sequence: number; readonly publicKey: string }
}

export interface VerifyOptions {
  readonly checkpoint?: Checkpoint
  /** The service's key, known from elsewhere: a checkpoint that brings its own key along proves little. */
  readonly publicKey?: string
  /** Whose trail it must be: a slug or an id. */
  readonly organization?: string
  /** Told every thousand entries, and at the end. */
  readonly progress?: (entries: number) => void
}

const GENESIS = '0'.repeat(64)
const HEX = /^[0-9a-f]{64}$/
const STRIDE = 1000

/** Takes entries, oldest first, or the lines of an ndjson export. Stops at the first fault. */
export async function verifyAuditTrail(
  source: AsyncIterable<ChainedEntry | string> | Iterable<ChainedEntry | string>,
  { checkpoint, publicKey, organization: asked, progress }: VerifyOptions = {},
): Promise<TrailVerdict> {
  let entries = 0
  let first: number | null = null
  let last: ChainedEntry | null = null
  let missing: TrailVerdict['missing']
  let organization: TrailOrganization | null = checkpoint ? { id: checkpoint.organizationId, slug: null, name: null } : null
  const summary = (endProved = false) => ({
    entries,
    first,
    last: last && { sequence: last.sequence, hash: last.hash, createdAt: last.createdAt },
    ...(missing && { missing }),
    organization,
    endProved,
  })
  const broken = (what: Fault, sequence: number | null, message: string, line = entries + 1): TrailVerdict => ({
    outcome: 'broken',
    ...summary(),
    fault: { what, line, sequence, message },
  })

  if (checkpoint && !(await isSignedCheckpoint(checkpoint, publicKey)))
    return broken('checkpoint_forged', checkpoint.sequence, 'The checkpoint was not signed by the service’s key.')
  let reached = checkpoint?.sequence === 0 && checkpoint.hash === GENESIS

  for await (const item of source) {
    const entry = readEntry(item)
    if (!entry) return broken('unreadable', null, 'This line is not an entry of an export.')
    const { sequence } = entry
    const before: number = last?.sequence ?? 0
    if ((await hashOf(entry)) !== entry.hash)
      return broken('edited', sequence, `Entry ${sequence} was changed: its hash does not match its contents.`)
    if (last && sequence === before) return broken('inserted', sequence, `Entry ${sequence} appears twice: one was inserted.`)
    if (sequence < before) return broken('swapped', sequence, `Entry ${sequence} comes after entry ${before}: they were swapped.`)
    if (sequence === before + 1 && entry.previousHash !== (last?.hash ?? GENESIS))
      return last
        ? broken('replaced', before, `Entry ${before} is not the one that entry ${sequence} was chained to: it was rewritten.`, entries)
        : broken('replaced', sequence, `Entry ${sequence} is not the first entry of a trail.`)
    const named = namedBy(entry)
    if (named && organization && named.id !== organization.id)
      return broken('other_organization', sequence, `Entry ${sequence} belongs to ${named.id}, not to ${organization.id}.`)
    if (named) organization = { ...named, slug: named.slug ?? organization?.slug ?? null }
    if (sequence > before + 1) missing ??= { from: before + 1, to: sequence - 1 }
    if (checkpoint?.sequence === sequence) {
      if (entry.hash !== checkpoint.hash)
        return broken('checkpoint_differs', sequence, `Entry ${sequence} is not the one that the checkpoint signed.`)
      reached = true
    }
    first ??= sequence
    last = entry
    entries++
    if (entries % STRIDE === 0) progress?.(entries)
  }
  if (entries % STRIDE) progress?.(entries)

  if (checkpoint && !reached && checkpoint.sequence > (last?.sequence ?? 0))
    return broken(
      'checkpoint_missed',
      checkpoint.sequence,
      `The trail ends at entry ${last?.sequence ?? 0}, but the checkpoint signed entry ${checkpoint.sequence}: its end is missing.`,
    )
  const other = asked === undefined ? undefined : organizationMismatch(asked, organization)
  if (other) return broken('other_organization', null, other, entries)
  return {
    outcome: missing ? 'gaps' : 'intact',
    ...summary(checkpoint !== undefined && reached && checkpoint.sequence === (last?.sequence ?? 0)),
    ...(checkpoint && reached && { checkpoint: { sequence: checkpoint.sequence, publicKey: checkpoint.publicKey } }),
  }
}

/**
 * A line must be written exactly as the export writes it:
 * a member given twice would mean one thing to us and another to another reader.
 */
function readEntry(item: ChainedEntry | string): ChainedEntry | null {
  try {
    const entry = typeof item === 'string' ? (JSON.parse(item) as ChainedEntry) : item
    if (typeof item === 'string' && JSON.stringify(entry) !== item) return null
    const { sequence, createdAt, hash, previousHash } = entry
    const sound = Number.isSafeInteger(sequence) && sequence > 0 && typeof createdAt === 'string'
    return sound && HEX.test(hash) && HEX.test(previousHash) ? entry : null
  } catch {
    return null
  }
}

/**
 * SHA-256 over the previous hash and `<sequence> <time> <content>`.
 * Numbers, unicode and the order of members survive JSON unchanged, since JSON.stringify wrote them first;
 * a verifier in another language must keep the text, and no entry has member names such as `1`.
 */
async function hashOf({ sequence, createdAt, hash: _, previousHash, ...content }: ChainedEntry): Promise<string> {
  const text = new TextEncoder().encode(`${sequence} ${createdAt} ${JSON.stringify(content)}`)
  const bytes = new Uint8Array(32 + text.length)
  bytes.set(Uint8Array.from(previousHash.match(/../g)!, (pair) => Number.parseInt(pair, 16)))
  bytes.set(text, 32)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** What a checkpoint's signature is over. */
export const checkpointText = ({ organizationId, sequence, hash, createdAt }: Omit<Checkpoint, 'publicKey' | 'signature'>): string =>
  `adjoin-audit-checkpoint\n${organizationId}\n${sequence}\n${hash}\n${createdAt}`

/** Is it signed by the key that it names, and is that the expected one? */
export async function isSignedCheckpoint(checkpoint: Checkpoint, expected: string | undefined): Promise<boolean> {
  if (expected !== undefined && expected !== checkpoint.publicKey) return false
  try {
    const key = await crypto.subtle.importKey('raw', base64url(checkpoint.publicKey), 'Ed25519', false, ['verify'])
    const text = new TextEncoder().encode(checkpointText(checkpoint))
    return await crypto.subtle.verify('Ed25519', key, base64url(checkpoint.signature), text)
  } catch (error) {
    if ((error as Error).name === 'NotSupportedError') throw new Error('This browser can’t verify Ed25519 signatures. Use a newer one.')
    return false
  }
}

const base64url = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))

/** The lines of a file or a response body, as they arrive. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }))).split('\n')
    rest = lines.pop()!
    yield* lines
  }
  rest += decoder.decode()
  if (rest) yield rest // a whole file ends with a line end; half a line is for the reader to refuse
}
