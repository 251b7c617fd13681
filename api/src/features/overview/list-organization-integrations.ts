import type { Answer, IntegrationStatus } from '@adjoin/contract'
import type { Call, Handler } from '../../call.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { diedWithLogin, sharesConsent } from '../connect/others.ts'
import { openRequestOf } from '../connect-requests/request-row.ts'
import { pageOf, readCursor, writeCursor } from '../cursor.ts'
import { type HealthRow, healthColumns, toHealth, withHealth } from '../integrations/health.ts'
import { standing, toIntegration, type VisibleRow, visibleColumns, withPeopleAndLink } from '../integrations/integration-row.ts'
import { type Position, pageOfIds } from './orders.ts'
import { selected, visibleTo } from './selection.ts'

interface FoundRow extends VisibleRow, HealthRow {
  workspace_slug: string
  workspace_name: string
  /** The open request that asks for it. */
  request_id: string | null
  /** Of those that died with their login: which. */
  grant_hash: Buffer | null
  segment: number
  keys: string[]
}

type Search = Call<'listOrganizationIntegrations'>

const withWorkspace = sql`join workspaces w on w.organization_id = i.organization_id and w.id = i.workspace_id`
const withLink = sql`left join connect_links l on l.organization_id = i.organization_id and l.integration_id = i.id`

/** An integration with its workspace, and with its link: whether that lives decides who must act. */
const from = sql`from integrations i ${withWorkspace} ${withLink}`

export const listOrganizationIntegrations: Handler<'listOrganizationIntegrations'> = async (call) => {
  const { parts, caller, organization } = call
  const { sort, cursor, limit, counts, ...selection } = call.query
  const where = sql`i.organization_id = ${organization.id} and ${visibleTo(caller, organization)} and ${selected(selection)}`
  const list = `integrations|${organization.id}|${sort}|${JSON.stringify(Object.entries(selection).sort())}`
  const position = readCursor(parts.secrets, list, cursor)
  const [rows, counted] = await Promise.all([
    parts.db.query<FoundRow>(page(call, where, position === undefined ? undefined : positionOf(position))),
    counts ? countsOf(call, where) : undefined,
  ])
  const { page: shown, nextCursor } = pageOf(rows, limit, ({ segment, keys, id }) =>
    writeCursor(parts.secrets, list, Buffer.from(JSON.stringify([segment, keys, id] satisfies Position)).toString('base64url')),
  )
  return {
    integrations: shown.map((row) => ({
      ...toIntegration(parts, row),
      health: toHealth(row),
      connectRequestId: row.request_id,
      workspace: { slug: row.workspace_slug, name: row.workspace_name },
      sharedLogin: sharedLoginOf(call, row),
    })),
    nextCursor,
    ...(counted && { counts: counted }),
  }
}

/** Bound to the organization: another one that holds access of the same login cannot tell. */
const sharedLoginOf = ({ parts }: Search, { organization_id, provider, grant_hash }: FoundRow): string | null =>
  grant_hash && sharesConsent(provider)
    ? parts.secrets.lookup('shared-login', `${organization_id} ${provider} ${grant_hash.toString('base64url')}`).toString('base64url')
    : null

/** Ours: its tag was verified. */
const positionOf = (text: string): Position => JSON.parse(Buffer.from(text, 'base64url').toString())

/** First which, from the index; then the rest of what is shown, of these alone. */
const page = ({ organization, query }: Search, where: Fragment, after: Position | undefined): Fragment => sql`
  with p as materialized (select * from (${pageOfIds(query.sort, from, where, query.limit, after)}) as s order by segment, nth limit ${query.limit + 1})
  select ${visibleColumns}, ${healthColumns}, w.slug as workspace_slug, w.name as workspace_name, ${openRequestOf(organization.id)} as request_id,
    case when ${diedWithLogin} then i.grant_hash end as grant_hash, p.segment, p.keys
  from p join integrations i on i.organization_id = ${organization.id} and i.id = p.id
  join workspaces w on w.organization_id = i.organization_id and w.id = i.workspace_id ${withPeopleAndLink} ${withHealth(organization.id)}
  order by p.segment, p.nth`

interface CountedRow {
  status: IntegrationStatus
  provider: string
  broken: boolean
  status_reason: string | null
  ailing: boolean
  last_error_reason: string | null
  link_lives: boolean | null
  n: number
}

/** By what decides who must act, which takes few values: that is decided here, once for each. Only what is asked for is joined. */
async function countsOf(
  { parts, query, organization }: Search,
  where: Fragment,
): Promise<NonNullable<Answer<'listOrganizationIntegrations'>['counts']>> {
  const rows = await parts.db.query<CountedRow>(sql`select i.status, i.provider, i.status_detail is not null as broken, i.status_reason,
      i.last_error is not null as ailing, i.last_error_reason, case when i.status = 'pending' then
        greatest((select l.expires_at from connect_links l where l.organization_id = ${organization.id} and l.integration_id = i.id), i.requested_until) > now() end as link_lives, count(*)::int as n
    from integrations i ${query.workspace || query.q ? withWorkspace : sql``} ${query.mustAct ? withLink : sql``}
    where ${where} group by 1, 2, 3, 4, 5, 6, 7`)
  const byStatus = { pending: 0, active: 0, error: 0, disabled: 0 }
  const byMustAct = { client: 0, agency: 0, operator: 0, nobody: 0 }
  const byProvider: Record<string, number> = {}
  for (const row of rows) {
    const { mustAct } = standing(reasonsOf(row), row.link_lives === true)
    byStatus[row.status] += row.n
    byProvider[row.provider] = (byProvider[row.provider] ?? 0) + row.n
    if (mustAct) byMustAct[mustAct] += row.n
  }
  return { total: rows.reduce((sum, { n }) => sum + n, 0), byStatus, byProvider, byMustAct }
}

/** What the sentences say makes no difference, only whether they are there. */
const reasonsOf = (row: CountedRow) => ({
  status: row.status,
  statusDetail: row.broken ? '' : null,
  statusReason: row.status_reason,
  lastError: row.ailing ? '' : null,
  lastErrorReason: row.last_error_reason,
})
