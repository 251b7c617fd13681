import { isDeepStrictEqual } from 'node:util'
import { transact } from '../../audit/transact.ts'
import type { Call, Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { findProvider } from '../../providers/index.ts'
import { refuse, refuseField } from '../../refusal.ts'
import { apply } from './apply.ts'
import { checkedReturnUrl, checkedSettings } from './checked-input.ts'
import { findIntegration, type IntegrationRow, integrationRef, readIntegration, stateOf, statusChange } from './integration-row.ts'
import { seesWorkspace } from './owner.ts'
import { type CheckResult, releaseLease, runCheck, takeLease } from './run-check.ts'
import { aboutIntegration } from './snapshot.ts'

type Update = Call<'updateIntegration'>

/** The fields that an update may change, by the names of the document. */
const fieldsOf = (row: IntegrationRow) => ({
  name: row.name,
  settings: row.settings,
  returnUrl: row.return_url,
  expectedAccount: row.expected_account,
  ownerId: row.owner_id,
})
type Fields = ReturnType<typeof fieldsOf>

/** Changed settings are checked with the ad system at once, then written together with what it said. */
export const updateIntegration: Handler<'updateIntegration'> = async (call) => {
  const at = integrationRef(call)
  const snapshot = (await findIntegration(call.parts.db.query, at)) ?? refuse('not_found')
  const given = checkedFields(call, snapshot)
  const checked = await checkWith(call, snapshot, { ...fieldsOf(snapshot), ...given })

  return transact(call, async (query, record) => {
    const row = (await findIntegration(query, at, 'lock')) ?? refuse('not_found')
    const before = fieldsOf(row)
    const after: Fields = { ...before, ...given }
    const changed = (Object.keys(after) as (keyof Fields)[]).filter((field) => !isDeepStrictEqual(after[field], before[field]))
    if (changed.includes('ownerId') && after.ownerId && !(await seesWorkspace(query, row, after.ownerId)))
      refuseField('ownerId', 'must be someone who can see this workspace')
    if (changed.length) {
      await query(sql`update integrations set name = ${after.name}, settings = ${JSON.stringify(after.settings)}, return_url = ${after.returnUrl},
          expected_account = ${after.expectedAccount}, owner_id = ${after.ownerId}, updated_at = now(), check_due_at = ${needsCheck(changed) ? sql`now()` : sql`check_due_at`},
          accounts_due_at = ${changed.includes('settings') ? sql`now()` : sql`accounts_due_at`}
        where organization_id = ${row.organization_id} and id = ${row.id}`)
      const counts =
        checked !== undefined &&
        checked.version === row.credential_version &&
        row.status !== 'disabled' &&
        isDeepStrictEqual(checkInput(after), checked.asked)
      const state = counts
        ? (
            await apply(
              call.parts,
              query,
              { ...row, updated_at: call.now },
              { trigger: 'verify', credential: null, now: call.now, ...checked },
            )
          ).state
        : stateOf(row)
      record('integration.updated', {
        ...aboutIntegration(row, { state, name: after.name }),
        changes: [...changed.map((field) => ({ field, from: before[field], to: after[field] })), ...statusChange(row.status, state.status)],
      })
    }
    return readIntegration(call.parts, query, at)
  })
}

/**
 * What the ad system is asked with. Changed and not checked here,
 * because someone else changed something too, it is checked next.
 */
const checkInput = ({ settings, expectedAccount }: Fields) => ({ settings, expectedAccount })
const needsCheck = (changed: (keyof Fields)[]) => changed.includes('settings') || changed.includes('expectedAccount')

/** Only what was sent; the rest stays as it is when the row is held. */
function checkedFields(call: Update, snapshot: IntegrationRow): Partial<Fields> {
  const { name, settings, returnUrl, expectedAccount, ownerId } = call.body
  const provider = () =>
    findProvider(snapshot.provider) ?? refuseField('settings', 'can’t be changed: this ad system is no longer supported')
  return {
    ...(name !== undefined && { name }),
    ...(settings !== undefined && { settings: { ...checkedSettings(provider(), settings) } }),
    ...(returnUrl !== undefined && { returnUrl: returnUrl && checkedReturnUrl(call, returnUrl) }),
    ...(expectedAccount !== undefined && { expectedAccount }),
    ...(ownerId !== undefined && { ownerId }),
  }
}

/** Undefined where nothing changes that the ad system would notice, or nothing is connected. */
async function checkWith(
  { parts, now, origin, organization, workspace }: Update,
  snapshot: IntegrationRow,
  wanted: Fields,
): Promise<(CheckResult & { asked: ReturnType<typeof checkInput> }) | undefined> {
  const { settings, expectedAccount } = wanted
  const same = isDeepStrictEqual(checkInput(wanted), checkInput(fieldsOf(snapshot)))
  if (same || snapshot.credential === null || snapshot.status === 'disabled') return undefined
  // Asking the ad system is the same, whoever asks for it.
  await parts.limit('verifyIntegration', { ip: origin.ip, params: { id: snapshot.id }, at: { organization, workspace } })
  const lease = await takeLease(parts, snapshot)
  try {
    const fresh = await findIntegration(parts.db.query, { organizationId: snapshot.organization_id, id: snapshot.id })
    const checked = fresh && (await runCheck(parts, { ...fresh, settings, expected_account: expectedAccount }, now))
    return checked && { ...checked, asked: checkInput(wanted) }
  } finally {
    await releaseLease(parts, snapshot, lease)
  }
}
