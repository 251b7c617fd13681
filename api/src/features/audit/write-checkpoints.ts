// A checkpoint of every trail that has grown, written to a place outside the database. A database that was set back to an
// older state holds shorter trails that are intact by themselves: only what was kept elsewhere can tell.
import { sign } from 'node:crypto'
import { signCheckpoint, type TrailHead } from '../../audit/checkpoint.ts'
import type { Parts } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { isReplaced, shownPlace } from '../../domain/checkpoint-place.ts'
import { writeCheckpointBatch } from '../../gateway/checkpoint-writer.ts'

export const CHECKPOINTS_EVERY_SECONDS = 300

const BATCH = 1000

type CheckpointParts = Pick<Parts, 'db' | 'log' | 'secrets' | 'config'>
type GrownTrail = TrailHead & { readonly slug: string }

/** Failing is told, and tried again with the next run: nothing is noted as written before it is. */
export async function writeCheckpoints(
  parts: CheckpointParts,
  observe: (outcome: 'written' | 'failed', count: number) => void,
): Promise<void> {
  const place = parts.config.auditCheckpoints
  if (!place) return
  const whole = isReplaced(place) // then each must hold all of them
  try {
    for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
      const heads = await grownTrails(parts, after, whole)
      if (!heads.length) return
      await writeCheckpointBatch(place, batchOf(parts, heads))
      await noteWritten(parts, heads)
      observe('written', heads.length)
      if (whole || heads.length < BATCH) return
      after = heads.at(-1)!.id
    }
  } catch (error) {
    observe('failed', 1)
    const { message, cause } = error as Error
    const reason = (cause as Error | undefined)?.message ?? message
    parts.log.warn(
      { place: shownPlace(place), reason },
      `audit checkpoints were not written; trying again in ${CHECKPOINTS_EVERY_SECONDS / 60} minutes`,
    )
  }
}

/** With `whole`, all trails as soon as one has grown. */
const grownTrails = ({ db }: CheckpointParts, after: string, whole: boolean) =>
  db.query<GrownTrail>(sql`
    with trails as materialized (
      select h.organization_id as id, o.slug, h.sequence, h.hash, h.sequence > coalesce(c.sequence, 0) as grown
      from audit_heads h join organizations o on o.id = h.organization_id
      left join audit_checkpoints c on c.organization_id = h.organization_id where h.sequence > 0)
    select id, slug, sequence, hash, date_trunc('milliseconds', clock_timestamp()) as now from trails
    where id > ${after} and (grown or (${whole} and exists (select 1 from trails where grown)))
    order by id limit ${whole ? null : BATCH}::bigint`)

function batchOf({ secrets }: CheckpointParts, heads: readonly GrownTrail[]) {
  const body = heads.map((head) => `${JSON.stringify({ ...signCheckpoint(secrets.signingKey, head), slug: head.slug })}\n`).join('')
  const { now, id } = heads[0]!
  const name = `${now.toISOString().replaceAll(':', '-')}-${id.slice(0, 8)}`
  const timestamp = String(Math.floor(now.getTime() / 1000))
  // Standard Webhooks, the asymmetric kind: the public key is the one that checkpoints carry.
  const signature = sign(null, Buffer.from(`${name}.${timestamp}.${body}`), secrets.signingKey).toString('base64')
  return { name, body, headers: { 'webhook-id': name, 'webhook-timestamp': timestamp, 'webhook-signature': `v1a,${signature}` } }
}

const noteWritten = ({ db }: CheckpointParts, heads: readonly GrownTrail[]) =>
  db.query(sql`insert into audit_checkpoints (organization_id, sequence)
    select * from unnest(${heads.map(({ id }) => id)}::uuid[], ${heads.map(({ sequence }) => sequence)}::bigint[])
    on conflict (organization_id) do update set sequence = excluded.sequence, written_at = excluded.written_at`)

/** How long the oldest entry that no written checkpoint covers has waited; not a number where none are written. */
export async function checkpointAge({ db, config }: Pick<Parts, 'db' | 'config'>): Promise<number> {
  if (!config.auditCheckpoints) return Number.NaN
  const [row] = await db.query<{ age: number }>(sql`
    select coalesce(extract(epoch from now() - min(e.created_at)), 0)::float8 as age from audit_heads h
    left join audit_checkpoints c on c.organization_id = h.organization_id
    join audit_entries e on e.organization_id = h.organization_id and e.sequence = coalesce(c.sequence, 0) + 1
    where h.sequence > coalesce(c.sequence, 0)`)
  return row!.age
}
