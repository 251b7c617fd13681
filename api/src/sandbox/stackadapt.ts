import { bearerOf, empty, json, OWN, pageFrom, played, playIn, type Route, type Twin, text } from './twin.ts'

const traceId = 'sandboxsandboxsandboxsandboxsand'
const scripted = {
  refuse: () => json(401, { errors: [{ message: 'The sandbox refuses this key.', extensions: { traceId } }] }),
  throttle: () => empty(429),
  outage: () => text(502, '<html><body>502 Bad Gateway</body></html>', 'text/html'),
}

type Question = { query?: string; variables?: { id?: string; after?: string | null } }

const answers: readonly [question: string, data: object][] = [
  ['campaigns(', { campaigns: { nodes: [{ id: '778899', name: 'Spring sale', channelType: 'Native' }], totalCount: 1 } }],
  ['advertiserDelivery(', { advertiserDelivery: { __typename: 'AdvertiserDeliveryOutcome', totalStats: { cost: 12.34 } } }],
]

/** Any key is good; words in it script what happens. The twin answers few questions: above all, whose key it is. */
const graphql: Route = (request) => {
  const key = bearerOf(request)
  if (!key) return scripted.refuse()
  const { query, variables } = (request.json ?? {}) as Question
  const known = answers.find(([question]) => query?.includes(question))
  if (known) return played(playIn(key), scripted, () => json(200, { data: known[1] }))
  if (!query?.includes('tokenInfo')) return json(400, { errors: [{ message: 'The sandbox does not know the answer.' }] })
  return played(playIn(key), scripted, () => {
    const endless = key.includes('endless')
    const { items, next } = pageFrom([OWN, '2234567', '3234567'], variables?.after)
    const tokenInfo = {
      name: 'Example integration',
      createdAt: '2026-01-05T12:00:00Z',
      expiresAt: endless ? null : '2027-01-05T12:00:00Z',
      scopesByAdvertiser: {
        nodes: items.map((id) => ({ advertiser: { id, name: 'Example Advertiser' }, scopes: endless ? ['READ'] : ['READ', 'WRITE'] })),
        pageInfo: { hasNextPage: next !== null, endCursor: next ?? 'end' },
        totalCount: 3,
      },
    }
    const advertiser = query.includes('advertiser(id:') && {
      advertiser: variables?.id === OWN ? { id: OWN, name: 'Example Advertiser' } : null,
    }
    return json(200, {
      data: { tokenInfo, account: { id: '12345', currency: 'EUR' }, user: { email: 'person@example.com' }, ...advertiser },
    })
  })
}

export const stackadaptTwin: Twin = {
  wrap: {},
  routes: { 'POST api.stackadapt.com/graphql': graphql, 'POST sandbox.stackadapt.com/public/graphql': graphql },
}
