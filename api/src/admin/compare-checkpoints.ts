// Checkpoints that were kept outside the database, against the trails in it. A trail that was set back to an older state and
// went on from there is intact by itself; an entry that was signed and is not in it any more shows that a part is missing.
import { createReadStream } from 'node:fs'
import { type Checkpoint, isSignedCheckpoint, linesOf } from '@adjoin/contract/audit-chain'
import type { Database } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import type { BadChain } from './verify-audit.ts'

type KeptCheckpoint = Checkpoint & { readonly slug?: string }

export interface Comparison {
  /** How many were compared. */
  readonly checkpoints: number
  /** Lines that are no checkpoint, such as half a line after a crash. */
  readonly unreadable: number
  readonly bad: readonly BadChain[]
}

interface FoundEntry {
  readonly id: string
  readonly sequence: number
  readonly slug: string | null
  readonly hash: Buffer | null
  readonly last: number | null
}

/** Where one trail departs from what was signed. */
interface Departure {
  readonly first: KeptCheckpoint
  readonly found: FoundEntry
}

const BATCH = 500

export const readCheckpoints = (file: string): AsyncIterable<string> => linesOf(file === '-' ? process.stdin : createReadStream(file))

export async function compareCheckpoints(
  db: Pick<Database, 'query'>,
  lines: AsyncIterable<string>,
  publicKey: string,
): Promise<Comparison> {
  const departures = new Map<string, Departure>()
  /** The last entry of each trail that is still the one that was signed. */
  const reached = new Map<string, number>()
  const forged: KeptCheckpoint[] = []
  let checkpoints = 0
  let unreadable = 0

  const compare = async (batch: readonly KeptCheckpoint[]) => {
    const found = await entriesAt(db, batch)
    batch.forEach((checkpoint, i) => {
      const { organizationId: id, sequence, hash } = checkpoint
      const entry = found[i]!
      if (entry.hash?.toString('hex') === hash) reached.set(id, Math.max(sequence, reached.get(id) ?? 0))
      else if (sequence < (departures.get(id)?.first.sequence ?? Number.POSITIVE_INFINITY))
        departures.set(id, { first: checkpoint, found: entry })
    })
    checkpoints += batch.length
  }

  let batch: KeptCheckpoint[] = []
  for await (const line of lines) {
    const checkpoint = readCheckpoint(line)
    if (!checkpoint) unreadable += line.trim() ? 1 : 0
    else if (!(await isSignedCheckpoint(checkpoint, publicKey))) forged.push(checkpoint)
    else batch.push(checkpoint)
    if (batch.length < BATCH) continue
    await compare(batch)
    batch = []
  }
  if (batch.length) await compare(batch)
  const missing = [...departures.values()].map((departure) => describe(departure, reached.get(departure.first.organizationId)))
  return { checkpoints, unreadable, bad: [...missing, ...forged.slice(0, 1).map((one) => describeForged(one, forged.length))] }
}

function readCheckpoint(line: string): KeptCheckpoint | undefined {
  try {
    const checkpoint = JSON.parse(line) as KeptCheckpoint
    const { organizationId, sequence, hash, createdAt } = checkpoint
    const sound =
      UUID.test(organizationId) && Number.isSafeInteger(sequence) && typeof hash === 'string' && !Number.isNaN(Date.parse(createdAt))
    return sound ? checkpoint : undefined
  } catch {
    return undefined
  }
}
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const entriesAt = (db: Pick<Database, 'query'>, batch: readonly KeptCheckpoint[]) =>
  db.query<FoundEntry>(sql`
    select c.id, c.sequence, o.slug, e.hash, h.sequence as last
    from unnest(${batch.map(({ organizationId }) => organizationId)}::uuid[], ${batch.map(({ sequence }) => sequence)}::bigint[])
      with ordinality as c (id, sequence, place)
    left join organizations o on o.id = c.id
    left join audit_heads h on h.organization_id = c.id
    left join audit_entries e on e.organization_id = c.id and e.sequence = c.sequence
    order by c.place`)

function describe({ first, found }: Departure, reached: number | undefined): BadChain {
  const { sequence, createdAt, organizationId, slug } = first
  const signed = `entry ${sequence}, which was signed at ${createdAt},`
  const what =
    found.slug === null
      ? `${signed} belongs to an organization that is not in this database`
      : found.hash === null
        ? `${signed} is not there; the trail ends at ${found.last ?? 0}`
        : `${signed} was replaced by another one`
  const until = reached === undefined ? 'No checkpoint matches.' : `The last entry that matches a checkpoint is ${reached}.`
  return { organization: found.slug ?? slug ?? organizationId, sequence, message: `A part of the trail is missing: ${what}. ${until}` }
}

const describeForged = ({ organizationId, slug, sequence, createdAt }: KeptCheckpoint, count: number): BadChain => ({
  organization: slug ?? organizationId,
  sequence,
  message: `The checkpoint of entry ${sequence} (${createdAt}) was not signed by this service’s key${count > 1 ? `, and ${count - 1} more` : ''}.`,
})
