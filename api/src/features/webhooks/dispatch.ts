// Takes webhooks that have something to send, a few at once; each is brought forward on its own.
import type { Parts } from '../../call.ts'
import { exactly } from '../../db/exactly.ts'
import { sql } from '../../db/sql.ts'
import { type LeaseLoop, leaseLoop } from '../../jobs/lease-loop.ts'
import { freeRows, leaseRows } from '../../jobs/lease-rows.ts'
import { deliver, LEASE_SECONDS } from './deliver.ts'
import type { LeasedWebhook } from './webhook-row.ts'

/** Many, since most of the time a delivery waits for somebody else's server. */
const AT_ONCE = 100
/** How often it is looked for entries that somebody wrote, here or elsewhere: writers do not pay for webhooks. */
const LOOK_EVERY_MS = 250

const isDue = sql`status <> 'disabled' and due_at <= now() and (leased_until is null or leased_until < now())`

/** Whoever has waited longest first. A lease that its holder did not live to end runs out, and another process takes over. */
const leaseDue = ({ db }: Parts, places: number): Promise<LeasedWebhook[]> =>
  leaseRows<LeasedWebhook>(
    db,
    sql`select h.organization_id, h.id from webhooks h join audit_heads a on a.organization_id = h.organization_id
      join organizations o on o.id = h.organization_id
      where ${isDue} and a.sequence > case when o.frozen_at is null then h.position else greatest(h.position, h.frozen_position) end order by h.due_at limit ${places}`,
    (organizationId, ids) => sql`update webhooks h set leased_until = now() + make_interval(secs => ${LEASE_SECONDS}) from organizations o
      where h.organization_id = ${organizationId} and o.id = ${organizationId} and h.id in ${freeRows(sql`webhooks`, organizationId, ids, isDue)}
      returning h.organization_id, o.slug as organization_slug, h.id, ${exactly(sql`h.leased_until`)} as lease`,
  )

export const dispatchWebhooks = (parts: Parts): LeaseLoop =>
  leaseLoop<LeasedWebhook>({
    width: AT_ONCE,
    idleMs: LOOK_EVERY_MS,
    tracer: parts.tracer,
    spanName: () => 'deliver events',
    log: parts.log,
    waits: 'webhooks are waiting for the database',
    take: (places) => leaseDue(parts, places),
    run: (leased) =>
      deliver(parts, leased).catch((error) =>
        parts.log.warn(
          { err: error, webhook: leased.id },
          'could not save the progress of a webhook; its events are sent again when its lease expires',
        ),
      ),
  })
