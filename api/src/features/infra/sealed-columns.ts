import type { Database } from '../../db/pool.ts'
import { type Fragment, type Row, sql } from '../../db/sql.ts'
import { secretBinding } from '../../vault/tokens.ts'
import { itemBinding, requestBinding } from '../connect-requests/request-row.ts'
import { credentialBinding, revocationBinding } from '../integrations/credential.ts'
import { linkBinding } from '../integrations/integration-row.ts'
import { receiptBinding } from '../integrations/receipt-row.ts'
import { webhookBinding } from '../webhooks/webhook-row.ts'

/**
 * A column whose texts are sealed: how to count them by key,
 * walk those of other keys, and put one back if nobody was faster.
 */
export interface SealedColumn {
  readonly name: string
  readonly counts: Fragment
  /** The next ones not sealed by `keyId`, in the order of their ids. */
  next(keyId: string, after: string, limit: number): Fragment
  binding(row: Row): readonly string[]
  /** Compare and set: a live write in between counts, and needs no re-sealing. */
  replace(row: Row, sealed: string): Fragment
}

function ofWebhooks(name: 'url_sealed' | 'secret_sealed' | 'old_secret_sealed'): SealedColumn {
  const column = { url_sealed: sql`url_sealed`, secret_sealed: sql`secret_sealed`, old_secret_sealed: sql`old_secret_sealed` }[name]
  return {
    name: `webhooks.${name}`,
    counts: sql`select split_part(${column}, '.', 2) as key, count(*)::int as n from webhooks where ${column} is not null group by 1`,
    next: (keyId, after, limit) => sql`select id, organization_id, ${column} as sealed from webhooks
      where id > ${after} and ${column} is not null and split_part(${column}, '.', 2) <> ${keyId} order by id limit ${limit}`,
    binding: (row) => webhookBinding(row.organization_id, row.id, name === 'url_sealed' ? 'url' : 'secret'),
    replace: (row, sealed) => sql`update webhooks set ${column} = ${sealed}
      where organization_id = ${row.organization_id} and id = ${row.id} and ${column} = ${row.sealed} returning id`,
  }
}

/** The sealed copy of a token that a client holds. */
function linkColumn(
  table: string,
  from: Fragment,
  id: Fragment,
  binding: (organizationId: string, id: string) => readonly string[],
): SealedColumn {
  return {
    name: `${table}.token_sealed`,
    counts: sql`select split_part(token_sealed, '.', 2) as key, count(*)::int as n from ${from} where token_sealed is not null group by 1`,
    next: (keyId, after, limit) => sql`select ${id} as id, organization_id, token_sealed as sealed from ${from}
      where ${id} > ${after} and token_sealed is not null and split_part(token_sealed, '.', 2) <> ${keyId} order by ${id} limit ${limit}`,
    binding: (row) => binding(row.organization_id, row.id),
    replace: (row, sealed) => sql`update ${from} set token_sealed = ${sealed}
      where organization_id = ${row.organization_id} and ${id} = ${row.id} and token_sealed = ${row.sealed} returning ${id}`,
  }
}

/**
 * Everything that must outlive a key.
 * Jobs, idempotent answers and the mailbox are sealed too, and gone within days.
 */
