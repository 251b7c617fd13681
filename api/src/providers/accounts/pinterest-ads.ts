import { listAt, textAt } from '../answer.ts'
import { bearer } from '../provider.ts'
import { accountIn, type ListAccounts, paged } from './list.ts'

/** The ad accounts of the user, and those shared with them. */
export const listPinterestAds: ListAccounts = async function* ({ session, credential, read }) {
  const pages = paged('', async (bookmark: string) => {
    const body = await read({
      method: 'GET',
      url: `${session.hosts.api}/${session.version}/ad_accounts`,
      query: { page_size: '250', include_shared_accounts: 'true', ...(bookmark && { bookmark }) },
      headers: bearer(credential),
    })
    return { items: listAt(body, 'items'), next: textAt(body, 'bookmark') }
  })
  for await (const one of pages) {
    const account = accountIn(one, 'account', ['id'], { name: ['name'], currency: ['currency'] })
    if (account) yield account
  }
}
