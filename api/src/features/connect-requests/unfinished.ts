// Access was given, but that is not enough yet: what is missing, and who can add it.
import type { ConnectMissing, IntegrationStatus } from '@adjoin/contract'
import { type Fragment, sql } from '../../db/sql.ts'
import { accountChoice } from '../../providers/accounts/settings.ts'
import { missingFields } from '../../providers/fields.ts'
import { findProvider } from '../../providers/index.ts'
import type { Field, FieldValues } from '../../providers/provider.ts'
import { whoMustAct } from '../../providers/reasons.ts'
import type { IntegrationRow } from '../integrations/integration-row.ts'

/** What an item `t` of an integration `i` says of how far its connection is. */
export interface SetupRow {
  unfinished: boolean
  held: boolean
  setup_status: IntegrationStatus
  status_reason: string | null
  settings: Record<string, string>
}

/** Connected when access was last given without all that it takes, or after that. */
export const isUnfinished = sql`coalesce(t.connected_at >= i.unfinished_since, false)`
/** An item that still asks for its integration. */
export const isOpenItem = sql`(t.connected_at is null or ${isUnfinished}) and t.declined_at is null`

/** Until when an integration `i` is asked for: by the live request that lasts longest, of those that still want it. */
export const requestedUntil = (organizationId: string): Fragment => sql`(select max(r.expires_at) from connect_items t
  join connect_requests r on r.organization_id = t.organization_id and r.id = t.request_id and r.canceled_at is null and r.expires_at > now()
  where t.organization_id = ${organizationId} and t.integration_id = i.id and ${isOpenItem})`

export const setupColumns: Fragment = sql`${isUnfinished} as unfinished, i.credential is not null as held,
  coalesce(i.enabled_status, i.status) as setup_status, i.status_reason, i.settings`

export const setupOf = (row: IntegrationRow): SetupRow & { provider: string } => ({
  provider: row.provider,
  unfinished: row.unfinished_since !== null,
  held: row.credential !== null,
  setup_status: row.enabled_status ?? row.status,
  status_reason: row.status_reason,
  settings: row.settings,
})

/** What is missing until the connection is finished, for one that is not. */
export function missingOf({ provider, held, setup_status, status_reason, settings }: SetupRow & { provider: string }): ConnectMissing {
  if (!held) return 'access'
  if (setup_status !== 'error') return 'verification'
  if (status_reason !== 'setting_missing') return whoMustAct(status_reason) === 'client' ? 'access' : 'verification'
  const known = findProvider(provider)
  return known && accountChoice(known, settings) ? 'account' : 'settings'
}

/** The settings that are asked for: what is required, except what was set already. */
export const neededSettings = (provider: string, settings: FieldValues): readonly Field[] => {
  const fields = findProvider(provider)?.settingsFields ?? []
  const unset = fields.filter(({ name, required }) => required && !Object.hasOwn(settings, name))
  return missingFields(fields, settings).length ? unset : []
}

/** Only another login, or the same with other rights, helps: the client may give access again. */
export const mayReconnect = (row: SetupRow & { provider: string; failed_reason: string | null }): boolean =>
  row.unfinished && (missingOf(row) === 'access' || whoMustAct(row.failed_reason) === 'client')
