import { verifyAuditTrail } from '@adjoin/contract/audit-chain'

export interface ExportedEntry {
  readonly sequence: number
  readonly action: string
  readonly actor: { readonly id: string | null }
  readonly changes: { field: string; from: unknown; to: unknown }[]
  readonly target: { id: string }
  readonly metadata: Readonly<Record<string, unknown>>
  readonly createdAt: string
}

/** Exports an organization's trail and verifies it as an outsider would: from the file alone. */
export async function verifyExport(
  url: string,
  token: string,
  slug: string,
): Promise<{ entries: ExportedEntry[]; verdict: { good: boolean; text: string } }> {
  const response = await fetch(`${url}/v1/organizations/${slug}/audit-logs/export`, { headers: { authorization: `Bearer ${token}` } })
  if (!response.ok) throw new Error(`the export answered ${response.status}`)
  const lines = (await response.text()).split('\n').filter(Boolean)
  const verdict = await verifyAuditTrail(lines)
  return {
    entries: lines.map((line) => JSON.parse(line) as ExportedEntry),
    verdict: { good: verdict.outcome === 'intact', text: verdict.fault ? `${verdict.outcome}: ${verdict.fault.message}` : verdict.outcome },
  }
}
