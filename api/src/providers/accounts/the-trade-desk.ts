import { listAt } from '../answer.ts'
import { accountIn, type ListAccounts, paged } from './list.ts'

const PAGE = 100

/** The partners of the token, and the advertisers of each. A page begins at a row; an empty one is the end. */
export const listTheTradeDesk: ListAccounts = async function* ({ session, credential, settings, read }) {
  const base = `${session.hosts[settings.environment ?? 'production']}/${session.version}`
  const list = (path: string, of: object = {}) =>
    paged(0, async (PageStartIndex: number) => {
      const json = { ...of, PageStartIndex, PageSize: PAGE }
      const headers = { 'TTD-Auth': credential.fields.apiToken ?? '' }
      const items = listAt(await read({ method: 'POST', url: `${base}/${path}`, headers, json }), 'Result')
      return { items, next: items.length ? PageStartIndex + items.length : null }
    })
  for await (const one of list('partner/query')) {
    const partner = accountIn(one, 'partner', ['PartnerId'], { name: ['PartnerName'] })
    if (!partner) continue
    yield partner
    for await (const below of list('advertiser/query/partner', { PartnerId: partner.id })) {
      const fields = { name: ['AdvertiserName'], currency: ['CurrencyCode'], status: ['Availability'] }
      const advertiser = accountIn(below, 'advertiser', ['AdvertiserId'], { ...fields, parentId: partner.id })
      if (advertiser) yield advertiser
    }
  }
}
