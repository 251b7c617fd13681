import { listAt, textAt } from '../answer.ts'
import { bearer } from '../provider.ts'
import { accountIn, type ListAccounts, paged } from './list.ts'

const FIELDS = {
  name: ['displayName'],
  currency: ['generalConfig', 'currencyCode'],
  timeZone: ['generalConfig', 'timeZone'],
  status: ['entityStatus'],
}

/** The partners of the user, and the advertisers of each: there is no list of all advertisers. */
export const listDisplayVideo360: ListAccounts = async function* ({ session, credential, read }) {
  const list = (kind: 'partners' | 'advertisers', of: Record<string, string> = {}) =>
    paged('', async (pageToken: string) => {
      const url = `${session.hosts.api}/${session.version}/${kind}`
      const query = { pageSize: '200', ...of, ...(pageToken && { pageToken }) }
      const body = await read({ method: 'GET', url, query, headers: bearer(credential) })
      return { items: listAt(body, kind), next: textAt(body, 'nextPageToken') }
    })
  for await (const one of list('partners')) {
    const partner = accountIn(one, 'partner', ['partnerId'], FIELDS)
    if (!partner) continue
    yield partner
    for await (const below of list('advertisers', { partnerId: partner.id })) {
      const advertiser = accountIn(below, 'advertiser', ['advertiserId'], { ...FIELDS, parentId: partner.id })
      if (advertiser) yield advertiser
    }
  }
}
