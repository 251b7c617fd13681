import { quotas } from '@adjoin/contract'
import { transact } from '../../audit/transact.ts'
import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { findProvider } from '../../providers/index.ts'
import { refuse, refuseField } from '../../refusal.ts'
import { putLink } from './connect-link.ts'
import { checkedReturnUrl, checkedSettings } from './given.ts'
import { findIntegration, toIntegration } from './integration-row.ts'

export const createIntegration: Handler<'createIntegration'> = (call) =>
  transact(call, async (query, record) => {
    const { parts, organization, workspace, body, caller } = call
    const provider = findProvider(body.provider) ?? refuseField('provider', 'is not in the catalogue')
    const settings = checkedSettings(provider, body.settings ?? {})
    const returnUrl = body.returnUrl === undefined ? null : checkedReturnUrl(call, body.returnUrl)
    // The workspace's row is held: of creations at the quota's edge exactly as many get in as there is room for.
    const [there] = await query(sql`select from workspaces where organization_id = ${organization.id} and id = ${workspace.id} for update`)
    if (!there) return refuse('not_found') // deleted since the request was let in
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
