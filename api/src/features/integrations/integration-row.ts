import type { Answer, CallMode, IntegrationStatus, MustAct } from '@adjoin/contract'
import type { Parts } from '../../call.ts'
import { type Fragment, type RunQuery, sql } from '../../db/sql.ts'
import { mustAct, reasonOf, type State, type StateReasons } from '../../domain/integration.ts'
import { findProvider } from '../../providers/index.ts'
import { whoMustAct } from '../../providers/reasons.ts'
import { refuse } from '../../refusal.ts'
import { isSealBroken } from '../../vault/seal.ts'

/** What is shown of an integration. Its credential is not among it: reads do not even fetch it. */
export interface VisibleRow {
  organization_id: string
  id: string
  workspace_id: string
  provider: string
  name: string
  status: IntegrationStatus
  status_detail: string | null
  status_reason: string | null
  status_checked_at: Date | null
  last_error: string | null
  last_error_reason: string | null
  last_error_at: Date | null
  settings: Record<string, string>
  connected_at: Date | null
  connected_account: string | null
  expected_account: string | null
  return_url: string | null
  call_mode: CallMode
  call_accounts: string[] | null
  status_since: Date
  grant_ends_at: Date | null
  grant_end: 'known' | 'estimated' | 'never' | null
  /** The day on which access ends automatically. */
  access_until: string | null
  /** Its client is asked for it by an open request. */
  requested: boolean
  owner_id: string | null
  owner_name: string | null
  created_by_email: string | null
  created_at: Date
  updated_at: Date
  link_sealed: string | null
  link_expires_at: Date | null
  link_expired: boolean | null
}

/** What operations on an integration answer with. */
type IntegrationAnswer = Answer<'verifyIntegration'>

/** The whole of it, for those who change it or ask its ad system. */
export interface IntegrationRow extends VisibleRow {
  enabled_status: IntegrationStatus | null
  created_by: string | null
  /** Sealed: opened by those who use it, sent to nobody. */
  credential: string | null
  credential_version: number
  /** Access was given then, and something is missing until it can be used; null: it was verified since. */
  unfinished_since: Date | null
}

export const ownColumns = sql`i.organization_id, i.id, i.workspace_id, i.provider, i.name, i.status, i.status_detail, i.status_reason, i.status_checked_at,
  i.last_error, i.last_error_reason, i.last_error_at, i.settings, i.connected_at, i.connected_account, i.expected_account, i.return_url,
  i.call_mode, i.call_accounts, i.status_since, i.grant_ends_at, i.grant_end, i.owner_id, i.created_at, i.updated_at`
/** Of an integration `i`, its creator `u`, its owner `k` and its link `l`. */
export const visibleColumns = sql`${ownColumns}, i.access_until::text as access_until, coalesce(i.requested_until > now(), false) as requested, u.email as created_by_email, k.name as owner_name,
  l.token_sealed as link_sealed, l.expires_at as link_expires_at, l.expires_at <= now() as link_expired`
export const allColumns = sql`${visibleColumns}, i.enabled_status, i.created_by, i.credential, i.credential_version, i.unfinished_since`

/** What is read along with an integration `i`. */
export const withPeopleAndLink = sql`left join users u on u.id = i.created_by left join users k on k.id = i.owner_id
  left join connect_links l on l.organization_id = i.organization_id and l.integration_id = i.id`

/** The one way integrations are read: always within their organization, with live link and creator. */
const select = (columns: Fragment, where: Fragment): Fragment =>
  sql`select ${columns} from integrations i ${withPeopleAndLink} where ${where}`

export const visibleIntegrations = (where: Fragment): Fragment => select(visibleColumns, where)

interface IntegrationRef {
  readonly organizationId: string
  /** Absent where the path names none: the client's side, and the jobs. */
  readonly workspaceId?: string
  readonly id: string
}

export const matchesRef = ({ organizationId, workspaceId, id }: IntegrationRef): Fragment =>
  sql`i.organization_id = ${organizationId} and i.id = ${id} ${workspaceId === undefined ? sql`` : sql`and i.workspace_id = ${workspaceId}`}`

