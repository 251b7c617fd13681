/**
 * What gives access away, ends it, shows its tokens, or shows people: written down by hand from the vendors' documentation and apart
 * from api/src/gateway/rules. What stands right beside it stays open.
 */
import type { ProviderId } from '@adjoin/contract'
import { describe, expect, it } from 'vitest'
import { judge } from '../src/gateway/judge.ts'
import { gatewayRules } from '../src/gateway/rules/index.ts'
import { readBody, readQuery } from '../src/gateway/vendor-request.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface Rows {
  /** `METHOD path`, and a body where it depends on that. */
  readonly granting?: readonly (string | readonly [string, unknown])[]
  /** Reads for members, not for viewers. */
  readonly personal?: readonly (string | readonly [string, unknown])[]
  /** Beside them, and open to everybody. */
  readonly open: readonly (string | readonly [string, unknown])[]
}

const gaql = (query: string) => ['POST /v25/customers/1234567890/googleAds:search', { query }] as const
const CM = '/dfareporting/v5/userprofiles/1234567890'
const TT = '/open_api/v1.3'
const MS = '/CustomerManagement/v13'
const PIN = '/v5/ad_accounts/1234567890'
const writes = (path: string, ...methods: Method[]) => methods.map((method) => `${method} ${path}`)

const table: Partial<Record<ProviderId, Rows>> = {
  google_ads: {
    granting: ['create', 'remove', 'update']
      .map((verb) => `POST /v25/customers/1234567890/dataLinks:${verb}`)
      .concat([
        'POST /v26/customers/1234567890/accountLinks:mutate',
        'POST /v23/customers/1234567890/productLinks:create',
        'POST /v24/customers/1234567890/customerUserAccesses:mutate',
      ]),
    personal: [
      gaql('SELECT customer_user_access.email_address FROM customer_user_access'),
      gaql('SELECT customer_user_access_invitation.email_address FROM customer_user_access_invitation'),
      gaql('SELECT change_event.user_email FROM change_event'),
      gaql('SELECT local_services_employee.first_name FROM local_services_employee'),
    ],
    open: [gaql('SELECT change_event.change_date_time FROM change_event'), 'POST /v26/customers/1234567890:suggestBrands'],
  },
  tiktok_ads: {
    granting: [
      'dmp/custom_audience/share/',
      'dmp/custom_audience/share',
      'dmp/custom_audience/share/cancel/',
      'creative/asset/share/',
      'CREATIVE/asset/share',
    ].map((path) => `POST ${TT}/${path}`),
    personal: [`GET ${TT}/bc/asset/member/get/`],
    open: [`GET ${TT}/dmp/custom_audience/list/`, `GET ${TT}/bc/asset/get/`, `POST ${TT}/report/task/create/`],
  },
  pinterest_ads: {
    // A feed shows the name and password by which it is fetched from the client's server.
    granting: ['ad_accounts', 'businesses']
      .flatMap((kind) => writes(`${PIN}/audiences/${kind}/shared`, 'PATCH', 'POST', 'PUT', 'DELETE'))
      .concat([
        'GET /v5/catalogs/feeds',
        'GET /v5/catalogs/feeds?ad_account_id=1',
        'GET /v5/catalogs/Feeds/7/',
        'PATCH /v5/catalogs/feeds/7',
      ]),
    open: [
      'GET /v5/catalogs/feeds/7/processing_results',
      'GET /v5/catalogs/product_groups',
      `GET ${PIN}/audiences/shared_accounts`,
      `GET ${PIN}/audiences`,
      'GET /v5/businesses/1/audiences',
    ],
  },
  campaign_manager_360: {
    granting: writes(`${CM}/remarketingListShares`, 'PUT', 'PATCH', 'POST').concat(
      writes(`${CM}/remarketingListShares/7`, 'PUT', 'DELETE'),
      // Show thirdPartyAuthenticationTokens, and take new ones.
      writes(`${CM}/floodlightConfigurations`, 'GET', 'PUT', 'PATCH'),
      [`GET ${CM}/floodlightConfigurations/7`, `GET ${CM}/FloodlightConfigurations/7?fields=id`],
    ),
    personal: [`GET ${CM}/accountUserProfiles`, `GET ${CM}/changeLogs`, `GET ${CM}/changeLogs/7`],
    open: [`GET ${CM}/remarketingListShares/7`, `GET ${CM}/remarketingLists`, `GET ${CM}/floodlightActivities/7`],
  },
  xandr: {
    granting: ['/deal-buyer-access', '/package-buyer-access', '/user']
      .flatMap((path) => writes(path, 'POST', 'PUT', 'PATCH', 'DELETE'))
      .concat(['PUT /package-buyer-access?id=1']),
    personal: [
      'GET /user',
      'GET /user?current',
      'GET /change-log?service=campaign',
      'POST /change-log',
      'GET /change-log-detail?service=campaign',
    ],
    open: ['GET /deal-buyer-access', 'GET /package-buyer-access', 'GET /deal', 'GET /publisher'],
  },
  microsoft_ads: {
    granting: [
      [
        'PUT /CampaignManagement/v13/Audiences',
        { Audiences: [{ Id: '1', CustomerShare: { CustomerAccountShares: [{ CustomerId: '9' }] } }] },
      ],
      ['PUT /CampaignManagement/v13/UetTags', { UetTags: [{ customershare: { customeraccountshares: [{ accountid: 5 }] } }] }],
    ],
    personal: [`POST ${MS}/User/Query`, `POST ${MS}/CurrentUser/Query`, `POST ${MS}/ClientLinks/Search`].filter(
      (row) => !row.includes('user/'),
    ),
    open: [
      `POST ${MS}/Accounts/Search`,
      `POST ${MS}/Customer/Query`,
      'POST /CampaignManagement/v13/Audiences/QueryByIds',
      ['PUT /CampaignManagement/v13/Audiences', { Audiences: [{ Id: '1', CustomerShare: null }] }],
    ],
  },
  meta_ads: {
    // Beside `id` or `ids`, a word is the edge of each of them: pages come with their tokens.
    granting: [
      'accounts?ids=me',
      'accounts?id=1&fields=name',
      'accounts?i%64s=1',
      'ACCOUNTS?IDS=me',
      'assigned_users?ids=1',
      'roles/?ids=1',
    ]
      .map((rest) => `GET /v25.0/${rest}`)
      .concat(['POST /v25.0/assigned_users?ids=1', 'DELETE /v25.0/agencies?id=1'])
      // Other shapes of JSON could hide a name behind escapes.
      .concat(
        [
          '"access_tok\\u0065n"',
          '{"0":"acc\\u006funts"}',
          '["id",{"0":"acc\\u006funts"}]',
          '["id",["acc\\u006funts"]]',
          ' "x"',
          'acc\\u006funts',
          '["id","\\\\"]',
        ].flatMap((value) => [
          `GET /v25.0/me?fields=${encodeURIComponent(value)}`,
          `GET /v25.0/?fields=name&ids=${encodeURIComponent(value)}`,
        ]),
      ),
    personal: ['users', 'business_users', 'system_users', 'assigned_users', 'pending_users', 'id,business.fields(business_users)']
      .flatMap((edge) => [`GET /v25.0/1?fields=${edge}%7Bemail%7D`, `GET /v25.0/act_1/campaigns?fields=account%7B${edge}%7D`])
      .concat([
        'GET /v25.0/me?fields=["business_us\\u0065rs"]',
        'GET /v25.0/act_1/activities',
        'GET /v25.0/act_1/activities?fields=event_type',
        'GET /v25.0/1/activities?fields=actor_name',
        'GET /v25.0/act_1?fields=activities%7Bactor_name%7D',
      ]),
    open: [
      'GET /v25.0/insights?ids=act_1,act_2&fields=spend',
      'GET /v25.0/?ids=act_1,act_2&fields=name',
      'GET /v25.0/act_1/reachestimate?fields=users_lower_bound,users_upper_bound',
      'GET /v25.0/search?type=adgeolocation&q=Z&id=1',
    ],
  },
  linkedin_ads: {
    granting: writes('/rest/adAccountUsers/x', 'POST', 'PUT', 'DELETE'),
    personal: ['GET /rest/adAccountUsers?q=accounts', 'GET /rest/adAccountUsers/x'].concat(
      ['projection', 'fields', 'decoration', 'Projection'].map((name) => `GET /rest/adAccounts/1?${name}=(created(actor%7E(firstName)))`),
      // Whatever a decoration is called.
      ['decorationId=a%7E', 'q=search&decoration.a=b%7E', 'a%7E=1', 'elements*(actor%7E)'].map(
        (query) => `GET /rest/adAccounts/1?${query}`,
      ),
    ),
    open: ['GET /rest/adAccounts/1/adCampaigns?q=search', 'GET /rest/adAccounts/1?fields=id,name'],
  },
  amazon_ads: {
    granting: writes('/dsp/inventory/deals/1/advertiserPermissions/recommendedAdvertisers', 'PUT', 'POST', 'PATCH', 'DELETE').concat([
      'POST /dsp/inventory/deals/1/advertiserPermissions',
      ...['create', 'delete', 'query', 'retrieve'].map((verb) => `POST /adsApi/v1/${verb}/streamSubscriptions`),
      'POST /adsApi/v1/create/sellingAccounts',
    ]),
    open: [
      'POST /dsp/inventory/deals/1/advertiserPermissions/recommendedAdvertiser/list',
      'GET /dsp/inventory/deals/1/advertiserPermissions',
    ],
  },
  snapchat_ads: {
    granting: ['segments', 'pixels', 'catalogs'].flatMap((kind) => [`POST /v1/${kind}/1/share`, `PUT /v1/${kind}/1/permissions`]),
    personal: ['GET /v1/segments/1/users'],
    open: ['GET /v1/segments/1', 'GET /v1/pixels/1/stats'],
  },
  display_video_360: {
    granting: ['4', '5'].flatMap((v) => [
      `POST /v${v}/inventorySources/1:editInventorySourceReadWriteAccessors`,
      `GET /v${v}/customBiddingAlgorithms/1:uploadScript`,
      `POST /v${v}/users`,
    ]),
    open: ['GET /v5/advertisers/1/campaigns', 'GET /v4/inventorySources/1', 'POST /v5/targetingTypes/x/targetingOptions:search'],
  },
  adform: {
    granting: ['GET /v1/buyer/advertisers/1/users', 'POST /v1/buyer/campaigns/1/permissions'],
    open: ['GET /v1/buyer/advertisers/1/x'],
  },
  freewheel: { granting: ['POST /demand/v1/accounts/1/users'], open: ['GET /demand/v1/accounts/1/creatives'] },
}

