import { isDeepStrictEqual } from 'node:util'
import { type Answer, settingsFor } from '@adjoin/contract'
import { transact } from '../../audit/transact.ts'
import type { Call, Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import type { AccountChoice } from '../../providers/accounts/settings.ts'
import { findProvider } from '../../providers/index.ts'
import type { FieldValues } from '../../providers/provider.ts'
import { whoMustAct } from '../../providers/reasons.ts'
import { refuse, refuseField } from '../../refusal.ts'
import { apply } from '../integrations/apply.ts'
import { checkedSettings } from '../integrations/checked-input.ts'
import { findIntegration, type IntegrationRow, statusChange } from '../integrations/integration-row.ts'
import { type CheckResult, releaseLease, runCheck, takeLease } from '../integrations/run-check.ts'
import { aboutIntegration } from '../integrations/snapshot.ts'
import { tellOwner } from '../integrations/tell-owner.ts'
import { choiceOf, offered } from './account-choice.ts'
import { client } from './note-start.ts'
import { readConnected, type Visited } from './result.ts'

type Choosing = Call<'chooseConnectAccount'>
type Choice = Answer<'chooseConnectAccount'>

/**
 * By the visit that gave access, while nothing but the account is missing. The ad system is asked first, alone over all
 * replicas; of racing choices the first counts, and one that does not work is not kept.
 */
export const chooseConnectAccount: Handler<'chooseConnectAccount'> = async (call) => {
  const { parts, params, body, origin } = call
  const visited = await readConnected(parts, params.result)
  const at = { organizationId: visited.row.organization_id, id: visited.row.id }
  const workspace = { id: visited.row.workspace_id }
  // The ad system is asked in the same way, by the client or by a member.
  const asking = { ip: origin.ip, params: { id: at.id }, at: { organization: { id: at.organizationId }, workspace } }
  await parts.limit('verifyIntegration', asking)
  const lease = await takeLease(parts, visited.row)
  try {
    // As it is now that nobody else may choose or renew.
    const snapshot = (await findIntegration(parts.db.query, at)) ?? refuse('not_found')
    const choice = visited.isThen(snapshot.connected_at) ? choiceOf(snapshot) : null
    if (!choice) return repeated(snapshot, body.accountId)
    const settings = await settingsWith(call, snapshot, choice)
    const checked = await runCheck(parts, { ...snapshot, settings }, visited.place.now)
    return checked ? await keep(call, visited, { snapshot, settings, checked }) : refuse('account_chosen')
  } finally {
    await releaseLease(parts, visited.row, lease)
  }
}

/** What was answered the first time, when the same account is chosen again. */
function repeated(row: IntegrationRow, accountId: string): Choice {
  if (row.status === 'disabled' || !Object.values(row.settings).includes(accountId)) return refuse('account_chosen')
  return { connectedAccount: row.connected_account, detail: null, reason: null, mustAct: null }
}

/** What the account gives, for an account that was offered. */
async function settingsWith({ parts: { db }, body }: Choosing, row: IntegrationRow, choice: AccountChoice): Promise<FieldValues> {
  const [picked] = await db.query<{ id: string }>(
    sql`select a.id from integration_accounts a where ${await offered(db.query, row, choice)} and a.id = ${body.accountId}`,
  )
  if (!picked) return refuseField('accountId', 'must be one of the listed accounts')
  const accounts = await db.query<{ id: string; kind: string; parentId: string | null }>(sql`select id, kind, parent_id as "parentId"
    from integration_accounts where organization_id = ${row.organization_id} and integration_id = ${row.id}`)
  const account = accounts.find(({ id, kind }) => id === picked.id && kind === choice.first.kind)!
  const given = settingsFor(accounts, account, choice.first, choice.others)
  return { ...row.settings, ...checkedSettings(findProvider(row.provider)!, given) }
}

interface Checked {
  readonly snapshot: IntegrationRow
  readonly settings: FieldValues
  readonly checked: CheckResult
}

function keep(
  { parts, origin, body }: Choosing,
  { row: before, place, isThen }: Visited,
  { snapshot, settings, checked }: Checked,
): Promise<Choice> {
  const { verdict, version } = checked
  const now = place.now
  const workspace = { id: before.workspace_id, slug: place.workspace_slug, name: place.workspace }
  const context = { parts, origin, organization: { id: before.organization_id }, workspace, via: 'connect' as const }
  return transact(context, async (query, record): Promise<Choice> => {
    const row = (await findIntegration(query, { organizationId: before.organization_id, id: before.id }, 'lock')) ?? refuse('not_found')
    const same = row.credential_version === version && isDeepStrictEqual(row.settings, snapshot.settings)
    if (!same || !isThen(row.connected_at) || !choiceOf(row)) return refuse('account_chosen')
    const about = { provider: row.provider, account: body.accountId }
    if (verdict.outcome !== 'verified') {
      const { reason, detail } = verdict
      record('integration.connect_failed', { actor: client, ...aboutIntegration(row), outcome: 'failure', metadata: { ...about, reason } })
      return { connectedAccount: null, detail, reason, mustAct: whoMustAct(reason) }
    }
    await query(sql`update integrations set settings = ${JSON.stringify(settings)}, accounts_due_at = now(), updated_at = now()
      where organization_id = ${row.organization_id} and id = ${row.id}`)
    const { state } = await apply(parts, query, { ...row, updated_at: now }, { trigger: 'verify', credential: null, now, ...checked })
    await query(sql`update receipts set account = ${state.connectedAccount}
      where organization_id = ${row.organization_id} and integration_id = ${row.id} and ended_at is null`)
    await query(sql`delete from notices where organization_id = ${row.organization_id} and integration_id = ${row.id} and kind = 'failed'`)
    await tellOwner(parts, query, row, 'connected', state)
    record('integration.updated', {
      actor: client,
      ...aboutIntegration(row, { state }),
      changes: [{ field: 'settings', from: row.settings, to: settings }, ...statusChange(row.status, state.status)],
      metadata: about,
    })
    return { connectedAccount: state.connectedAccount, detail: null, reason: null, mustAct: null }
  })
}
