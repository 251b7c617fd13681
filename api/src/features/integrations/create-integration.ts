import { randomUUID } from 'node:crypto'
import { transact } from '../../audit/transact.ts'
import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { acceptableAccessUntil } from '../../domain/connect-request.ts'
import { findProvider } from '../../providers/index.ts'
import { refuse, refuseField } from '../../refusal.ts'
import { policyFor } from '../gateway/call-policy.ts'
import { refuseBeyondQuota } from '../organizations/quota.ts'
import { checkedReturnUrl, checkedSettings } from './checked-input.ts'
import { refuseUnconnectable } from './connectable.ts'
import { ownColumns, toIntegration, type VisibleRow, visibleColumns } from './integration-row.ts'
import { newLink } from './new-link.ts'
import { aboutIntegration } from './snapshot.ts'

export const createIntegration: Handler<'createIntegration'> = (call) =>
  transact(call, async (query, record) => {
    const { parts, organization, workspace, body, caller } = call
    const provider = findProvider(body.provider) ?? refuseField('provider', 'is not a supported ad system')
    const settings = checkedSettings(provider, body.settings ?? {})
    const returnUrl = body.returnUrl === undefined ? null : checkedReturnUrl(call, body.returnUrl)
    if (body.accessUntil && !acceptableAccessUntil(body.accessUntil, call.now))
      refuseField('accessUntil', 'must be after today and at most 2 years from now')
    refuseUnconnectable(parts, provider.id)
    const policy = policyFor(workspace.role, provider.id, body.callPolicy)
    // The workspace's row is held: at the quota's edge exactly as many get in as there is room.
    const [there] = await query(sql`select from workspaces where organization_id = ${organization.id} and id = ${workspace.id} for update`)
    if (!there) return refuse('not_found') // deleted since the request was let in
    const id = randomUUID()
    // In one round trip.
    const [{ url, insert }, [full]] = await Promise.all([
      newLink(parts, query, { organizationId: organization.id, id }, body.expiresInDays),
      query<{ n: number }>(
        sql`select count(*)::int as n from integrations where organization_id = ${organization.id} and workspace_id = ${workspace.id}`,
      ),
    ])
    refuseBeyondQuota('integrations', full!.n + 1, workspace.role === 'admin')
    // Both rows, and what is to be answered of them, in one statement.
    const [row] = await query<VisibleRow>(sql`with i as (
        insert into integrations as i (organization_id, id, workspace_id, provider, name, settings, return_url, expected_account, call_mode,
          call_accounts, access_until, created_by)
        values (${organization.id}, ${id}, ${workspace.id}, ${provider.id}, ${body.name}, ${JSON.stringify(settings)}, ${returnUrl},
          ${body.expectedAccount ?? null}, ${policy.mode}, ${policy.accounts}, ${body.accessUntil ?? null}::date, ${caller.user.id}) returning ${ownColumns}, i.access_until, i.requested_until, i.created_by),
      l as (${insert})
      select ${visibleColumns} from i left join users u on u.id = i.created_by left join users k on k.id = i.owner_id cross join l`)
    record('integration.created', {
      ...aboutIntegration(row!),
      metadata: { provider: provider.id, expiresInDays: body.expiresInDays, callPolicy: policy },
    })
    call.headers.location = `/v1/organizations/${organization.slug}/workspaces/${workspace.slug}/integrations/${id}`
    return { ...toIntegration(parts, row!), connectUrl: url }
  })
