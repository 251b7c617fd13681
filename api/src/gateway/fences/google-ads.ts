import { textsSaid } from '../vendor-request.ts'
import type { Fence } from './fence.ts'

const SEARCHES = ['/v{v}/customers/{account}/googleAds:search', '/v{v}/customers/{account}/googleAds:searchStream']

/** The customer is in the path of every call, and every object is written `customers/{id}/…`. */
export const googleAdsFence: Fence = {
  kinds: ['account', 'manager'],
  id: /^[0-9]{10}$/,
  locate: [
    { in: 'path', at: ['/v{v}/customers/{account}/*', '/v{v}/customers/{account}:{verb}'] },
    { in: 'body', scan: /^\s*customers\/([^/]+)(?:\/|$)/, role: 'extra' },
    { in: 'body', text: 'query', scan: /customers\/([0-9-]+)/, on: SEARCHES, role: 'extra' },
    { in: 'body', at: ['customerId', 'customer_id'] },
    { in: 'body', at: ['**.customerId'], role: 'extra' },
    { in: 'query', scan: /^\s*customers\/([^/]+)(?:\/|$)/, role: 'extra' },
    { in: 'header', at: ['login-customer-id'], role: 'via' },
    { in: 'header', at: ['linked-customer-id'], role: 'extra' },
  ],
  neutral: `
    ANY /v{v}/googleAdsFields/{field}
    ANY /v{v}/googleAdsFields:search
    ANY /v{v}/geoTargetConstants:suggest
    ANY /v{v}/keywordThemeConstants:suggest
    ANY /v{v}/audienceInsights:listInsightsEligibleDates
    ANY /v{v}:listPlannableLocations
    ANY /v{v}:listPlannableProducts
    ANY /v{v}:listBenchmarksAvailableDates
    ANY /v{v}:listBenchmarksLocations
    ANY /v{v}:listBenchmarksProducts
    ANY /v{v}:listBenchmarksSources
  `,
  blind: `
    GET /v{v}/customers:listAccessibleCustomers
    GET /v{v}/incentives:fetchIncentive
  `,
  // These list the accounts above or below.
  blindWhen: [
    {
      row: 'POST /v{v}/customers/{account}/googleAds:*',
      when: ({ body }) => textsSaid(body, 'query').some((text) => /\bcustomer_(?:client|manager)/i.test(text)),
    },
  ],
}
