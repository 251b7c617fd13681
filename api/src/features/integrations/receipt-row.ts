// What a client keeps after connecting: a link without an end, to what was connected and to the switch that ends it.
import type { Language } from '@adjoin/contract'
import type { Parts } from '../../call.ts'
import { enterInDirectory } from '../../db/directory.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { newToken } from '../../vault/tokens.ts'

export const receiptBinding = (organizationId: string, integrationId: string) => ['receipts', organizationId, integrationId, 'token']
export const receiptHash = ({ secrets }: Pick<Parts, 'secrets'>, token: string): Buffer => secrets.lookup('receipt', token)
export const receiptUrl = ({ config }: Pick<Parts, 'config'>, token: string): string => `${config.publicUrl}/connect/receipt/${token}`

interface Owner {
  readonly organization_id: string
  readonly id: string
}

export async function makeReceipt(
  parts: Parts,
  query: RunQuery,
  { organization_id, id }: Owner,
  { connectedAt, account, scopes, language }: { connectedAt: Date; account: string | null; scopes: string[]; language: Language | null },
): Promise<string> {
  const token = newToken()
  const hash = receiptHash(parts, token)
  await enterInDirectory(parts.db, query, organization_id, hash)
  await query(sql`insert into receipts (organization_id, integration_id, token_hash, token_sealed, connected_at, account, scopes, language)
    values (${organization_id}, ${id}, ${hash}, ${parts.vault.seal(token, receiptBinding(organization_id, id))},
      ${connectedAt}, ${account}, ${scopes}, ${language})`)
  return receiptUrl(parts, token)
}

export interface SealedReceipt {
  readonly organization_id: string
  readonly integration_id: string
  readonly token_sealed: string
}

export const openReceiptUrl = (parts: Pick<Parts, 'vault' | 'config'>, row: SealedReceipt): string =>
  receiptUrl(parts, parts.vault.open(row.token_sealed, receiptBinding(row.organization_id, row.integration_id)))
