import { listAt, textAt } from '../answer.ts'
import { bearer } from '../provider.ts'
import { accountIn, type ListAccounts, paged } from './list.ts'

/** The ad accounts that the member can use. */
export const listLinkedinAds: ListAccounts = async function* ({ session, credential, read }) {
  const pages = paged('', async (pageToken: string) => {
    const body = await read({
      method: 'GET',
      url: `${session.hosts.api}/rest/adAccounts`,
      query: { q: 'search', pageSize: '500', ...(pageToken && { pageToken }) },
      headers: { ...bearer(credential), 'LinkedIn-Version': session.version, 'X-Restli-Protocol-Version': '2.0.0' },
    })
    return { items: listAt(body, 'elements'), next: textAt(body, 'metadata', 'nextPageToken') }
  })
  for await (const one of pages) {
    const account = accountIn(one, 'account', ['id'], { name: ['name'], currency: ['currency'], status: ['status'] })
    if (account) yield account
  }
}
