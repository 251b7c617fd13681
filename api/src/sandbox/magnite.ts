import { basicOf, empty, json, OWN, played, playIn, type Reply, type Route, type Twin, type TwinRequest, text } from './twin.ts'

const scripted = { refuse: () => empty(401), throttle: () => empty(429, { 'retry-after': '60' }) }

// biome-ignore format: as many members as the vendor shows
const figures = { paid_impression: 12000, bid_requests: 150000, bid_responses: 5000, publisher_gross_revenue: 96.5, buyer_spend: 154.1 }
const row = { date: '2026-01-05', marketplace: 'Example Marketplace', marketplace__filterValue: '131', ...figures }
const nothing = { content: [], summary: {}, pageInfo: null }

/** Any pair of keys is good; words in them script what happens. */
const ofAccount =
  (ordinary: (request: TwinRequest, accessKey: string) => Reply): Route =>
  (request) => {
    const keys = basicOf(request)
    if (!keys.every(Boolean)) return scripted.refuse()
    return played(playIn(...keys), scripted, () => {
      const own = [`publisher/${OWN}`, `mp-vendor/${OWN}`].includes(request.query.get('account') ?? '')
      return own ? ordinary(request, keys[0]) : empty(403)
    })
  }
/** A table, unless JSON is asked for. */
const report = ofAccount(({ query }) =>
  query.get('format') === 'json'
    ? json(200, { data: { items: [{ date: '2026-01-04', paid_impression: 12000, revenue: 96.5 }] } })
    : text(200, 'date,paid_impression,revenue\n2026-01-04,12000,96.5\n', 'text/csv'),
)

export const magniteTwin: Twin = {
  wrap: {},
  routes: {
    'GET api.rubiconproject.com/analytics/v1/report/': report,
    'GET api.rubiconproject.com/analytics/v2/default': ofAccount((_request, accessKey) =>
      json(200, accessKey.includes('quiet') ? nothing : { content: [row], summary: figures, pageInfo: null }),
    ),
  },
}
