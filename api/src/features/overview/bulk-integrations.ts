import {
  type Answer,
  atLeast,
  type BulkAction,
  effectiveRole,
  inheritedRole,
  type ProblemCode,
  problems,
  type WorkspaceRole,
} from '@adjoin/contract'
import { type Recorder, transact } from '../../audit/transact.ts'
import type { Call, Handler, LimitSubject, Parts } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { disabled, type State, waiting } from '../../domain/integration.ts'
import { Refusal } from '../../refusal.ts'
import { mailReminder } from '../connect-requests/remind.ts'
import { aboutRequest, openRequestOf, type RequestRow, requestRows } from '../connect-requests/request-row.ts'
import { connectRefusal } from '../integrations/connectable.ts'
import { type IntegrationRow, stateOf, statusChange } from '../integrations/integration-row.ts'
import { newLink } from '../integrations/new-link.ts'
import { aboutIntegration } from '../integrations/snapshot.ts'

type BulkCall = Call<'bulkIntegrations'>
type Result = Answer<'bulkIntegrations'>['results'][number]

interface ManagedRow extends IntegrationRow {
  workspace_slug: string
  workspace_name: string
  assigned_role: WorkspaceRole | null
  frozen: boolean
  /** The open request that was mailed to its client. */
  request_id: string | null
}

/** What an action does to one integration: how it ends, and the change, which a dry run leaves out. */
type Step =
  | { outcome: Result['outcome']; change?: (query: RunQuery, record: Recorder) => Promise<Omit<Result, 'id'> | undefined> }
  | { refused: ProblemCode; detail?: string }

/** All in one transaction: repeated with its Idempotency-Key, all of it was done or nothing. */
export const bulkIntegrations: Handler<'bulkIntegrations'> = (call) =>
  transact(call, async (query, record) => {
    const { action, dryRun, ids } = call.body
    const rows = new Map((await managed(call, query, dryRun)).map((row) => [row.id, row]))
    const results: Result[] = []
    const reminded = new Set<string>()
    for (const id of new Set(ids)) {
      const row = rows.get(id)
      const step: Step = row ? stepOf(call, row, action, reminded) : { refused: 'not_found' }
      if ('refused' in step) results.push({ id, ...refusedWith(step.refused, step.detail) })
      else {
        const workspace = row && { id: row.workspace_id, slug: row.workspace_slug, name: row.workspace_name }
        const made = dryRun ? undefined : step.change?.(query, (kind, entry) => record(kind, { ...entry, workspace: workspace ?? null }))
        results.push({ id, ...((await made) ?? { outcome: step.outcome }) })
      }
    }
    return { results }
  })

/** Those that the caller sees, held in the order of their ids: two such requests never wait for each other in a circle. */
const managed = ({ caller, organization, body }: BulkCall, query: RunQuery, dryRun: boolean) =>
  query<ManagedRow>(sql`select i.*, coalesce(i.requested_until > now(), false) as requested, null as created_by_email, null as owner_name, l.token_sealed as link_sealed, l.expires_at as link_expires_at,
      l.expires_at <= now() as link_expired, w.slug as workspace_slug, w.name as workspace_name, a.role as assigned_role,
      o.frozen_at is not null as frozen, ${openRequestOf(organization.id, sql`r.sent_at is not null`)} as request_id
    from integrations i join organizations o on o.id = i.organization_id
    join workspaces w on w.organization_id = i.organization_id and w.id = i.workspace_id
    left join workspace_members a on a.organization_id = i.organization_id and a.workspace_id = i.workspace_id and a.user_id = ${caller.user.id}
    left join connect_links l on l.organization_id = i.organization_id and l.integration_id = i.id
    where i.organization_id = ${organization.id} and i.id = any(${body.ids}::uuid[]) and (${organization.role !== 'guest'} or a.role is not null)
    order by i.id ${dryRun ? sql`` : sql`for update of i`}`)

function stepOf(call: BulkCall, row: ManagedRow, action: BulkAction, reminded: Set<string>): Step {
  const { parts, organization } = call
  const role = effectiveRole(inheritedRole(organization.role), row.assigned_role)
  if (!role || !atLeast(role, 'member')) return { refused: 'role_too_low' }
  return action === 'remind' ? remindOf(call, row, reminded) : steps[action](row, parts)
}

const here = (row: IntegrationRow) => sql`organization_id = ${row.organization_id} and id = ${row.id}`
const unchanged: Step = { outcome: 'unchanged' }

