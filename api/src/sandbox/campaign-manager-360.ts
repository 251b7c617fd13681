import { googleApi, googleError, googleRoutes, googleWrap, INVALID_TOKEN } from './google.ts'
import { json, ownAccountId, type Reply, type TokenClaims, type Twin, type TwinRequest, text } from './twin.ts'

const BASE = 'GET dfareporting.googleapis.com/dfareporting/{version}/userprofiles'

/** An old API: the reason is in `errors`, and throttling is a 403. */
const failure = (code: number, status: string, message: string, reason: string, domain = 'global', more = {}) =>
  googleError(code, status, message, { errors: [{ message, domain, reason, ...more }] })
const scripted = {
  refuse: () =>
    failure(401, 'UNAUTHENTICATED', INVALID_TOKEN, 'authError', 'global', { location: 'Authorization', locationType: 'header' }),
  partial: () => failure(403, 'PERMISSION_DENIED', 'Request had insufficient authentication scopes.', 'insufficientPermissions'),
  throttle: () => failure(403, 'PERMISSION_DENIED', 'User Rate Limit Exceeded', 'userRateLimitExceeded', 'usageLimits'),
}

const subaccount = (accountId: string) => ({
  kind: 'dfareporting#userProfile',
  etag: '"sandbox"',
  profileId: '1234567891',
  userName: 'example_user_sub',
  accountId,
  accountName: 'Example CM360 Account',
  subAccountId: '555',
  subAccountName: 'Example Subaccount',
})

const profiles = (claims: TokenClaims) => [
  {
    kind: 'dfareporting#userProfile',
    etag: '"sandbox"',
    profileId: ownAccountId(claims),
    userName: 'example_user',
    accountId: ownAccountId(claims),
    accountName: claims.play === 'other' ? 'Another CM360 Account' : 'Example CM360 Account',
  },
  ...(claims.play === 'other' ? [] : [subaccount(ownAccountId(claims))]),
]

/** A call about the person's own profile; any other is not found. */
const ofProfile = (ordinary: (request: TwinRequest, profile: string) => Reply) =>
  googleApi((request, claims) => {
    const own = ownAccountId(claims)
    return request.parameters.profileId === own ? ordinary(request, own) : failure(404, 'NOT_FOUND', 'User profile not found.', 'notFound')
  }, scripted)

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
    [`${BASE}/{profileId}/campaigns`]: ofProfile((_request, accountId) => {
      const campaign = { kind: 'dfareporting#campaign', id: '24681357', name: 'Spring sale', advertiserId: accountId, accountId }
      const campaigns = [{ ...campaign, archived: false, startDate: '2026-01-01', endDate: '2026-12-31' }]
      return json(200, { kind: 'dfareporting#campaignsListResponse', campaigns, nextPageToken: '' })
    }),
    [`${BASE}/{profileId}/reports/{reportId}/files`]: ofProfile(({ host, path, parameters: { reportId } }) => {
      const file = { kind: 'dfareporting#file', etag: '"sandbox"', reportId, id: '998877', lastModifiedTime: '1767585600000' }
      const urls = { apiUrl: `https://${host}${path}/998877?alt=media` }
      const items = [{ ...file, status: 'REPORT_AVAILABLE', fileName: 'spend', format: 'CSV', urls }]
      return json(200, { kind: 'dfareporting#fileList', etag: '"sandbox"', items })
    }),
    [`${BASE}/{profileId}/reports/{reportId}/files/{id}`]: ofProfile(() =>
      text(200, 'Report Fields\nDate,Campaign,Impressions\n2026-01-04,Spring sale,1234\nGrand Total:,,1234\n', 'text/csv'),
    ),
    [`${BASE}/{profileId}/advertisers/{id}`]: googleApi(({ parameters: { profileId, id } }, claims) => {
      if (profileId !== ownAccountId(claims) || id !== ownAccountId(claims))
        return failure(404, 'NOT_FOUND', 'Advertiser not found.', 'notFound')
      return json(200, {
        kind: 'dfareporting#advertiser',
        id,
        accountId: ownAccountId(claims),
        name: 'Example Advertiser',
        status: 'APPROVED',
      })
    }, scripted),
  },
}
