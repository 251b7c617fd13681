import { type Answer, auditEvents, normalizeEmail, type Query as QueryOf } from '@adjoin/contract'
import { type Fragment, sql } from '../db/sql.ts'

export interface EntryRow {
  sequence: number
  created_at: Date
  content: string
  previous_hash: Buffer
  hash: Buffer
}

export type TrailFilters = Omit<QueryOf<'listAuditLogs'>, 'cursor' | 'limit'>

const columns = sql`sequence, created_at, content, previous_hash, hash`

/**
 * Newest first. Each filter has an index in this order,
 * so that a page deep down, or of a rare kind, costs what the first one costs.
 */
export function newestBelow(organizationId: string, filters: TrailFilters, below: number, limit: number): Fragment {
  const page = (more: Fragment) => sql`select ${columns} from audit_entries
    where ${matching(organizationId, filters)} ${more} and sequence < ${below} order by sequence desc limit ${limit}`
  const group = groupOf(filters)
  // A group is several kinds, each with a run of the index: the newest of each, then of those.
  return group
    ? sql`select page.* from unnest(${group}::text[]) as kind (name) cross join lateral (${page(sql`and action = kind.name`)}) as page
        order by sequence desc limit ${limit}`
    : page(sql``)
}

/**
 * Oldest first, of a span of sequence numbers:
 * they have no gaps, so a span is bounded work whatever the filters leave of it.
 */
export function oldestWithin(organizationId: string, filters: TrailFilters, after: number, last: number, limit: number): Fragment {
  const group = groupOf(filters)
  return sql`select ${columns} from audit_entries where ${matching(organizationId, filters)} ${group ? sql`and action = any (${group})` : sql``}
    and sequence > ${after} and sequence <= ${last} order by sequence limit ${limit}`
}

/** The sequence numbers between two times, as of now. Null: none. */
export const spanOf = (organizationId: string, { from, to }: TrailFilters): Fragment => sql`
  select ${from ? firstSince(organizationId, from) : sql`1::bigint`} as first,
    ${to ? lastUntil(organizationId, to) : sql`(select sequence from audit_heads where organization_id = ${organizationId})`} as last`

// Time never runs backwards along a chain, so that times are bounds of the sequence.
const firstSince = (organizationId: string, from: string) => sql`(select sequence from audit_entries
  where organization_id = ${organizationId} and created_at >= ${new Date(from)} order by created_at, sequence limit 1)`
const lastUntil = (organizationId: string, to: string) => sql`(select sequence from audit_entries
  where organization_id = ${organizationId} and created_at <= ${new Date(to)} order by created_at desc, sequence desc limit 1)`

/** `api_key.*` → its kinds. */
function groupOf({ action }: TrailFilters): string[] | undefined {
  if (!action?.endsWith('.*')) return undefined
  return Object.keys(auditEvents).filter((kind) => kind.startsWith(action.slice(0, -1)))
}

function matching(organizationId: string, filters: TrailFilters): Fragment {
  const { action, actor, targetType, targetId, workspace, from, to } = filters
  const parts: Fragment[] = []
  if (action && !action.endsWith('.*')) parts.push(sql`action = ${action}`)
  // An address has an @ and an id has none: one index answers, not a choice of two.
  if (actor?.includes('@')) parts.push(sql`actor_email = ${normalizeEmail(actor) ?? actor}`)
  else if (actor) parts.push(sql`actor_id = ${actor.toLowerCase()}`)
  if (targetType) parts.push(sql`target_type = ${targetType}`)
  if (targetId) parts.push(sql`target_id = ${targetId}`)
  if (workspace) parts.push(sql`workspace = ${workspace}`)
  if (from) parts.push(sql`sequence >= ${firstSince(organizationId, from)}`)
  if (to) parts.push(sql`sequence <= ${lastUntil(organizationId, to)}`)
  return parts.reduce((all, part) => sql`${all} and ${part}`, sql`organization_id = ${organizationId}`)
}

/**
 * The members in the order that the hash was made over:
 * `sequence`, `createdAt` and the two hashes apart, the rest is the content.
 */
export function toEntry(row: EntryRow): Answer<'listAuditLogs'>['auditLogs'][number] {
  const { id, ...content } = JSON.parse(row.content)
  return {
    id,
    sequence: row.sequence,
    ...content,
    createdAt: row.created_at,
    hash: row.hash.toString('hex'),
    previousHash: row.previous_hash.toString('hex'),
  }
}
