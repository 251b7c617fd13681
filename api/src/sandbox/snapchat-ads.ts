import { oauthRoutes } from './oauth.ts'
import { guarded, json, pageFrom, type Reply, type Route, type TokenClaims, type Twin } from './twin.ts'

const ORGANIZATION = '40d6719b-0000-4000-8000-0cc9c0dfed1d'
const ownAccountId = ({ play }: TokenClaims) =>
  play === 'other' ? '55555555-5555-4555-8555-555555555555' : '3f2c8a3e-53d4-4d0c-9a35-6a8f0f4f4b77'

const request_id = '5ea05c4800ff08sandbox'
const failure = (status: number, more: object, headers?: Record<string, string>): Reply =>
  json(status, { request_status: 'ERROR', request_id, ...more }, headers)
const scripted = {
  refuse: () =>
    failure(
      401,
      { msg: 'Unauthorized' },
      { 'www-authenticate': 'Bearer error="invalid_token", error_description="The access token expired"' },
    ),
  throttle: () => failure(429, { msg: 'Rate limit exceeded' }),
}
const notFound = () =>
  failure(404, {
    debug_message: 'Resource can not be found',
    display_message: "We're sorry, but the requested resource is not available at this time",
    error_code: 'E3003',
  })

const times = { updated_at: '2026-01-02T03:04:05.006Z', created_at: '2025-01-02T03:04:05.006Z' }

/** What is told about an ad account that the person reaches. */
const ofAccount = (told: (id: string) => object): Route =>
  guarded(scripted, ({ parameters: { id = '' } }, claims) =>
    id === ownAccountId(claims) ? json(200, { request_status: 'SUCCESS', request_id, ...told(id) }) : notFound(),
  )

const account = (id: string) => ({
  id,
  ...times,
  name: 'Example Ad Account',
  type: 'PARTNER',
  status: 'ACTIVE',
  organization_id: ORGANIZATION,
  currency: 'EUR',
  timezone: 'Europe/Berlin',
  advertiser: 'Example Advertiser',
})

export const snapchatAdsTwin: Twin = {
  wrap: {},
  routes: {
    ...oauthRoutes({
      system: 'Snapchat Ads',
      authorize: 'GET accounts.snapchat.com/login/oauth2/authorize',
      token: 'POST accounts.snapchat.com/login/oauth2/access_token',
      accessSeconds: 3600,
      rotates: false,
      clientAuth: 'post',
      // One permission is asked for: leaving it out means that another was given.
      partial: () => ['snapchat-profile-api'],
      refusal: (error, description) => json(400, error === 'invalid_client' ? { error } : { error, error_description: description }),
      throttle: scripted.throttle,
    }),
    'GET adsapi.snapchat.com/v1/me': guarded(scripted, (_request, { play }) =>
      json(200, {
        request_status: 'SUCCESS',
        request_id,
        me: {
          id: 'a22b5575-0000-4000-8000-db781d62d203',
          ...times,
          email: play === 'other' ? 'other@example.com' : 'person@example.com',
          organization_id: ORGANIZATION,
          display_name: 'Example Person',
          snapchat_username: 'example_user',
          member_status: 'MEMBER',
        },
      }),
    ),
    'GET adsapi.snapchat.com/v1/adaccounts/{id}/campaigns': ofAccount((ad_account_id) => {
      const campaign = { id: '92e1c28a-0000-4000-8000-000000000001', ...times, name: 'Spring sale', ad_account_id, status: 'ACTIVE' }
      return { paging: {}, campaigns: [{ sub_request_status: 'SUCCESS', campaign: { ...campaign, daily_budget_micro: 50_000_000 } }] }
    }),
    'GET adsapi.snapchat.com/v1/adaccounts/{id}/stats': ofAccount((id) => {
      const day = { start_time: '2026-01-04T00:00:00.000+01:00', end_time: '2026-01-05T00:00:00.000+01:00' }
      const timeseries = [{ ...day, stats: { spend: 12_340_000 } }]
      const timeseries_stat = { id, type: 'AD_ACCOUNT', granularity: 'DAY', ...day, timeseries }
      return { timeseries_stats: [{ sub_request_status: 'SUCCESS', timeseries_stat }] }
    }),
    'GET adsapi.snapchat.com/v1/me/organizations': guarded(scripted, () => {
      const organization = { id: ORGANIZATION, ...times, name: 'Example Organization', country: 'DE', type: 'ENTERPRISE' }
      return json(200, { request_status: 'SUCCESS', request_id, organizations: [{ sub_request_status: 'SUCCESS', organization }] })
    }),
    'GET adsapi.snapchat.com/v1/organizations/{id}/adaccounts': guarded(scripted, ({ host, path, parameters: { id }, query }, claims) => {
      if (id !== ORGANIZATION) return notFound()
      const more = ['4f2c8a3e-53d4-4d0c-9a35-6a8f0f4f4b78', '5f2c8a3e-53d4-4d0c-9a35-6a8f0f4f4b79']
      const ids = claims.play === 'other' ? [ownAccountId(claims)] : [ownAccountId(claims), ...more]
      const { items, next } = pageFrom(ids, query.get('cursor'))
      const adaccounts = items.map((one) => ({ sub_request_status: 'SUCCESS', adaccount: account(one) }))
      const paging = next ? { next_link: `https://${host}${path}?cursor=${next}&limit=50` } : {}
      return json(200, { request_status: 'SUCCESS', request_id, paging, adaccounts })
    }),
    'GET adsapi.snapchat.com/v1/adaccounts/{id}': ofAccount((id) => ({
      adaccounts: [{ sub_request_status: 'SUCCESS', adaccount: account(id) }],
    })),
  },
}
