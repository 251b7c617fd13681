// Connections that one vendor login made die together, and come back together.
import type { Parts } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { findProvider } from '../../providers/index.ts'
import type { IntegrationRow } from '../integrations/integration-row.ts'

export interface OtherRow {
  id: string
  name: string
  account: string | null
  workspace_id: string
  workspace_slug: string
  workspace: string
}

const MOST_OTHERS = 200

/** Access that a new consent with the same login can bring back, of an integration `i`. */
export const diedWithLogin = sql`i.status = 'error' and i.credential is not null`
/** Where every renewal replaces the refresh token, two connections cannot live on one consent: each needs its own. */
export const sharesConsent = (provider: string): boolean => findProvider(provider)?.lifetimes.rotates === false

/** Those of the same organization that stopped working and were connected with the login of this one. */
export async function othersOf(parts: Parts, row: IntegrationRow): Promise<OtherRow[]> {
  if (!sharesConsent(row.provider) || row.credential === null) return []
  return parts.db.query<OtherRow>(sql`select i.id, i.name, i.connected_account as account, w.id as workspace_id, w.slug as workspace_slug,
      w.name as workspace
    from integrations x join integrations i on i.organization_id = x.organization_id and i.grant_hash = x.grant_hash and i.provider = x.provider
      and i.id <> x.id and ${diedWithLogin}
    join workspaces w on w.organization_id = i.organization_id and w.id = i.workspace_id
    where x.organization_id = ${row.organization_id} and x.id = ${row.id} order by w.name, i.name, i.id limit ${MOST_OTHERS}`)
}

export const toOther = ({ id, name, account, workspace }: OtherRow) => ({ id, name, workspace: { name: workspace }, account })