export const sealedColumns: readonly SealedColumn[] = [
  {
    name: 'integrations.credential',
    counts: sql`select split_part(credential, '.', 2) as key, count(*)::int as n from integrations where credential is not null group by 1`,
    next: (keyId, after, limit) => sql`select id, organization_id, workspace_id, credential as sealed from integrations
      where id > ${after} and credential is not null and split_part(credential, '.', 2) <> ${keyId} order by id limit ${limit}`,
    binding: (row) => credentialBinding(row as never),
    replace: (row, sealed) => sql`update integrations set credential = ${sealed}
      where organization_id = ${row.organization_id} and id = ${row.id} and credential = ${row.sealed} returning id`,
  },
  {
    name: 'connect_links.token_sealed',
    counts: sql`select split_part(token_sealed, '.', 2) as key, count(*)::int as n from connect_links group by 1`,
    next: (keyId, after, limit) => sql`select integration_id as id, organization_id, token_sealed as sealed from connect_links
      where integration_id > ${after} and split_part(token_sealed, '.', 2) <> ${keyId} order by integration_id limit ${limit}`,
    binding: (row) => linkBinding(row.organization_id, row.id),
    replace: (row, sealed) => sql`update connect_links set token_sealed = ${sealed}
      where organization_id = ${row.organization_id} and integration_id = ${row.id} and token_sealed = ${row.sealed} returning integration_id`,
  },
  {
    name: 'invitations.token_sealed',
    counts: sql`select split_part(token_sealed, '.', 2) as key, count(*)::int as n from invitations where token_sealed is not null group by 1`,
    next: (keyId, after, limit) => sql`select id, organization_id, token_sealed as sealed from invitations
      where id > ${after} and token_sealed is not null and split_part(token_sealed, '.', 2) <> ${keyId} order by id limit ${limit}`,
    binding: (row) => ['invitations', row.organization_id, row.id, 'token'],
    replace: (row, sealed) => sql`update invitations set token_sealed = ${sealed}
      where organization_id = ${row.organization_id} and id = ${row.id} and token_sealed = ${row.sealed} returning id`,
  },
  {
    name: 'revocations.credential',
    counts: sql`select split_part(credential, '.', 2) as key, count(*)::int as n from revocations group by 1`,
    next: (keyId, after, limit) => sql`select id, organization_id, credential as sealed from revocations
      where id > ${after} and split_part(credential, '.', 2) <> ${keyId} order by id limit ${limit}`,
    binding: (row) => revocationBinding(row.organization_id, row.id),
    replace: (row, sealed) => sql`update revocations set credential = ${sealed}
      where organization_id = ${row.organization_id} and id = ${row.id} and credential = ${row.sealed} returning id`,
  },
  linkColumn('connect_requests', sql`connect_requests`, sql`id`, requestBinding),
  linkColumn('connect_items', sql`connect_items`, sql`id`, itemBinding),
  linkColumn('receipts', sql`receipts`, sql`integration_id`, receiptBinding),
  ...(['url_sealed', 'secret_sealed', 'old_secret_sealed'] as const).map(ofWebhooks),
  {
    name: 'service_secrets.sealed',
    counts: sql`select split_part(sealed, '.', 2) as key, count(*)::int as n from service_secrets group by 1`,
    next: (keyId, after, limit) => sql`select name as id, sealed from service_secrets
      where name > ${after} and split_part(sealed, '.', 2) <> ${keyId} order by name limit ${limit}`,
    binding: (row) => secretBinding(row.id),
    replace: (row, sealed) =>
      sql`update service_secrets set sealed = ${sealed} where name = ${row.id} and sealed = ${row.sealed} returning name`,
  },
]

/** Where each walk begins: below every uuid, and below every name. */
export const FIRST: Record<string, string> = { 'service_secrets.sealed': '' }
export const LOWEST_UUID = '00000000-0000-0000-0000-000000000000'

export interface KeyCounts {
  readonly column: string
  readonly key: string
  readonly count: number
}

export async function keyCounts({ query }: Pick<Database, 'query'>): Promise<KeyCounts[]> {
  const counts: KeyCounts[] = []
  for (const { name, counts: statement } of sealedColumns)
    for (const { key, n } of await query<{ key: string; n: number }>(statement)) counts.push({ column: name, key, count: n })
  return counts
}

/** The keys that something is sealed with and the ring does not hold: without them that is lost. */
export async function missingKeys(db: Pick<Database, 'query'>, ring: readonly string[]): Promise<KeyCounts[]> {
  return (await keyCounts(db)).filter(({ key }) => !ring.includes(key))
}

/**
 * A key that still seals something cannot be dropped:
 * better not to start than to serve integrations that no longer open.
 */
export async function refuseMissingKeys(db: Pick<Database, 'query'>, vault: { readonly keyIds: readonly string[] }): Promise<void> {
  const [missing] = await missingKeys(db, vault.keyIds)
  if (missing)
    throw new Error(
      `SEAL_KEYS is missing the key \`${missing.key}\`, which still seals ${missing.count} of ${missing.column}. Put it back after the first one, run \`adjoin-admin reseal\`, then remove it.`,
    )
}
