import { setTimeout as sleep } from 'node:timers/promises'
import { API_VERSION, openApi } from '@adjoin/contract/openapi'
import type { Handler, Parts } from '../../call.ts'
import { refuse } from '../../refusal.ts'
import type { BuildInfo } from './build-info.ts'
import { doesAnyProcessJobs } from './processes.ts'

/** Whoever asks for readiness gives up soon: a late answer is none. */
const PATIENCE_MS = 1500

/** What readiness depends on besides the database. */
export interface ReadinessProbe {
  draining(): boolean
  mailer(): boolean
  /** Undefined where this process does no jobs: others do. */
  jobs(): boolean | undefined
}

export async function checkReadiness({ db }: Pick<Parts, 'db'>, probe: ReadinessProbe) {
  const asked = doesAnyProcessJobs(db).catch(() => 'down' as const)
  const answer = await Promise.race([asked, sleep(PATIENCE_MS, 'down' as const, { ref: false })])
  return {
    database: answer === 'down' ? ('down' as const) : ('ok' as const),
    mailer: probe.mailer() ? ('ok' as const) : ('degraded' as const),
    jobs: (probe.jobs() ?? answer !== false) ? ('ok' as const) : ('degraded' as const),
  }
}

export function infra(probe: ReadinessProbe, build: BuildInfo) {
  let examining: ReturnType<typeof checkReadiness> | undefined
  const getHealth: Handler<'getHealth'> = async ({ parts }) => {
    // Many who ask at once are told the same: the answer is public, and costs a statement.
    examining ??= checkReadiness(parts, probe).finally(() => (examining = undefined))
    const checks = await examining
    if (probe.draining())
      return refuse('unavailable', { detail: 'This process is shutting down. Send requests to another one.', members: { checks } })
    if (checks.database === 'down')
      return refuse('unavailable', {
        detail: 'The database is not responding. Try again after `Retry-After` seconds.',
        members: { checks },
      })
    return { status: checks.mailer === 'ok' && checks.jobs === 'ok' ? 'ok' : 'degraded', checks }
  }
  const getLiveness: Handler<'getLiveness'> = async () => ({ status: 'ok' })
  const getVersion: Handler<'getVersion'> = async ({ parts }) => ({
    ...build,
    apiVersion: API_VERSION,
    signInProviders: [...parts.identity.providers],
  })

  let document: ReturnType<typeof openApi> | undefined
  const getOpenApi: Handler<'getOpenApi'> = async ({ parts }) => {
    document ??= openApi(parts.config.publicUrl)
    return document
  }
  return { getHealth, getLiveness, getVersion, getOpenApi }
}
