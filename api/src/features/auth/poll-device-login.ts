import type { ProblemCode } from '@adjoin/contract'
import type { Call, Handler } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { type DeviceLoginState, type PollOutcome, pollOutcome } from '../../domain/device-login.ts'
import { refuse } from '../../refusal.ts'
import { digest } from '../../vault/tokens.ts'
import { reopenAccount } from './create-session.ts'
import { refuseForeignOrigin } from './verify-sign-in.ts'

/**
 * The code is spent with the session that it is spent for:
 * of any number of polls at once one gets it, and none after a sign-out everywhere.
 */
export const pollDeviceLogin: Handler<'pollDeviceLogin'> = async (call) => {
  refuseForeignOrigin(call)
  const { outcome, interval, userId, id } = await poll(call)
  if (outcome === 'signed_in') return reopenAccount(call, userId!, 'device', (query) => spendApproval(query, id!))
  const waiting = outcome === 'authorization_pending' || outcome === 'slow_down'
  return refuse(REFUSALS[outcome], { members: { error: outcome, ...(waiting && { interval }) } })
}

const REFUSALS: Record<Exclude<PollOutcome, 'signed_in'>, ProblemCode> = {
  authorization_pending: 'device_pending',
  slow_down: 'device_slow_down',
  access_denied: 'device_denied',
  expired_token: 'device_expired',
}

async function spendApproval(query: RunQuery, id: string): Promise<void> {
  const [spent] = await query(sql`update device_logins set status = 'used' where id = ${id} and status = 'approved' returning id`)
  if (!spent) refuse('device_expired', { members: { error: 'expired_token' } })
}

/** A code that was used is not waited for, nor written to: of a hundred late polls none blocks another. */
const poll = ({ parts, body }: Call<'pollDeviceLogin'>) =>
  parts.db.transaction(async (query) => {
    const [login] = await query<DeviceLoginState & { id: string; user_id: string | null }>(sql`
      select id, user_id, status, interval_seconds as interval, expires_at > now() as live,
        coalesce(polled_at > now() - make_interval(secs => interval_seconds), false) as early
      from device_logins where device_code_hash = ${digest(body.deviceCode)} and status <> 'used' for update`)
    if (!login) return { outcome: 'expired_token' as const, interval: 0, userId: null, id: null }
    const { outcome, interval } = pollOutcome(login)
    if (outcome !== 'signed_in')
      await query(sql`update device_logins set polled_at = now(), interval_seconds = ${interval} where id = ${login.id}`)
    return { outcome, interval, userId: login.user_id, id: login.id }
  })
