import { oauthRoutes } from './oauth.ts'
import { guarded, json, type Reply, type TokenClaims, type Twin } from './twin.ts'

const ORGANIZATION = '40d6719b-0000-4000-8000-0cc9c0dfed1d'
const ownOf = ({ play }: TokenClaims) =>
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
    'GET adsapi.snapchat.com/v1/adaccounts/{id}': guarded(scripted, ({ parameters: { id } }, claims) => {
      if (id !== ownOf(claims)) return notFound()
      const adaccount = {
        id,
        ...times,
        name: 'Example Ad Account',
        type: 'PARTNER',
        status: 'ACTIVE',
        organization_id: ORGANIZATION,
        currency: 'EUR',
        timezone: 'Europe/Berlin',
        advertiser: 'Example Advertiser',
      }
      return json(200, { request_status: 'SUCCESS', request_id, adaccounts: [{ sub_request_status: 'SUCCESS', adaccount }] })
    }),
  },
}
