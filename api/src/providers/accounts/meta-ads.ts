import { listAt, textAt } from '../answer.ts'
import { appSecretProof } from '../meta-ads.ts'
import { bearer } from '../provider.ts'
import { accountIn, type ListAccounts, paged } from './list.ts'

const FIELDS = 'id,account_id,name,currency,timezone_name,account_status,business{id,name}'
const STATUS: Record<string, string> = { 1: 'ACTIVE', 2: 'DISABLED', 3: 'UNSETTLED', 101: 'CLOSED' }

/** The ad accounts of the person, each below the business that owns it. */
export const listMetaAds: ListAccounts = async function* ({ session, credential, read }) {
  const pages = paged('', async (after: string) => {
    const body = await read({
      method: 'GET',
      url: `${session.hosts.graph}/${session.version}/me/adaccounts`,
      query: { fields: FIELDS, limit: '100', ...(after && { after }), ...appSecretProof(session, credential) },
      headers: bearer(credential),
    })
    return { items: listAt(body, 'data'), next: textAt(body, 'paging', 'next') && textAt(body, 'paging', 'cursors', 'after') }
  })
  for await (const one of pages) {
    const business = accountIn(one, 'business', ['business', 'id'], { name: ['business', 'name'] })
    if (business) yield business
    const account = accountIn(one, 'account', ['account_id'], {
      name: ['name'],
      currency: ['currency'],
      timeZone: ['timezone_name'],
      status: ['account_status'],
      parentId: business?.id ?? null,
    })
    if (account) yield { ...account, status: STATUS[account.status ?? ''] ?? account.status }
  }
}
