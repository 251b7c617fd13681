import type { Output } from '@adjoin/contract/operations'

type Link = Pick<Output<'listAuditLogs'>['auditLogs'][number], 'sequence' | 'hash' | 'previousHash'>
type Checkpoint = Output<'getAuditCheckpoint'>

/** Every entry names the hash of the one before it: a gap or a changed order shows. */
export const linksUp = (entries: Link[]): boolean =>
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
