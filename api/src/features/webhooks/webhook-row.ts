import { randomBytes } from 'node:crypto'
import type { Answer } from '@adjoin/contract'
import type { Parts } from '../../call.ts'
import { type Fragment, type RunQuery, sql } from '../../db/sql.ts'
import { secretText } from '../../domain/webhook.ts'
import { refuse } from '../../refusal.ts'

export interface WebhookRow {
  organization_id: string
  id: string
  url_sealed: string
  url_shown: string
  description: string | null
  types: string[]
  workspace_id: string | null
  workspace_slug: string | null
  status: 'active' | 'disabled' | 'failing'
  status_detail: string | null
  secret_sealed: string
  old_secret_sealed: string | null
  old_secret_lives: boolean
  owner_id: string
  owner_name: string
  owner_email: string
  /** Null: not a member any more. */
  owner_role: string | null
  created_at: Date
  position: number
  /** How far it has come with what is sent while the organization is frozen. */
  frozen_position: number | null
  /** Its organization is frozen. */
  frozen: boolean
  head: number
  tries: number
  refusals: number
  set_aside: number
  failing_since: Date | null
  warned_at: Date | null
  last_success_at: Date | null
  last_failure_at: Date | null
}

/** One that this process is bringing forward. */
export interface LeasedWebhook {
  readonly organization_id: string
  readonly organization_slug: string
  readonly id: string
  /** Until when it is ours, to the microsecond: no other holder has the same. */
  readonly lease: string
}

/** The one way webhooks are read: within their organization, with their owner and where its trail ends. */
export const selectWebhooks = (organizationId: string, where: Fragment = sql``): Fragment => sql`
  select h.organization_id, h.id, h.url_sealed, h.url_shown, h.description, h.types, h.workspace_id, h.workspace_slug, h.status, h.status_detail,
    h.secret_sealed, h.old_secret_sealed, coalesce(h.old_secret_until > now(), false) as old_secret_lives, h.owner_id, u.name as owner_name,
    u.email as owner_email, m.role as owner_role, h.created_at, h.position, h.frozen_position,
    o.frozen_at is not null as frozen, a.sequence as head, h.tries, h.refusals, h.set_aside, h.failing_since,
    h.warned_at, h.last_success_at, h.last_failure_at
  from webhooks h join users u on u.id = h.owner_id join audit_heads a on a.organization_id = h.organization_id
  join organizations o on o.id = h.organization_id
  left join members m on m.organization_id = h.organization_id and m.user_id = h.owner_id
  where h.organization_id = ${organizationId} ${where}`

/** The last entry that it is done with, of those that are sent now. */
export const doneUpTo = ({
  frozen,
  position,
  frozen_position: seen,
}: Pick<WebhookRow, 'frozen' | 'position' | 'frozen_position'>): number => (frozen ? Math.max(position, seen ?? 0) : position)

export async function findWebhook(query: RunQuery, organizationId: string, id: string, lock?: 'lock'): Promise<WebhookRow> {
  const [row] = await query<WebhookRow>(
    sql`${selectWebhooks(organizationId, sql`and h.id = ${id}`)} ${lock ? sql`for update of h` : sql``}`,
  )
  return row ?? refuse('not_found')
}

export const webhookBinding = (organizationId: string, id: string, what: 'url' | 'secret') => ['webhooks', organizationId, id, what]

export const sealUrl = ({ vault }: Pick<Parts, 'vault'>, organizationId: string, id: string, url: URL): string =>
  vault.seal(url.href, webhookBinding(organizationId, id, 'url'))

export function newSecret({ vault }: Pick<Parts, 'vault'>, organizationId: string, id: string): { secret: string; sealed: string } {
  const secret = secretText(randomBytes(32))
  return { secret, sealed: vault.seal(secret, webhookBinding(organizationId, id, 'secret')) }
}

/** Where it leads, and what signs: during a rotation two. */
export function openWebhook({ vault }: Pick<Parts, 'vault'>, row: WebhookRow): { url: URL; secrets: string[] } {
  const open = (sealed: string, what: 'url' | 'secret') => vault.open(sealed, webhookBinding(row.organization_id, row.id, what))
  return {
    url: new URL(open(row.url_sealed, 'url')),
    secrets: [row.secret_sealed, ...(row.old_secret_sealed && row.old_secret_lives ? [row.old_secret_sealed] : [])].map((sealed) =>
      open(sealed, 'secret'),
    ),
  }
}

export const toWebhook = (row: WebhookRow): Answer<'getWebhook'> => ({
  id: row.id,
  url: row.url_shown,
  description: row.description,
  types: row.types,
  workspaceSlug: row.workspace_slug,
  status: row.status,
  statusDetail: row.status_detail,
  owner: { name: row.owner_name, email: row.owner_email },
  createdAt: row.created_at,
  lastSuccessAt: row.last_success_at,
  lastFailureAt: row.last_failure_at,
  behind: Math.max(0, row.head - row.position),
})

/** How the audit trail names it. The address is kept as people see it. */
export const entryOf = (row: Pick<WebhookRow, 'id' | 'description' | 'url_shown'>) => ({
  target: { type: 'webhook' as const, id: row.id, name: row.description || row.url_shown },
})
