import { useQuery } from '@tanstack/react-query'
import { client } from '../api.ts'
import { isSigned, linksUp } from '../chain.ts'
import { Icon } from '../design/icons.tsx'
import { Notice } from '../design/notice.tsx'
import { plural } from '../format.ts'
import type { Entry } from './audit-lines.tsx'

/** What the browser itself has checked of the chain: honest about how far that reaches. */
export function AuditChain({ organizationId, orgSlug, entries }: { organizationId: string; orgSlug: string; entries: Entry[] }) {
  const newest = entries[0]!
  const checkpoint = useQuery({
    queryKey: ['getAuditCheckpoint', { orgSlug }, newest.sequence],
    queryFn: () => client.getAuditCheckpoint({ orgSlug }),
  })
  const signed = useQuery({
    queryKey: ['isSigned', checkpoint.data],
    queryFn: () => isSigned(checkpoint.data!),
    enabled: checkpoint.data !== undefined,
  })
  const statement = entries.find(({ sequence }) => sequence === checkpoint.data?.sequence)
  const elsewhere = checkpoint.data !== undefined && checkpoint.data.organizationId !== organizationId
  if (!linksUp(entries) || elsewhere || (statement && statement.hash !== checkpoint.data?.hash) || signed.data === false)
    return (
      <Notice
        tone="bad"
        title="The chain does not hold"
        detail="Entries are missing or were changed. Export the trail, keep the file, and tell the operator."
      />
    )
  return (
    <p className="flex items-start gap-2 text-good">
      <Icon name="shield" className="mt-[3px]" />
      <span>
        Chain verified: {plural(entries.length, 'loaded entry', 'loaded entries')} link up without a gap
        {signed.data && statement && `, and the signed checkpoint at #${checkpoint.data?.sequence} agrees`}.
        {(checkpoint.isError || signed.isError) && ' Its end is unproved: we couldn’t check the signed checkpoint. Reload to try again.'}
      </span>
    </p>
  )
}
