import { basicOf, empty, json, OWN, played, playIn, type Twin } from './twin.ts'

const scripted = { refuse: () => empty(401), throttle: () => empty(429, { 'retry-after': '60' }) }

// biome-ignore format: as many members as the vendor shows
const figures = { paid_impression: 12000, bid_requests: 150000, bid_responses: 5000, publisher_gross_revenue: 96.5, buyer_spend: 154.1 }
const row = { date: '2026-01-05', marketplace: 'Example Marketplace', marketplace__filterValue: '131', ...figures }
const nothing = { content: [], summary: {}, pageInfo: null }

export const magniteTwin: Twin = {
  wrap: {},
  routes: {
    // Any pair of keys is good; words in them script what happens.
    'GET api.rubiconproject.com/analytics/v2/default': (request) => {
      const keys = basicOf(request)
      if (!keys.every(Boolean)) return scripted.refuse()
      return played(playIn(...keys), scripted, () => {
        if (![`publisher/${OWN}`, `mp-vendor/${OWN}`].includes(request.query.get('account') ?? '')) return empty(403)
        return json(200, keys[0].includes('quiet') ? nothing : { content: [row], summary: figures, pageInfo: null })
      })
    },
  },
}
