import type { Output } from '@adjoin/contract/operations'
import { useQuery } from '@tanstack/react-query'
import { client } from '../api.ts'
import { Icon } from '../design/icons.tsx'
import { Notice } from '../design/notice.tsx'
import { plural } from '../format.ts'
import type { Entry } from './audit-lines.tsx'

type Checkpoint = Output<'getAuditCheckpoint'>

/** Every entry names the hash of the one before it: a gap or a changed order shows. */
export const linksUp = (entries: Pick<Entry, 'sequence' | 'hash' | 'previousHash'>[]): boolean =>
  entries.every((entry, index) => {
    const older = entries[index + 1]
    return !older || (entry.previousHash === older.hash && entry.sequence === older.sequence + 1)
  })

/** Whether the statement of the newest entry bears the signature of the key it names. */
export async function isSigned({ organizationId, sequence, hash, createdAt, publicKey, signature }: Checkpoint): Promise<boolean> {
  const key = await crypto.subtle.importKey('raw', bytes(publicKey), 'Ed25519', false, ['verify'])
  const text = ['adjoin-audit-checkpoint', organizationId, sequence, hash, createdAt].join('\n')
  return crypto.subtle.verify('Ed25519', key, bytes(signature), new TextEncoder().encode(text))
}

const bytes = (base64url: string) =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))

/** What the browser itself has checked of the chain: honest about how far that reaches. */
export function AuditChain({ orgSlug, entries }: { orgSlug: string; entries: Entry[] }) {
  const newest = entries[0]!
  const checkpoint = useQuery({
    queryKey: ['getAuditCheckpoint', { orgSlug }, newest.sequence],
    queryFn: () => client.getAuditCheckpoint({ orgSlug }),
  })
  const signed = useQuery({
    queryKey: ['isSigned', checkpoint.data],
    queryFn: () => isSigned(checkpoint.data!),
    enabled: checkpoint.data !== undefined,
    retry: false,
  })
  const statement = entries.find(({ sequence }) => sequence === checkpoint.data?.sequence)
  if (!linksUp(entries) || (statement && statement.hash !== checkpoint.data?.hash) || signed.data === false)
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
      </span>
    </p>
  )
}
