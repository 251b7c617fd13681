import { verifyAuditTrail } from '@adjoin/contract/audit-chain'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { client } from '../api.ts'
import { Icon } from '../design/icons.tsx'
import { Notice } from '../design/notice.tsx'
import { plural } from '../format.ts'
import type { TrailEntry } from './audit-lines.tsx'

/** What the browser itself has checked of the chain: honest about how far that reaches. */
export function AuditChain({ organizationId, orgSlug, entries }: { organizationId: string; orgSlug: string; entries: TrailEntry[] }) {
  const newest = entries[0]!
  const checkpoint = useQuery({
    queryKey: ['getAuditCheckpoint', { orgSlug }, newest.sequence],
    queryFn: () => client.getAuditCheckpoint({ orgSlug }),
  })
  // One that is newer than what was loaded says nothing about it.
  const statement = checkpoint.data && checkpoint.data.sequence <= newest.sequence ? checkpoint.data : undefined
  const { data: verdict } = useQuery({
    queryKey: ['verifyAuditTrail', newest.hash, entries.length, statement?.signature],
    // A browser that cannot check the signature still checks the entries.
    queryFn: () =>
      verifyAuditTrail(entries.toReversed(), statement && { checkpoint: statement }).catch(() => verifyAuditTrail(entries.toReversed())),
    placeholderData: keepPreviousData,
  })
  if (!verdict) return null
  // What comes before the oldest one loaded is not missing, only not here.
  const whole = entries.length === newest.sequence - entries.at(-1)!.sequence + 1
  const elsewhere = checkpoint.data !== undefined && checkpoint.data.organizationId !== organizationId
  if (verdict.outcome === 'broken' || !whole || elsewhere)
    return (
      <Notice
        tone="bad"
        title="This audit trail has been altered"
        detail="Entries are missing or were changed. Export the trail, keep the file, and contact your Adjoin operator."
      />
    )
  return (
    <p className="flex items-start gap-2 text-good">
      <Icon name="shield" className="mt-[3px]" />
      <span>
        Verified: {plural(entries.length, 'loaded entry', 'loaded entries')}, none changed or missing
        {verdict.checkpoint && `, matching the signed checkpoint at #${verdict.checkpoint.sequence}`}.
        {checkpoint.isError && ' We couldn’t check the signed checkpoint, so newer entries may be missing. Reload to try again.'}
      </span>
    </p>
  )
}
