import { oauthRoutes } from './oauth.ts'
import { guarded, json, OTHER, ownAccountId, pageFrom, type Reply, type Route, type Twin } from './twin.ts'

const DAY = 86_400

const failure = (status: number, code: number, message: string, more: object = {}): Reply => json(status, { code, message, ...more })
const limits = { 'x-ratelimit-limit': '1000, 1000;w=60', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '42' }
const scripted = {
  refuse: () => failure(401, 2, 'Authentication failed.', { status: 'failure' }),
  throttle: () => json(429, { code: 8, message: 'You have exceeded your rate limit. Try again later.' }, limits),
}

/** A call about an ad account that the person reaches. */
const adAccount = (ordinary: (id: string) => Reply): Route =>
  guarded(scripted, ({ parameters }, claims) =>
    parameters.id === ownAccountId(claims) ? ordinary(parameters.id) : failure(403, 29, 'You are not permitted to access that resource.'),
  )

const account = (id: string) => ({
  id,
  name: id === OTHER ? 'Another Ad Account' : 'Example Ad Account',
  owner: { username: 'example_user', id: '2783136121146311751' },
  country: 'DE',
  currency: 'EUR',
  permissions: ['OWNER'],
  created_time: 1_735_689_600,
  updated_time: 1_735_689_600,
})

export const pinterestAdsTwin: Twin = {
  wrap: { access: (sealed) => `pina_${sealed}`, refresh: (sealed) => `pinr_${sealed}` },
  routes: {
    ...oauthRoutes({
      system: 'Pinterest Ads',
      authorize: 'GET www.pinterest.com/oauth/',
      token: 'POST api.pinterest.com/v5/oauth/token',
      accessSeconds: 30 * DAY,
      refreshSeconds: 60 * DAY,
      rotates: true,
      clientAuth: 'basic',
      separator: ',',
      tokens: (standard, { scopes }, first) => ({
        ...standard,
        response_type: first ? 'authorization_code' : 'refresh_token',
        token_type: 'bearer',
        scope: scopes.join(' '),
        refresh_token_expires_in: 60 * DAY,
        refresh_token_expires_at: Math.round(Date.now() / 1000) + 60 * DAY,
      }),
      refusal: (error) =>
        error === 'invalid_client' ? failure(401, 2, 'Authentication failed.') : failure(401, 283, 'The authorization grant is invalid'),
    }),
    'GET api.pinterest.com/v5/user_account': guarded(scripted, (_request, claims) =>
      json(200, {
        account_type: 'BUSINESS',
        id: `27831361211${ownAccountId(claims).slice(0, 8)}`,
        profile_image: 'https://i.pinimg.com/sandbox.jpg',
        website_url: 'https://example.com',
        username: claims.play === 'other' ? 'other_user' : 'example_user',
        about: '',
        business_name: claims.play === 'other' ? 'Another Business' : 'Example Business',
        board_count: 14,
        pin_count: 339,
        follower_count: 10,
        following_count: 347,
        monthly_views: 163,
      }),
    ),
    'GET api.pinterest.com/v5/ad_accounts/{id}/campaigns': adAccount((ad_account_id) => {
      const campaign = { id: '626735565838', ad_account_id, name: 'Spring sale', status: 'ACTIVE', objective_type: 'AWARENESS' }
      return json(200, { items: [{ ...campaign, daily_spend_cap: 50_000_000, type: 'campaign' }], bookmark: null })
    }),
    'GET api.pinterest.com/v5/ad_accounts/{id}/analytics': adAccount((AD_ACCOUNT_ID) =>
      json(200, [{ DATE: '2026-01-04', AD_ACCOUNT_ID, SPEND_IN_DOLLAR: 30, TOTAL_CLICKTHROUGH: 216 }]),
    ),
    'GET api.pinterest.com/v5/ad_accounts': guarded(scripted, ({ query }, claims) => {
      const ids = claims.play === 'other' ? [OTHER] : [ownAccountId(claims), '2234567890', '3234567890']
      const { items, next } = pageFrom(ids, query.get('bookmark'))
      return json(200, { items: items.map(account), bookmark: next })
    }),
    'GET api.pinterest.com/v5/ad_accounts/{id}': adAccount((id) => json(200, account(id))),
  },
}
