import { googleRoutes } from './google.ts'
import { idToken, oauthRoutes } from './oauth.ts'
import {
  bearerOf,
  emailOf,
  json,
  OTHER,
  ownAccountId,
  pageFrom,
  played,
  type Reply,
  type Route,
  type TokenClaims,
  type Twin,
  type TwinRequest,
} from './twin.ts'

const API = 'POST clientcenter.api.bingads.microsoft.com/CustomerManagement/{version}'
const REPORTS = 'POST reporting.api.bingads.microsoft.com/Reporting/{version}/GenerateReport'
const TIME_ZONE = 'AmsterdamBerlinBernRomeStockholmVienna'
const MANAGE = 'https://ads.microsoft.com/msads.manage'
const NUMBERS: Record<string, number> = { invalid_grant: 70000, invalid_client: 7000215, invalid_request: 900144 }
const NOBODY = '00000000-0000-0000-0000-000000000000'

const fault = (status: number, Code: number, ErrorCode: string, Message: string): Reply =>
  json(status, { TrackingId: NOBODY, Type: 'AdApiFaultDetail', Errors: [{ Code, Detail: null, ErrorCode, Message }] })
const refuse = () =>
  fault(401, 105, 'InvalidCredentials', 'Authentication failed. Either supplied credentials are invalid or the account is inactive')
const unauthorized = () => fault(400, 106, 'UserIsNotAuthorized', 'The user is not authorized to perform this action.')
const throttle = () =>
  fault(429, 117, 'CallRateExceeded', 'You have exceeded the number of calls that you are allowed to make in a minute.')

/** An operation: the token comes from Microsoft, or from Google with a header that says so. */
const operation =
  (ordinary: (request: TwinRequest, claims: TokenClaims) => Reply): Route =>
  (request, issuer) => {
    const claims = issuer.open('access', bearerOf(request))
    if (!claims || !request.headers.developertoken) return refuse()
    if (claims.scopes.includes('email') !== (request.headers.identityprovider === 'Google'))
      return fault(400, 126, 'IdentityTypeMismatch', 'The identity type does not match the one of the user.')
    return played(claims.play, { refuse, throttle }, () => ordinary(request, claims))
  }

export const microsoftAdsTwin: Twin = {
  wrap: { code: (sealed) => `M.C5_${sealed}`, access: (sealed) => `Ew${sealed}`, refresh: (sealed) => `M.C5_${sealed}` },
  routes: {
    ...oauthRoutes({
      system: 'Microsoft Advertising',
      authorize: 'GET login.microsoftonline.com/common/oauth2/v2.0/authorize',
      token: 'POST login.microsoftonline.com/common/oauth2/v2.0/token',
      accessSeconds: 3599,
      rotates: true,
      clientAuth: 'post',
      callback: () => ({ session_state: NOBODY }),
      partial: (scopes) => scopes.filter((scope) => scope !== MANAGE),
      tokens: (standard, claims, first) => ({
        ...standard,
        scope: claims.scopes.filter((scope) => scope !== 'offline_access').join(' '),
        ext_expires_in: 3599,
        ...(first && { id_token: idToken('https://login.microsoftonline.com', claims) }),
      }),
      refusal: (error, description) =>
        json(error === 'invalid_client' ? 401 : 400, {
          error,
          error_description: `AADSTS${NUMBERS[error]}: ${description}\r\nTrace ID: ${NOBODY}\r\nCorrelation ID: ${NOBODY}`,
          error_codes: [NUMBERS[error]],
          timestamp: '2026-01-05 12:00:00Z',
          trace_id: NOBODY,
          correlation_id: NOBODY,
        }),
    }),
    ...googleRoutes('Microsoft Advertising, by Google'),
    [`${API}/User/Query`]: operation((_request, claims) => {
      const email = emailOf(claims)
      const CustomerId = ownAccountId(claims)
      return json(200, {
        User: {
          ContactInfo: { Address: null, Email: email, EmailFormat: 'Html', Id: '11111111' },
          CustomerId,
          ForwardCompatibilityMap: [],
          Id: '33333333',
          JobTitle: null,
          LastModifiedByUserId: '33333333',
          LastModifiedTime: '2026-01-01T00:00:00',
          Lcid: 'EnglishUS',
          Name: { FirstName: 'Example', LastName: 'Person', MiddleInitial: '' },
          TimeStamp: 'AAAAAA==',
          UserLifeCycleStatus: 'Active',
          UserName: email,
        },
        CustomerRoles: [{ AccountIds: null, CustomerId, CustomerLinkPermission: null, LinkedAccountIds: null, RoleId: 41 }],
      })
    }),
    'POST campaign.api.bingads.microsoft.com/CampaignManagement/{version}/Campaigns/QueryByAccountId': operation(
      ({ json: body }, claims) => {
        if ((body as { AccountId?: string }).AccountId !== ownAccountId(claims)) return unauthorized()
        const campaign = { Id: '555000111', Name: 'Spring sale', Status: 'Active', CampaignType: 'Search', DailyBudget: 50 }
        return json(200, { Campaigns: [{ ...campaign, BudgetType: 'DailyBudgetStandard', TimeZone: TIME_ZONE }] })
      },
    ),
    [`${REPORTS}/Submit`]: operation(() => json(200, { ReportRequestId: '30000000000000001' })),
    [`${REPORTS}/Poll`]: operation(({ json: body }) => {
      const { ReportRequestId } = body as { ReportRequestId?: string }
      const ReportDownloadUrl = `https://sandbox.blob.core.windows.net/reports/${ReportRequestId}.zip?signed`
      return json(200, { ReportRequestStatus: { Status: 'Success', ReportDownloadUrl } })
    }),
    [`${API}/Accounts/Search`]: operation(({ json: body }, claims) => {
      const { Index = 0 } = (body as { PageInfo?: { Index?: number } }).PageInfo ?? {}
      const customer = ownAccountId(claims)
      const ids = customer === OTHER ? [OTHER] : [customer, '2234567890', '3234567890']
      const one = (Id: string) => ({
        Id,
        Name: Id === OTHER ? 'Another Account' : Id === customer ? 'Example Account' : `Example Account ${Id.slice(0, 1)}`,
        Number: `F${Id.slice(0, 3)}SAND`,
        ParentCustomerId: customer,
        CurrencyCode: 'EUR',
        TimeZone: TIME_ZONE,
        AccountLifeCycleStatus: 'Active',
        PauseReason: null,
      })
      return json(200, { Accounts: pageFrom(ids, String(Index * 2)).items.map(one) })
    }),
    [`${API}/AccountsInfo/Query`]: operation(({ json: body }, claims) => {
      const Id = ownAccountId(claims)
      if ((body as { CustomerId?: string }).CustomerId !== Id) return unauthorized()
      const Name = Id === OTHER ? 'Another Account' : 'Example Account'
      return json(200, { AccountsInfo: [{ AccountLifeCycleStatus: 'Active', Id, Name, Number: 'F123SAND', PauseReason: null }] })
    }),
  },
}
