import { listAt } from '../answer.ts'
import { bearer } from '../provider.ts'
import { accountIn, type ListAccounts, paged } from './list.ts'

const PAGE = 100

/** The advertisers of the client. How many there are is not told for sure: an empty page is the end. */
export const listAdform: ListAccounts = async function* ({ session, credential, read }) {
  const pages = paged(0, async (offset: number) => {
    const url = `${session.hosts.api}/${session.version}/buyer/advertisers`
    const query = { limit: String(PAGE), offset: String(offset) }
    const items = listAt(await read({ method: 'GET', url, query, headers: bearer(credential) }))
    return { items, next: items.length ? offset + items.length : null }
  })
  for await (const one of pages) {
    const advertiser = accountIn(one, 'advertiser', ['id'], { name: ['name'], timeZone: ['timeZone'], status: ['status'] })
    if (advertiser) yield advertiser
  }
}
