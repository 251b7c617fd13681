// May this caller make this call through this integration now? Asked when
// the call comes, and again in the transaction that records a change.
import { atLeast, type CallEffect, type WorkspaceRole } from '@adjoin/contract'
import { type Fragment, type RunQuery, sql } from '../../db/sql.ts'
import type { FenceVerdict } from '../../gateway/fences/decide.ts'
import { type Judgement, judge, openHosts } from '../../gateway/judge.ts'
import type { GatewayRules } from '../../gateway/rules/rules.ts'
import type { VendorRequest } from '../../gateway/vendor-request.ts'
import { refuse } from '../../refusal.ts'
import { allColumns, findIntegration, type IntegrationRow, matchesRef, withPeopleAndLink } from '../integrations/integration-row.ts'
import { mustActSentence } from './who-must-act.ts'

export interface CalledRow extends IntegrationRow {
  frozen: boolean
  throttled_for: number | null
}

interface Whereabouts {
  readonly organizationId: string
  readonly workspaceId: string
  readonly id: string
}

/** Of an integration `i` and its organization `o`: may it be called now? */
const callableNow = sql`o.frozen_at is not null as frozen,
  case when i.throttled_until > now() then greatest(1, ceil(extract(epoch from i.throttled_until - now())))::int end as throttled_for`

/** The integration that a call goes through. */
export const selectCalled = (at: Whereabouts): Fragment => sql`select ${allColumns}, ${callableNow} from integrations i ${withPeopleAndLink}
  join organizations o on o.id = i.organization_id where ${matchesRef(at)}`

/**
 * Nobody disables or deletes it until the transaction has ended. The organization is read
 * after the lock was had: a freeze that committed meanwhile counts.
 */
export async function lockCalled(query: RunQuery, at: Whereabouts): Promise<CalledRow> {
  const row = (await findIntegration(query, at, 'lock')) ?? refuse('not_found')
  const [now] = await query<Pick<CalledRow, 'frozen' | 'throttled_for'>>(sql`select ${callableNow}
    from integrations i join organizations o on o.id = i.organization_id
    where i.organization_id = ${at.organizationId} and i.id = ${at.id}`)
  return { ...row, ...(now ?? refuse('not_found')) }
}

export function refuseByRole(role: WorkspaceRole, effect: CallEffect): void {
  if (effect === 'change' && !atLeast(role, 'member'))
    refuse('change_refused', {
      detail: 'This call would change something at the ad system. Your role only allows reading: ask a workspace admin.',
    })
}

export function refuseUnready(row: CalledRow, rules: GatewayRules | null | undefined): asserts rules is GatewayRules {
  if (row.status === 'disabled') refuse('integration_disabled')
  if (row.credential === null || row.status === 'pending' || row.status === 'error')
    refuse('integration_unconnected', { detail: mustActSentence(row) })
  if (row.frozen) refuse('organization_frozen')
  if (!rules) refuse('gateway_unavailable')
}

export type Allowed = Extract<Judgement, { host: string }>

/** What a caller asks for, and what the connection is that it asks for it through. */
export interface AskedCall {
  readonly rules: GatewayRules
  readonly request: VendorRequest
  readonly named: string | undefined
  /** Settings and what was entered at connecting. */
  readonly values: Readonly<Record<string, string>>
  readonly ownApp: string | undefined
}

/** `fence`: what the accounts that it names say; undefined where the integration is not limited to any. */
export function refuseByPolicy(
  row: CalledRow,
  role: WorkspaceRole,
  { rules, request, named, values, ownApp }: AskedCall,
  fence: FenceVerdict | undefined,
): Allowed {
  if (row.call_mode === 'off') refuse('calls_off')
  const judgement = judge(rules, request, { open: openHosts(rules, values), named, ownApp })
  if ('refused' in judgement) return refuse('path_refused', { detail: judgement.refused })
  if (judgement.personal && !atLeast(role, 'member'))
    refuse('path_refused', { detail: 'This call reads or writes personal data, such as leads. It needs the role of a member.' })
  if (judgement.effect === 'change' && row.call_mode === 'read')
    refuse('change_refused', { detail: 'This integration only lets programs read. Ask a workspace admin to change its call policy.' })
  if (fence && 'outside' in fence) refuse('account_outside', { detail: fence.outside })
  return judgement
}

/** Not a power that is lost: a call that has begun goes on. */
export function refuseThrottled({ throttled_for }: CalledRow): void {
  if (throttled_for) refuse('vendor_throttled', { headers: { 'retry-after': String(throttled_for) } })
}
