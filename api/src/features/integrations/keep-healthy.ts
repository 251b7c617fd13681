// Checks and refreshes in the background: taken from the table by due time, a few at once, in memory that does not grow with the table.
import { setTimeout as sleep } from 'node:timers/promises'
import { system, transact } from '../../audit/transact.ts'
import type { Parts } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { apply } from './apply.ts'
import { findIntegration, type IntegrationRow, targetOf } from './integration-row.ts'
import { release, runCheck } from './run-check.ts'

export interface Keeper {
  stop(): Promise<void>
}

export interface KeeperOptions {
  /** How many ad systems are asked at once. */
  atOnce?: number
  idleMs?: number
  observe?: (outcome: string, provider: string, seconds: number) => void
}

interface Due {
  organization_id: string
  id: string
  check_due: boolean
}

const LEASE_SECONDS = 45

/** A lease that its holder did not live to end runs out, and another process takes over. */
async function take({ db }: Parts, places: number): Promise<Due[]> {
  return db.query<Due>(sql`
    update integrations i set leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
    from (select organization_id, id from integrations
      where credential is not null and status in ('active', 'error') and least(check_due_at, renew_due_at) <= now()
        and (leased_until is null or leased_until < now())
      order by least(check_due_at, renew_due_at) limit ${places} for update skip locked) due
    where i.organization_id = due.organization_id and i.id = due.id
    returning i.organization_id, i.id, i.check_due_at <= now() as check_due`)
}

export function keepHealthy(parts: Parts, { atOnce = 32, idleMs = 1000, observe }: KeeperOptions = {}): Keeper {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()

  const loop = async () => {
    while (!stopping.signal.aborted) {
      try {
        const due = running.size < atOnce ? await take(parts, atOnce - running.size) : []
        for (const one of due) {
          const task: Promise<void> = keepOne(parts, one, observe)
            .catch((error) => parts.log.error({ err: error, integration: one.id }, 'a check failed by itself'))
            .finally(() => running.delete(task))
          running.add(task)
        }
        if (running.size >= atOnce) await Promise.race(running)
        else if (!due.length) await sleep(idleMs, undefined, { signal: stopping.signal }).catch(() => {})
      } catch (error) {
        parts.log.warn({ err: error }, 'checks wait for the database')
        await sleep(idleMs, undefined, { signal: stopping.signal }).catch(() => {})
      }
    }
    await Promise.all(running)
  }
  const loops = loop()
  return {
    stop: () => {
      stopping.abort()
      return loops
    },
  }
}

async function keepOne(parts: Parts, due: Due, observe?: KeeperOptions['observe']): Promise<void> {
  const at = { organizationId: due.organization_id, id: due.id }
  const row = await findIntegration(parts.db.query, at)
  if (!row) return
  try {
    const [clock] = await parts.db.query<{ now: Date }>(sql`select now() as now`)
    const checked = await runCheck(parts, row, clock!.now, due.check_due ? 'check' : 'renew')
    if (!checked) return
    observe?.(checked.verdict.outcome, row.provider, checked.durationMs / 1000)
    // A renewal that went well leaves nothing to say.
    if (!due.check_due && checked.verdict.outcome === 'verified') return
    await remember(parts, row, clock!.now, checked, due.check_due ? 'check' : 'refresh')
  } finally {
    await release(parts, row).catch(() => {})
  }
}

async function remember(
  parts: Parts,
  seen: IntegrationRow,
  now: Date,
  checked: NonNullable<Awaited<ReturnType<typeof runCheck>>>,
  trigger: 'check' | 'refresh',
): Promise<void> {
  const [workspace] = await parts.db.query<{ slug: string; name: string }>(
    sql`select slug, name from workspaces where organization_id = ${seen.organization_id} and id = ${seen.workspace_id}`,
  )
  await transact({ parts, organization: { id: seen.organization_id }, workspace, via: 'job' }, async (query, record) => {
    const row = await findIntegration(query, { organizationId: seen.organization_id, id: seen.id }, 'lock')
    if (!row || row.status === 'disabled' || row.credential_version !== checked.version) return
    const { state } = await apply(parts, query, row, {
      trigger,
      credential: null,
      now,
      verdict: checked.verdict,
      durationMs: checked.durationMs,
    })
    // A refresh that could not reach the system is tried again with the next check, not at once and for ever.
    if (trigger === 'refresh')
      await query(
        sql`update integrations set renew_due_at = now() + interval '2 minutes' where organization_id = ${row.organization_id} and id = ${row.id}`,
      )
    if (state.status !== row.status)
      record('integration.status_changed', {
        actor: system,
        target: targetOf(row),
        changes: [{ field: 'status', from: row.status, to: state.status }],
        metadata: checked.verdict.outcome === 'verified' ? {} : { reason: checked.verdict.reason },
      })
  })
}
