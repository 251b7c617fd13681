import { googleApi, googleError, googleRoutes, googleWrap, INVALID_TOKEN } from './google.ts'
import { json, ownOf, type TokenClaims, type Twin } from './twin.ts'

const BASE = 'GET dfareporting.googleapis.com/dfareporting/{version}/userprofiles'

/** An old API: the reason stands in `errors`, and throttling is a 403. */
const failure = (code: number, status: string, message: string, reason: string, domain = 'global', more = {}) =>
  googleError(code, status, message, { errors: [{ message, domain, reason, ...more }] })
const scripted = {
  refuse: () =>
    failure(401, 'UNAUTHENTICATED', INVALID_TOKEN, 'authError', 'global', { location: 'Authorization', locationType: 'header' }),
  partial: () => failure(403, 'PERMISSION_DENIED', 'Request had insufficient authentication scopes.', 'insufficientPermissions'),
  throttle: () => failure(403, 'PERMISSION_DENIED', 'User Rate Limit Exceeded', 'userRateLimitExceeded', 'usageLimits'),
}

const profiles = (claims: TokenClaims) => [
  {
    kind: 'dfareporting#userProfile',
    etag: '"sandbox"',
    profileId: ownOf(claims),
    userName: 'example_user',
    accountId: ownOf(claims),
    accountName: claims.play === 'other' ? 'Another CM360 Account' : 'Example CM360 Account',
  },
]

export const campaignManager360Twin: Twin = {
  wrap: googleWrap,
  routes: {
    ...googleRoutes('Campaign Manager 360'),
    [BASE]: googleApi(
      (_request, claims) =>
        json(200, {
          kind: 'dfareporting#userProfileList',
          etag: '"sandbox"',
          items: claims.more?.accounts === 'none' ? [] : profiles(claims),
        }),
      scripted,
    ),
    [`${BASE}/{profileId}/advertisers/{id}`]: googleApi(({ parameters: { profileId, id } }, claims) => {
      if (profileId !== ownOf(claims) || id !== ownOf(claims)) return failure(404, 'NOT_FOUND', 'Advertiser not found.', 'notFound')
      return json(200, { kind: 'dfareporting#advertiser', id, accountId: ownOf(claims), name: 'Example Advertiser', status: 'APPROVED' })
    }, scripted),
  },
}
