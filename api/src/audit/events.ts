// Events: the entries of a trail, as programs read them.
import { type Answer, openGroups } from '@adjoin/contract'
import { type Fragment, type RunQuery, sql } from '../db/sql.ts'

export type Event = Answer<'listEvents'>['events'][number]

/** What somebody learns of. */
export interface Audience {
  readonly organization: { readonly id: string; readonly slug: string }
  /** All kinds, or only those that are open to everyone who can see the workspace. */
  readonly kinds: 'all' | 'open'
  /** Everything; one workspace; all workspaces that exist; or those that a person is assigned to. */
  readonly places: 'all' | { readonly workspaceId: string } | 'workspaces' | { readonly assignedTo: string }
  /** Kinds such as `integration.connected`, and groups such as `integration.*`. Undefined: any. */
  readonly types?: readonly string[] | undefined
}

interface EventRow {
  sequence: number
  created_at: Date
  content: string
  /** The workspace that has the entry's slug now. */
  workspace_id: string | null
}

/** At most this many entries are looked at in one statement, and in one read, however few of them are for this audience. */
const SPAN = 20_000
const SPANS = 50

export interface EventPage {
  readonly events: Event[]
  /** Everything up to here has been looked at. */
  readonly position: number
}

/**
 * The next events behind `after`, up to `head`. Entries are numbered in the order of their commits, and the numbers have
 * no gaps: what is at or below the head can be read, and nothing appears there later.
 */
export async function readEvents(query: RunQuery, audience: Audience, after: number, head: number, limit: number): Promise<EventPage> {
  const events: Event[] = []
  let position = after
  for (let spans = 0; spans < SPANS && position < head && !events.length; spans++) {
    const end = Math.min(position + SPAN, head)
    const rows = await query<EventRow>(entriesWithin(audience, position, end, limit))
    events.push(...(await visibleEvents(query, audience, rows)))
    position = rows.length < limit ? end : rows.at(-1)!.sequence
  }
  return { events, position }
}

export async function headOf(query: RunQuery, organizationId: string): Promise<number> {
  const [head] = await query<{ sequence: number }>(sql`select sequence from audit_heads where organization_id = ${organizationId}`)
  return head?.sequence ?? 0
}

/** The number of the last entry before a time; undefined: all are before it. */
export async function lastBefore(query: RunQuery, organizationId: string, time: Date): Promise<number | undefined> {
  const [first] = await query<{ sequence: number }>(sql`select sequence from audit_entries
    where organization_id = ${organizationId} and created_at >= ${time} order by created_at, sequence limit 1`)
  return first && first.sequence - 1
}

function entriesWithin({ organization, kinds, places, types }: Audience, after: number, end: number, limit: number): Fragment {
  const group = sql`split_part(e.action, '.', 1)`
  const open = kinds === 'open' ? sql`and ${group} = any (${[...openGroups]})` : sql``
  const asked = types
    ? sql`and (e.action = any (${types.filter((type) => !type.endsWith('.*'))})
        or ${group} = any (${types.filter((type) => type.endsWith('.*')).map((type) => type.slice(0, -2))}))`
    : sql``
  const workspace = sql`join workspaces w on w.organization_id = e.organization_id and w.slug = e.workspace`
  const there =
    places === 'all'
      ? sql``
      : places === 'workspaces'
        ? workspace
        : 'workspaceId' in places
          ? sql`${workspace} and w.id = ${places.workspaceId}`
          : sql`${workspace} join workspace_members a on a.organization_id = w.organization_id and a.workspace_id = w.id
              and a.user_id = ${places.assignedTo}`
  return sql`select e.sequence, e.created_at, e.content, ${places === 'all' ? sql`null` : sql`w.id`} as workspace_id from audit_entries e ${there}
    where e.organization_id = ${organization.id} and e.sequence > ${after} and e.sequence <= ${end} ${open} ${asked}
    order by e.sequence limit ${limit}`
}

/**
 * A slug may have been another workspace's before. New entries say which workspace they are about;
 * older ones count from the creation of the one that has the slug now.
 */
async function visibleEvents(query: RunQuery, { organization, places }: Audience, rows: readonly EventRow[]): Promise<Event[]> {
  const read = rows.map((row) => ({ row, entry: JSON.parse(row.content) as EntryContent }))
  if (places === 'all') return read.map(({ row, entry }) => toEvent(organization, row, entry))
  const unnamed = read.flatMap(({ row, entry }) => (entry.metadata.workspaceId === undefined ? [row.workspace_id!] : []))
  const since = new Map(
    unnamed.length
      ? (
          await query<{ id: string; sequence: number }>(sql`select target_id as id, min(sequence) as sequence from audit_entries
            where organization_id = ${organization.id} and target_id = any (${[...new Set(unnamed)]}) and action = 'workspace.created' group by 1`)
        ).map(({ id, sequence }) => [id, sequence])
      : [],
  )
  return read
    .filter(({ row, entry }) =>
      entry.metadata.workspaceId === undefined
        ? row.sequence >= (since.get(row.workspace_id!) ?? Number.POSITIVE_INFINITY)
        : entry.metadata.workspaceId === row.workspace_id,
    )
    .map(({ row, entry }) => toEvent(organization, row, entry))
}

/** What an entry holds, as far as events tell of it. */
interface EntryContent {
  readonly id: string
  readonly action: string
  readonly actor: Event['actor']
  readonly target: NonNullable<Event['data']['target']>
  readonly workspace: { readonly slug: string; readonly name: string } | null
  readonly changes: Event['data']['changes']
  readonly metadata: {
    readonly workspaceId?: string
    readonly integration?: Event['data']['integration']
    readonly expiresAt?: string | null
    readonly days?: number
  }
}

function toEvent(organization: Audience['organization'], row: EventRow, entry: EntryContent): Event {
  const { id, action, actor, target, workspace, changes, metadata } = entry
  const about = target.type !== 'integration' ? { target } : metadata.integration ? { integration: metadata.integration } : {}
  return {
    id,
    sequence: row.sequence,
    type: action,
    createdAt: row.created_at,
    organization: { slug: organization.slug },
    workspace: workspace && { id: metadata.workspaceId ?? null, slug: workspace.slug, name: workspace.name },
    actor: { type: actor.type, name: actor.name },
    data: { ...about, ...(/\.expir(?:ed|ing)$/.test(action) && expiry(metadata)), changes },
  }
}

const expiry = ({ expiresAt, days }: EntryContent['metadata']) => ({ ...(expiresAt && { expiresAt }), ...(days && { days }) })