/** With `lock`, held until the transaction ends: whoever changes one begins here. */
export async function findIntegration(query: RunQuery, at: IntegrationRef, lock?: 'lock'): Promise<IntegrationRow | undefined> {
  const found = select(allColumns, matchesRef(at))
  const [row] = await query<IntegrationRow>(lock ? sql`${found} for update of i` : found)
  return row
}

/** As it is now, for the answer. */
export async function readIntegration(
  parts: Pick<Parts, 'vault' | 'config'>,
  query: RunQuery,
  at: IntegrationRef,
): Promise<IntegrationAnswer> {
  const [row] = await query<VisibleRow>(visibleIntegrations(matchesRef(at)))
  return row ? toIntegration(parts, row) : refuse('not_found')
}

/** Where a request's path says the integration is. */
export const integrationRef = (call: { organization: { id: string }; workspace: { id: string }; params: { id: string } }) => ({
  organizationId: call.organization.id,
  workspaceId: call.workspace.id,
  id: call.params.id,
})

export const linkBinding = (organizationId: string, id: string) => ['connect_links', organizationId, id, 'token']

export const connectUrl = ({ config }: Pick<Parts, 'config'>, token: string): string => `${config.publicUrl}/connect/${token}`

/**
 * Null where there is no link, or none that opens:
 * one broken envelope must not hide a workspace's other integrations.
 */
export function linkToken({ vault }: Pick<Parts, 'vault'>, row: VisibleRow): string | null {
  try {
    return row.link_sealed && vault.open(row.link_sealed, linkBinding(row.organization_id, row.id))
  } catch (error) {
    if (isSealBroken(error)) return null
    throw error
  }
}

/** A provider that has left the catalogue keeps its rows. */
export function toIntegration(parts: Pick<Parts, 'vault' | 'config'>, row: VisibleRow): IntegrationAnswer {
  const provider = findProvider(row.provider)
  const token = linkToken(parts, row)
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    provider: row.provider,
    providerName: provider?.name ?? row.provider,
    category: provider?.category ?? null,
    authMethod: provider?.authMethod ?? null,
    name: row.name,
    status: row.status,
    statusDetail: row.status_detail,
    ...standing({ ...stateReasonsOf(row), status: row.status }, (token !== null && !row.link_expired) || row.requested),
    statusCheckedAt: row.status_checked_at,
    lastError: row.last_error,
    lastErrorAt: row.last_error_at,
    settings: row.settings,
    connectedAt: row.connected_at,
    connectedAccount: row.connected_account,
    expectedAccount: row.expected_account,
    returnUrl: row.return_url,
    accessUntil: row.access_until,
    callPolicy: { mode: row.call_mode, accounts: row.call_accounts },
    connectLink: token ? { connectUrl: connectUrl(parts, token), expiresAt: row.link_expires_at!, expired: row.link_expired! } : null,
    owner: row.owner_id === null ? null : { userId: row.owner_id, name: row.owner_name ?? '' },
    createdByEmail: row.created_by_email,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** Why an integration is as it is, and who must act. */
export function standing(
  state: StateReasons & Pick<State, 'status'>,
  linkLives: boolean,
): { statusReason: string | null; mustAct: MustAct | null } {
  const reason = reasonOf(state)
  const who = whoMustAct(reason) ?? (state.lastError !== null && state.status === 'active' ? 'nobody' : null)
  return { statusReason: reason, mustAct: mustAct(state.status, who, linkLives) }
}

export const stateReasonsOf = (row: VisibleRow): StateReasons => ({
  statusDetail: row.status_detail,
  statusReason: row.status_reason,
  lastError: row.last_error,
  lastErrorReason: row.last_error_reason,
})

export const stateOf = (row: IntegrationRow): State => ({
  ...stateReasonsOf(row),
  status: row.status,
  enabledStatus: row.enabled_status,
  statusCheckedAt: row.status_checked_at,
  lastErrorAt: row.last_error_at,
  connectedAt: row.connected_at,
  connectedAccount: row.connected_account,
})

/** For the trail: a status that did not change is no change. */
export const statusChange = (from: IntegrationStatus, to: IntegrationStatus) => (from === to ? [] : [{ field: 'status', from, to }])
