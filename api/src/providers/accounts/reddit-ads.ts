import { listAt, textAt } from '../answer.ts'
import { bearer } from '../provider.ts'
import { introduction } from '../reddit-ads.ts'
import { accountIn, type ListAccounts, paged, parameterOf } from './list.ts'

/** The businesses of the member, and the ad accounts of each. */
export const listRedditAds: ListAccounts = async function* ({ session, credential, read }) {
  const list = (path: string) =>
    paged('', async (token: string) => {
      const body = await read({
        method: 'GET',
        url: `${session.hosts.api}/api/${session.version}/${path}`,
        query: { 'page.size': '100', ...(token && { 'page.token': token }) },
        headers: { ...bearer(credential), ...introduction(session) },
      })
      return { items: listAt(body, 'data'), next: parameterOf(textAt(body, 'pagination', 'next_url'), 'page.token') }
    })
  for await (const one of list('me/businesses')) {
    const business = accountIn(one, 'business', ['id'], { name: ['name'] })
    if (!business) continue
    yield business
    for await (const below of list(`businesses/${encodeURIComponent(business.id)}/ad_accounts`)) {
      const fields = { name: ['name'], currency: ['currency'], timeZone: ['time_zone_id'], status: ['admin_approval'] }
      const account = accountIn(below, 'account', ['id'], { ...fields, parentId: business.id })
      if (account) yield account
    }
  }
}
