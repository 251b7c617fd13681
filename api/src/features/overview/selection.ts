// Which integrations of an organization a caller has asked for, as conditions on an integration `i`, its workspace `w` and its link `l`.
import { type MustAct, providerIds, type Query } from '@adjoin/contract'
import type { Caller, OrganizationScope } from '../../call.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { providers } from '../../providers/index.ts'
import { reasons } from '../../providers/reasons.ts'

export type Selection = Omit<Query<'listOrganizationIntegrations'>, 'sort' | 'cursor' | 'limit' | 'counts'>

/** Guests see the workspaces they are assigned to, everyone else all of them; so do their keys. */
export const visibleTo = (caller: Caller, organization: OrganizationScope): Fragment =>
  organization.role === 'guest'
    ? sql`exists (select 1 from workspace_members a where a.organization_id = ${organization.id} and a.workspace_id = i.workspace_id
        and a.user_id = ${caller.user.id})`
    : sql`true`

/** As `reasonOf` of the domain has it. */
const reason = sql`case when i.status_detail is not null then i.status_reason when i.last_error is not null then i.last_error_reason end`

const reasonsFor = (who: MustAct): string[] => Object.entries(reasons).flatMap(([code, { who: its }]) => (its === who ? [code] : []))

const named = sql`case when ${reason} = any(${reasonsFor('client')}) then 'client' when ${reason} = any(${reasonsFor('agency')}) then 'agency'
  when ${reason} = any(${reasonsFor('operator')}) then 'operator' when ${reason} = any(${reasonsFor('nobody')}) then 'nobody' end`

/** As `mustAct` of the domain has it; a test compares the two for every reason, status and link. */
const mustActColumn = sql`case i.status when 'disabled' then null when 'error' then coalesce(${named}, 'agency')
  when 'pending' then case when coalesce(${named}, 'nobody') <> 'nobody' then ${named} when greatest(l.expires_at, i.requested_until) > now() then 'client' else 'agency' end
  else coalesce(${named}, case when i.last_error is not null then 'nobody' end) end`

/** `100 %` and `a_b` are words, not patterns. */
const within = (q: string): string => `%${q.replace(/[\\%_]/g, '\\$&')}%`

const providersNamed = (text: string): string[] => {
  const wanted = text.toLowerCase()
  return providers.flatMap(({ id, name }) => (name.toLowerCase().includes(wanted) || id === wanted ? [id] : []))
}

/** Every word is found somewhere: `brand söhne` finds the brand campaigns of the client Söhne. */
const matches = (word: string): Fragment =>
  sql`(i.search like folded(${within(word)}) or folded(w.name) like folded(${within(word)}) or i.provider = any(${providersNamed(word)}))`

export function selected({ status, provider, category, workspace, mustAct, statusReason, expiringWithin, q }: Selection): Fragment {
  const inCategory = category && providerIds.filter((id) => providers.some((one) => one.id === id && one.category === category))
  const words = (q ?? '').split(/\s+/).filter(Boolean)
  return [
    status && sql`i.status = ${status}`,
    provider && sql`i.provider = ${provider}`,
    inCategory && sql`i.provider = any(${inCategory})`,
    workspace && sql`w.slug = ${workspace}`,
    mustAct && sql`${mustActColumn} = ${mustAct}`,
    statusReason && sql`${reason} = ${statusReason}`,
    expiringWithin && sql`i.status <> 'disabled' and i.grant_ends_at <= now() + make_interval(days => ${expiringWithin})`,
    ...words.map(matches),
  ].reduce<Fragment>((all, one) => (one ? sql`${all} and ${one}` : all), sql`true`)
}
