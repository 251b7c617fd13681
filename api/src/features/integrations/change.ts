import { quotas } from '@adjoin/contract'
import { transact } from '../../audit/transact.ts'
import type { Call, Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { acceptableReturnUrl } from '../../domain/integration.ts'
import { checkFields } from '../../providers/fields.ts'
import { findProvider } from '../../providers/index.ts'
import type { Provider, Values } from '../../providers/provider.ts'
import { revoke } from '../../providers/session.ts'
import { refuse, refuseField } from '../../refusal.ts'
import { apply } from './apply.ts'
import { putLink } from './connect-link.ts'
import { openCredential } from './credential.ts'
import { findIntegration, targetOf, toIntegration } from './integration-row.ts'
import { type Checked, lease, release, runCheck } from './run-check.ts'
import { vendorLine } from './vendor-line.ts'

/** What is sent is validated; what is required may still come later. */
function checkedSettings(provider: Provider, settings: unknown): Values {
  const { values, problems } = checkFields(provider.settingsFields, settings, { prefix: 'settings.', partial: true })
  return values ?? refuse('validation_failed', { errors: problems! })
}

function checkedReturnUrl(call: Pick<Call, 'parts'>, text: string): string {
  const url = acceptableReturnUrl(text, call.parts.config.environment !== 'production')
  return url ?? refuseField('returnUrl', 'must be an https address without user name; http only on loopback in development')
}

export const createIntegration: Handler<'createIntegration'> = (call) =>
  transact(call, async (query, record) => {
    const { parts, organization, workspace, body, caller } = call
    const provider = findProvider(body.provider) ?? refuseField('provider', 'is not in the catalogue')
    const settings = checkedSettings(provider, body.settings ?? {})
    const returnUrl = body.returnUrl === undefined ? null : checkedReturnUrl(call, body.returnUrl)
    // The workspace's row is held: of creations at the quota's edge exactly as many get in as there is room for.
    await query(sql`select from workspaces where organization_id = ${organization.id} and id = ${workspace.id} for update`)
    const [full] = await query<{ n: number }>(
      sql`select count(*)::int as n from integrations where organization_id = ${organization.id} and workspace_id = ${workspace.id}`,
    )
    if (full!.n >= quotas.integrations)
      refuse('quota_reached', { detail: `A workspace holds at most ${quotas.integrations} integrations.` })
    const [made] = await query<{
      id: string
    }>(sql`insert into integrations (organization_id, workspace_id, provider, name, settings, return_url, expected_account, created_by)
      values (${organization.id}, ${workspace.id}, ${provider.id}, ${body.name}, ${JSON.stringify(settings)}, ${returnUrl}, ${body.expectedAccount ?? null}, ${caller.user.id})
      returning id`)
    const { id } = made!
    const url = await putLink(parts, query, organization.id, id, body.expiresInDays)
    record('integration.created', {
      target: { type: 'integration', id, name: body.name },
      metadata: { provider: provider.id, expiresInDays: body.expiresInDays },
    })
    call.headers.location = `/v1/organizations/${organization.slug}/workspaces/${workspace.slug}/integrations/${id}`
    const row = await findIntegration(query, { organizationId: organization.id, id })
    return { ...toIntegration(parts, row!), connectUrl: url }
  })

/** Changed settings are checked with the ad system at once, before they are written together with what it said. */
export const updateIntegration: Handler<'updateIntegration'> = async (call) => {
  const { parts, organization, workspace, params, body, now } = call
  const at = { organizationId: organization.id, workspaceId: workspace.id, id: params.id }
  const seen = (await findIntegration(parts.db.query, at)) ?? refuse('not_found')
  const provider = findProvider(seen.provider)
  const settings =
    body.settings === undefined
      ? seen.settings
      : checkedSettings(provider ?? refuseField('settings', 'this provider has left the catalogue'), body.settings)
  const expectedAccount = body.expectedAccount === undefined ? seen.expected_account : body.expectedAccount
  const returnUrl = body.returnUrl == null ? body.returnUrl : checkedReturnUrl(call, body.returnUrl)
  const asked = JSON.stringify(settings) !== JSON.stringify(seen.settings) || expectedAccount !== seen.expected_account
  const checking = asked && seen.credential !== null && seen.status !== 'disabled'

  let checked: Checked | undefined
  if (checking) {
    await lease(parts, seen)
    const fresh = (await findIntegration(parts.db.query, at)) ?? refuse('not_found')
    checked = await runCheck(parts, { ...fresh, settings: { ...settings }, expected_account: expectedAccount }, now).catch(
      async (error) => {
        await release(parts, seen)
        throw error
      },
    )
  }
  return transact(call, async (query, record) => {
    const row = (await findIntegration(query, at, 'lock')) ?? refuse('not_found')
    const next = { name: body.name ?? row.name, settings, returnUrl: returnUrl === undefined ? row.return_url : returnUrl, expectedAccount }
    await query(sql`update integrations set name = ${next.name}, settings = ${JSON.stringify(next.settings)}, return_url = ${next.returnUrl},
        expected_account = ${next.expectedAccount}, leased_until = null, updated_at = now()
      where organization_id = ${row.organization_id} and id = ${row.id}`)
    const before = { name: row.name, settings: row.settings, returnUrl: row.return_url, expectedAccount: row.expected_account }
    const changes = (Object.keys(next) as (keyof typeof next)[])
      .filter((field) => JSON.stringify(next[field]) !== JSON.stringify(before[field]))
      .map((field) => ({ field, from: before[field], to: next[field] }))
    if (checked && checked.version === row.credential_version && row.status !== 'disabled') {
      const { state } = await apply(parts, query, { ...row, updated_at: now }, { trigger: 'verify', credential: null, now, ...checked })
      record('integration.updated', {
        target: { ...targetOf(row), name: next.name },
        changes: state.status === row.status ? changes : [...changes, { field: 'status', from: row.status, to: state.status }],
      })
    } else record('integration.updated', { target: { ...targetOf(row), name: next.name }, changes })
    return toIntegration(parts, (await findIntegration(query, at))!)
  })
}

/** The sealed credential goes with the row, at once; what the vendor can end is ended first, and never in the way. */
export const deleteIntegration: Handler<'deleteIntegration'> = async (call) => {
  const { parts, organization, workspace, params, now } = call
  const at = { organizationId: organization.id, workspaceId: workspace.id, id: params.id }
  const seen = (await findIntegration(parts.db.query, at)) ?? refuse('not_found')
  const provider = findProvider(seen.provider)
  let revoked = 'unsupported'
  if (provider?.revoke && seen.credential !== null) {
    try {
      const credential = openCredential(parts, seen, seen.credential)
      revoked = (await revoke(vendorLine(parts, provider, credential.fields, now), credential)).outcome
    } catch (error) {
      parts.log.warn({ err: error, integration: seen.id }, 'access was not revoked at the ad system')
      revoked = 'failed'
    }
  }
  return transact(call, async (query, record) => {
    const row = (await findIntegration(query, at, 'lock')) ?? refuse('not_found')
    await query(sql`delete from integrations where organization_id = ${row.organization_id} and id = ${row.id}`)
    record('integration.deleted', {
      target: targetOf(row),
      metadata: { provider: row.provider, connectedAccount: row.connected_account, revokedAtProvider: revoked },
    })
    return undefined
  })
}
