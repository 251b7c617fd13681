import { createHash } from 'node:crypto'
import type { Parts } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { type FieldValues, type Provider, unreachable, type VendorSession } from '../../providers/provider.ts'
import { freezeGuard } from '../organizations/frozen.ts'

/**
 * A vendor session in which nothing leaves for a frozen organization, except for a revocation, and which
 * keeps the vendor's login quota, counted over all replicas: a login that would be one too many is not sent.
 */
export function openVendorSession(
  parts: Pick<Parts, 'db' | 'vendorSessions'>,
  organizationId: string,
  provider: Provider,
  fields: FieldValues,
  now: Date,
  times?: number,
): VendorSession {
  const session = parts.vendorSessions.open(provider, now, times)
  const { loginQuota } = provider
  const freeze = freezeGuard(parts, organizationId)
  return {
    ...session,
    async send(step, request) {
      if (step !== 'revoke') await freeze.pass()
      if (step === 'login' && loginQuota) {
        const wait = await countLogin(parts, provider, fields, loginQuota)
        if (wait) return unreachable('throttled', { retryAfter: wait, note: 'it allows no more logins for now' })
      }
      return session.send(step, request)
    },
  }
}

/** Seconds to wait, or 0 when this login may be sent. Two integrations of one login share its quota. */
async function countLogin(
  { db }: Pick<Parts, 'db'>,
  provider: Provider,
  fields: FieldValues,
  quota: { logins: number; seconds: number },
): Promise<number> {
  const login = provider.connectFields.filter((field) => !field.secret).map((field) => fields[field.name] ?? '')
  const bucket = createHash('sha256')
    .update(JSON.stringify(['vendor-login', provider.id, ...login]))
    .digest('base64url')
  const [row] = await db.query<{ hits: number; resets_in: number }>(sql`
    insert into limits as l (bucket, ends_at, hits) values (${bucket}, now() + make_interval(secs => ${quota.seconds}), 1)
    on conflict (bucket) do update set hits = case when l.ends_at <= now() then 1 else l.hits + 1 end,
      ends_at = case when l.ends_at <= now() then excluded.ends_at else l.ends_at end
    returning hits, greatest(1, ceil(extract(epoch from ends_at - now())))::int as resets_in`)
  return row!.hits > quota.logins ? row!.resets_in : 0
}
