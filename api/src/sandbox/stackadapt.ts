import { bearerOf, empty, json, OWN, played, playIn, type Route, type Twin, text } from './twin.ts'

const traceId = 'sandboxsandboxsandboxsandboxsand'
const scripted = {
  refuse: () => json(401, { errors: [{ message: 'The sandbox refuses this key.', extensions: { traceId } }] }),
  throttle: () => empty(429),
  outage: () => text(502, '<html><body>502 Bad Gateway</body></html>', 'text/html'),
}

type Question = { query?: string; variables?: { id?: string } }

/** Any key is good; words in it script what happens. The twin answers one question only: whose key it is. */
const graphql: Route = (request) => {
  const key = bearerOf(request)
  if (!key) return scripted.refuse()
  const { query, variables } = (request.json ?? {}) as Question
  if (!query?.includes('tokenInfo')) return json(400, { errors: [{ message: 'The sandbox is only asked about the key.' }] })
  return played(playIn(key), scripted, () => {
    const endless = key.includes('endless')
    const tokenInfo = {
      name: 'Example integration',
      createdAt: '2026-01-05T12:00:00Z',
      expiresAt: endless ? null : '2027-01-05T12:00:00Z',
      scopesByAdvertiser: { nodes: [{ advertiser: { name: 'Example Advertiser' }, scopes: endless ? ['READ'] : ['READ', 'WRITE'] }] },
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
