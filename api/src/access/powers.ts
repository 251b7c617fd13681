// What the powers of callers rest on, for any number of them in one statement. Rows as they are, and no verdict:
// where one of them changed, the caller is identified and authorized again, as on arrival.
import type { Database } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import type { Identified } from './identify.ts'
import { isLiveSession } from './session-life.ts'

export interface PowerHolder {
  readonly found: Identified
  readonly integrationId?: string | undefined
}

interface PowerRow {
  readonly kind: string
  readonly organization_id: string | null
  readonly id: string
  readonly user_id: string | null
  readonly state: string
}

type Key = Pick<PowerRow, 'kind' | 'organization_id' | 'id' | 'user_id'>

/** Answers what the powers of each rest on now, as one text to compare with what it was. */
export async function readPowers(db: Database, holders: readonly PowerHolder[]): Promise<(holder: PowerHolder) => string> {
  const keys = new Map(holders.map((holder) => [holder, keysOf(holder)]))
  const all = [...keys.values()].flat()
  const ids = (kind: string) => [...new Set(all.filter((key) => key.kind === kind).map(({ id }) => id))]
  const organizations = ids('organization')
  const people = ids('member')
  const workspaces = ids('workspace')
  const here = sql`organization_id = any(${organizations}::uuid[])`
  const rows = await db.query<PowerRow>(sql`
    select 'key' as kind, organization_id, id, null::uuid as user_id,
        row(revoked_at is null, disabled_at is null, expires_at is null or expires_at > now(), role, replaced_at)::text as state
      from api_keys where ${here} and id = any(${ids('key')}::uuid[])
    union all select 'session', null, s.id, null, (${isLiveSession})::text from sessions s where s.id = any(${ids('session')}::uuid[])
    union all select 'member', organization_id, user_id, null, role::text from members where ${here} and user_id = any(${people}::uuid[])
    union all select 'workspace', organization_id, id, null, slug from workspaces where ${here} and id = any(${workspaces}::uuid[])
    union all select 'assignment', organization_id, workspace_id, user_id, role::text from workspace_members
      where ${here} and workspace_id = any(${workspaces}::uuid[]) and user_id = any(${people}::uuid[])
    union all select 'organization', id, id, null, row(slug, frozen_at is not null)::text from organizations where id = any(${organizations}::uuid[])
    union all select 'integration', organization_id, id, null,
        row(workspace_id, status, credential is null, call_mode, call_accounts, settings)::text
      from integrations where ${here} and id = any(${ids('integration')}::uuid[])`)
  const states = new Map(rows.map((row) => [textOf(row), row.state]))
  return (holder) =>
    keys
      .get(holder)!
      .map((key) => states.get(textOf(key)) ?? '')
      .join('\n')
}

const textOf = ({ kind, organization_id, id, user_id }: Key) => `${kind} ${organization_id} ${id} ${user_id}`

/** The rows that one caller's powers rest on. A key that acts for its creator rests on what its creator may, too. */
function keysOf({ found: { caller, organization, workspace }, integrationId }: PowerHolder): Key[] {
  const organizationId = organization?.id ?? null
  const key = (kind: string, id: string | null | undefined, user_id: string | null = null): Key[] =>
    id ? [{ kind, organization_id: organizationId, id, user_id }] : []
  const workspaces = [...new Set([workspace?.id, caller.class === 'session' ? null : caller.key.workspaceId])]
  return [
    ...(caller.class === 'session'
      ? [{ kind: 'session', organization_id: null, id: caller.sessionId, user_id: null }]
      : key('key', caller.key.id)),
    ...key('organization', organizationId),
    ...key('member', caller.user.id),
    ...workspaces.flatMap((id) => [...key('workspace', id), ...key('assignment', id, caller.user.id)]),
    ...key('integration', integrationId),
  ]
}