/** As the operations on one do it, save that nobody waits for an ad system: it is asked by the next check. */
const steps: Record<Exclude<BulkAction, 'remind'>, (row: ManagedRow, parts: Parts) => Step> = {
  verify: (row) => {
    if (row.status === 'disabled') return { refused: 'integration_disabled' }
    if (row.credential === null) return { refused: 'integration_unconnected' }
    if (row.frozen) return { refused: 'organization_frozen' }
    return {
      outcome: 'queued',
      change: async (query, record) => {
        await query(sql`update integrations set check_due_at = now() where ${here(row)}`)
        record('integration.verified', { ...aboutIntegration(row), metadata: { queued: true } })
        return undefined
      },
    }
  },
  disable: (row) => {
    if (row.status === 'disabled') return unchanged
    return {
      outcome: 'done',
      change: async (query, record) => {
        const state = disabled(stateOf(row))
        const { status, enabledStatus } = state
        await query(
          sql`update integrations set status = ${status}, enabled_status = ${enabledStatus}, updated_at = now() where ${here(row)}`,
        )
        record('integration.disabled', { ...aboutIntegration(row, { state }), changes: statusChange(row.status, status) })
        return undefined
      },
    }
  },
  enable: (row) => {
    if (row.status !== 'disabled') return unchanged
    if (row.credential !== null && row.frozen) return { refused: 'organization_frozen' }
    return {
      outcome: row.credential === null ? 'done' : 'queued',
      change: async (query, record) => {
        const before = stateOf(row)
        const state: State =
          row.credential === null ? waiting(before) : { ...before, status: row.enabled_status ?? 'pending', enabledStatus: null }
        const { status, statusDetail, statusReason } = state
        await query(sql`update integrations set status = ${status}, enabled_status = null, status_detail = ${statusDetail},
          status_reason = ${statusReason}, check_due_at = ${row.credential === null ? sql`check_due_at` : sql`now()`}, updated_at = now()
          where ${here(row)}`)
        record('integration.enabled', {
          ...aboutIntegration(row, { state }),
          changes: statusChange(row.status, status),
          metadata: row.credential === null ? {} : { queued: true },
        })
        return undefined
      },
    }
  },
  issueConnectLink: (row, parts) => {
    if (row.status === 'disabled') return { refused: 'integration_disabled' }
    const refusal = connectRefusal(parts, row.provider)
    if (refusal) return { refused: 'provider_unavailable', ...refusal }
    return {
      outcome: 'done',
      change: async (query, record) => {
        await query((await newLink(parts, query, { organizationId: row.organization_id, id: row.id }, LINK_DAYS)).insert)
        record('connect_link.issued', {
          ...aboutIntegration(row, { linkLives: true }),
          metadata: { expiresInDays: LINK_DAYS, replaced: row.link_sealed !== null },
        })
        return undefined
      },
    }
  },
}

/** One mail for all integrations of a request. Past a limit, the others are still reminded of theirs. */
function remindOf(call: BulkCall, { request_id, organization_id, frozen }: ManagedRow, reminded: Set<string>): Step {
  const { id, parts, caller, organization, origin } = call
  if (request_id === null) return { refused: 'request_missing' }
  if (frozen) return { refused: 'organization_frozen' }
  return {
    outcome: 'done',
    change: async (query, record) => {
      if (reminded.has(request_id)) return undefined
      const [row] = await query<RequestRow>(requestRows(sql`r.organization_id = ${organization_id} and r.id = ${request_id}`))
      const counted: [typeof id, LimitSubject] = [id, { ip: origin.ip, caller, at: { organization } }]
      try {
        if (!(await mailReminder(parts, query, row!, { last: false, counted })))
          return row!.mails_stopped ? refusedWith('mails_stopped') : refusedWith('request_missing', NOTHING_TO_DO)
      } catch (error) {
        if (error instanceof Refusal) return refusedWith(error.code, error.message)
        throw error
      }
      reminded.add(request_id)
      record('connect_request.sent', { ...aboutRequest(row!), metadata: { again: true } })
      return undefined
    },
  }
}

const NOTHING_TO_DO = 'There is nothing that the client can do now. Open the integration to see what is missing.'

const refusedWith = (code: ProblemCode, detail: string | undefined = problems[code][1]) =>
  ({ outcome: 'refused', code, ...(detail && { detail }) }) as const

/** As a single link that says nothing else. */
const LINK_DAYS = 7
