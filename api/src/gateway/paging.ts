// How each ad system goes on to its next page, as its documentation says. Empty where nothing is paged.
import type { Paging, ProviderId } from '@adjoin/contract'

const NONE = { at: null, parameter: null, size: null, first: 0, drop: [], untilEmpty: false }
const address = (at: string, ...drop: string[]): Paging => ({ ...NONE, by: 'address', at, drop })
const token = (at: string, parameter: string): Paging => ({ ...NONE, by: 'token', at, parameter })
const page = (parameter: string, size: string, first: number, at: string | null): Paging => ({
  ...NONE,
  by: 'page',
  at,
  parameter,
  size,
  first,
})
const row = (parameter: string, size: string, at: string | null): Paging => ({ ...NONE, by: 'row', at, parameter, size })

const google = token('nextPageToken', 'pageToken')

export const paging: Record<ProviderId, readonly Paging[]> = {
  google_ads: [google],
  meta_ads: [address('paging.next', 'access_token', 'appsecret_proof')],
  microsoft_ads: [page('PageInfo.Index', 'PageInfo.Size', 0, null)],
  amazon_ads: [token('nextToken', 'nextToken')],
  tiktok_ads: [page('page', 'page_size', 1, 'data.page_info.total_page')],
  linkedin_ads: [token('metadata.nextPageToken', 'pageToken'), row('start', 'count', 'paging.total')],
  pinterest_ads: [token('bookmark', 'bookmark')],
  snapchat_ads: [address('paging.next_link')],
  reddit_ads: [address('pagination.next_url')],
  display_video_360: [google],
  the_trade_desk: [row('PageStartIndex', 'PageSize', 'TotalFilteredCount')],
  // Retail media; the rest of Criteo answers all at once.
  criteo: [page('pageIndex', 'pageSize', 0, 'metadata.totalPages')],
  stackadapt: [{ ...NONE, by: 'cursor', parameter: 'after' }],
  adform: [row('offset', 'limit', null)],
  google_ad_manager: [google],
  // Its lists end with an empty page that still has a token.
  campaign_manager_360: [{ ...google, untilEmpty: true }],
  xandr: [row('start_element', 'num_elements', 'response.count')],
  magnite: [],
  pubmatic: [],
  freewheel: [page('page', 'per_page', 1, 'total_page')],
}
