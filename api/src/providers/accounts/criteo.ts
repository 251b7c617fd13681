import { listAt, textAt } from '../answer.ts'
import { bearer } from '../provider.ts'
import { accountIn, type ListAccounts, paged, Unlisted } from './list.ts'

const PAGE = 25

/** Advertisers that consented to the app, or the accounts of Retail Media. Commerce Grid has no list. */
export const listCriteo: ListAccounts = async function* ({ session, credential, settings, read }) {
  const base = `${session.hosts.api}/${session.version}`
  const headers = bearer(credential)
  const { service = 'marketing_solutions' } = settings
  if (service === 'marketing_solutions') {
    const body = await read({ method: 'GET', url: `${base}/advertisers/me`, headers })
    for (const one of listAt(body, 'data')) {
      const advertiser = accountIn(one, 'advertiser', ['id'], { name: ['attributes', 'advertiserName'] })
      if (advertiser) yield advertiser
    }
    return
  }
  if (service !== 'retail_media') throw new Unlisted()
  const pages = paged(0, async (pageIndex: number) => {
    const query = { pageIndex: String(pageIndex), pageSize: String(PAGE) }
    const body = await read({ method: 'GET', url: `${base}/retail-media/accounts`, query, headers })
    const more = pageIndex + 1 < Number(textAt(body, 'metadata', 'totalPages') ?? 0)
    return { items: listAt(body, 'data'), next: more ? pageIndex + 1 : null }
  })
  for await (const one of pages) {
    const fields = { name: ['attributes', 'name'], currency: ['attributes', 'currency'], timeZone: ['attributes', 'timeZone'] }
    const account = accountIn(one, 'account', ['id'], fields)
    if (account) yield account
  }
}