const verdictOf = (provider: ProviderId, row: string | readonly [string, unknown]) => {
  const [call, body] = typeof row === 'string' ? [row, undefined] : row
  const [method = '', target = ''] = call.split(' ')
  const [path = '', query = ''] = target.split('?')
  const rules = gatewayRules[provider]!
  const bytes = body === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(body))
  const request = { method, path, query: readQuery(query), headers: {}, body: readBody(bytes, 'application/json') }
  const judged = judge(rules, request, { open: rules.hosts.map(({ host }) => host) })
  return 'refused' in judged ? 'refused' : judged.personal ? 'personal' : 'open'
}

describe.each(Object.entries(table) as [ProviderId, Rows][])('%s', (provider, { granting = [], personal = [], open }) => {
  it('gives nobody else access', () => {
    for (const row of granting) expect([row, verdictOf(provider, row)]).toEqual([row, 'refused'])
  })
  it('shows people to members only', () => {
    for (const row of personal) expect([row, verdictOf(provider, row)]).toEqual([row, 'personal'])
  })
  it('leaves open what stands beside', () => {
    for (const row of open) expect([row, verdictOf(provider, row)]).toEqual([row, 'open'])
  })
})

/** Programs use the vendors' SDKs, which write a version into every path. */
const versions: Partial<Record<ProviderId, readonly [path: string, ...versions: string[]]>> = {
  google_ads: ['POST /v{v}/customers/1234567890/googleAds:search', '23', '24', '25', '26'],
  meta_ads: ['GET /v{v}/act_123/campaigns', '24.0', '25.0', '26.0'],
  display_video_360: ['GET /v{v}/advertisers/1/campaigns', '4', '5'],
}

it.each(Object.entries(versions) as [ProviderId, [string, ...string[]]][])('%s is open in the versions that its SDKs speak', (id, row) => {
  const [path, ...spoken] = row
  for (const version of spoken) expect([version, verdictOf(id, path.replace('{v}', version))]).toEqual([version, 'open'])
  for (const version of ['1', '99', '4.0.0', '2']) expect(verdictOf(id, path.replace('{v}', version)), version).toBe('refused')
})
