import type { ProviderId } from '@adjoin/contract'
import { describe, expect, it } from 'vitest'
import { judge, openHosts } from './judge.ts'
import { gatewayRules } from './rules/index.ts'
import { readBody, readQuery } from './vendor-request.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Case = readonly [
  provider: ProviderId,
  method: Method,
  target: string,
  expected: 'read' | 'change' | 'personal read' | 'refused',
  body?: unknown,
]

/** What connections of these systems have entered. */
const values: Partial<Record<ProviderId, Record<string, string>>> = {
  amazon_ads: { region: 'EU' },
  the_trade_desk: { environment: 'production' },
  stackadapt: { environment: 'production' },
  freewheel: { environment: 'production' },
}

function judged(provider: ProviderId, method: Method, target: string, body: unknown, headers: Record<string, string> = {}) {
  const rules = gatewayRules[provider]!
  const [path = '', query = ''] = target.split('?')
  const bytes = body === undefined ? new Uint8Array() : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const type = typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json'
  const request = { method, path, query: readQuery(query), headers, body: readBody(bytes, type) }
  return judge(rules, request, { open: openHosts(rules, values[provider] ?? {}), ownApp: '424242' })
}

/**
 * By hand, apart from the tables: two or more of what people do first
 * at each system, what changes something, and what must not pass.
 */
// biome-ignore format: a table
const cases: readonly Case[] = [
  ['google_ads', 'POST', '/v25/customers/1234567890/googleAds:search', 'read', { query: 'SELECT campaign.id FROM campaign' }],
  ['google_ads', 'POST', '/v25/customers/1234567890/googleAds:searchStream', 'read', {}],
  ['google_ads', 'GET', '/v25/googleAdsFields/campaign.id', 'read'],
  ['google_ads', 'POST', '/v25/customers/1234567890/campaigns:mutate', 'change', {}],
  ['google_ads', 'POST', '/v25/customers/1234567890/googleAds:mutate', 'change', {}],
  ['google_ads', 'POST', '/v25/customers/1234567890/googleAds:search', 'personal read', { query: 'SELECT x FROM lead_form_submission_data' }],
  ['google_ads', 'POST', '/v25/customers/1234567890/customerUserAccessInvitations:mutate', 'refused', {}],
  ['google_ads', 'GET', '/v19/googleAdsFields/campaign.id', 'refused'],
  ['google_ads', 'GET', '/v25/googleAdsFields/campaign.id?access_token=x', 'refused'],

  ['meta_ads', 'GET', '/v25.0/act_1234567890/campaigns', 'read'],
  ['meta_ads', 'GET', '/v25.0/act_1234567890/insights?fields=spend', 'read'],
  ['meta_ads', 'POST', '/v25.0/act_1234567890/insights', 'read', 'fields=spend'],
  ['meta_ads', 'POST', '/v25.0/act_1234567890/campaigns', 'change', 'name=x'],
  ['meta_ads', 'GET', '/v25.0/act_1234567890/campaigns?fields=name,access_token', 'refused'],
  ['meta_ads', 'GET', '/v25.0/act_1234567890/campaigns?method=delete', 'refused'],
  ['meta_ads', 'POST', '/v25.0/act_1234567890/campaigns', 'refused', 'METHOD=delete'],
  ['meta_ads', 'POST', '/v25.0/act_1234567890/campaigns', 'refused', { batch: [] }],
  ['meta_ads', 'GET', '/v25.0/act_1234567890?%20method=post', 'refused'],
  ['meta_ads', 'POST', '/v25.0/act_1234567890/campaigns', 'refused', 'spec[notification_uri]=https://x.example'],
  ['meta_ads', 'GET', '/v25.0/act_1234567890/campaigns?spec[notification_uri]=https://x.example', 'refused'],
  ['meta_ads', 'GET', '/v25.0/act_1234567890?+method=delete', 'refused'],
  ['meta_ads', 'GET', '/v25.0/act_1234567890?method%00=delete', 'refused'],
  ['meta_ads', 'GET', '/v25.0/act_1234567890?access.token=x', 'refused'],
  ['meta_ads', 'POST', '/v25.0/act_1234567890/insights', 'refused', 'notification.uri=https://evil.example'],
  ['meta_ads', 'GET', '/v25.0/me?fields=id,accounts', 'refused'],
  ['meta_ads', 'GET', '/v25.0/?ids=1,424242', 'refused'],
  ['meta_ads', 'GET', '/v25.0/me/accounts', 'refused'],
  ['meta_ads', 'GET', '/v25.0/oauth/access_token', 'refused'],
  ['meta_ads', 'GET', '/act_1234567890/campaigns', 'refused'],
  ['meta_ads', 'GET', '/v25.0/424242/insights', 'refused'],
  ['meta_ads', 'GET', '/v25.0/434343/insights', 'read'],

  ['microsoft_ads', 'POST', '/CampaignManagement/v13/Campaigns/QueryByAccountId', 'read', {}],
  ['microsoft_ads', 'POST', '/Reporting/v13/GenerateReport/Submit', 'read', {}],
  ['microsoft_ads', 'POST', '/Reporting/v13/GenerateReport/Poll', 'read', {}],
  ['microsoft_ads', 'POST', '/CampaignManagement/v13/Campaigns', 'change', {}],
  ['microsoft_ads', 'DELETE', '/CampaignManagement/v13/Campaigns', 'change', {}],
  ['microsoft_ads', 'POST', '/Api/Advertiser/CampaignManagement/v13/CampaignManagementService.svc', 'refused', {}],

  ['tiktok_ads', 'GET', '/open_api/v1.3/campaign/get/?advertiser_id=1', 'read'],
  ['tiktok_ads', 'GET', '/open_api/v1.3/report/integrated/get/', 'read'],
  ['tiktok_ads', 'POST', '/open_api/v1.3/campaign/create/', 'change', {}],
  ['tiktok_ads', 'POST', '/open_api/v1.3/bc/member/invite/', 'refused', {}],
  ['tiktok_ads', 'GET', '/open_api/v1.3/oauth2/advertiser/get/', 'refused'],
  ['tiktok_ads', 'GET', '/open_api/v1.3/campaign/get/?app_id=1', 'refused'],
  ['tiktok_ads', 'GET', '/open_api/v1.3/campaign/get/', 'refused', { advertiser_id: '1' }],

  ['linkedin_ads', 'GET', '/rest/adAccounts/1234567890/adCampaigns?q=search', 'read'],
  ['linkedin_ads', 'GET', '/rest/adAnalytics?q=analytics&accounts=List(urn%3Ali%3AsponsoredAccount%3A1)', 'read'],
  ['linkedin_ads', 'POST', '/rest/adAccounts/1234567890/adCampaigns', 'change', {}],
  ['linkedin_ads', 'GET', '/v2/me', 'refused'],

  ['the_trade_desk', 'POST', '/v3/campaign/query/advertiser', 'read', { AdvertiserId: 'abc12' }],
  ['the_trade_desk', 'POST', '/v3/myreports/reportexecution/query/advertisers', 'read', {}],
  ['the_trade_desk', 'POST', '/v3/myreports/reportschedule', 'read', { ReportFrequency: 'Once' }],
  ['the_trade_desk', 'POST', '/v3/myreports/reportschedule', 'change', { ReportFrequency: 'Daily' }],
  ['the_trade_desk', 'POST', '/v3/myreports/reportschedule', 'refused', { ReportFrequency: 'Once', EmailAddresses: ['x'] }],
  ['the_trade_desk', 'POST', '/v3/myreports/reportschedule', 'change', { reportfrequency: 'Daily' }],
  ['the_trade_desk', 'POST', '/v3/myreports/reportschedule', 'refused', { ReportFrequency: 'Once', reportFrequency: 'Daily' }],
  ['the_trade_desk', 'PUT', '/v3/campaign', 'change', {}],
  ['the_trade_desk', 'POST', '/v3/authentication', 'refused', {}],
  ['the_trade_desk', 'POST', '/graphql', 'refused', {}],

  ['amazon_ads', 'POST', '/sp/campaigns/list', 'read', {}],
  ['amazon_ads', 'POST', '/reporting/reports', 'read', {}],
  ['amazon_ads', 'POST', '/sp/campaigns', 'change', {}],
  ['pinterest_ads', 'GET', '/v5/ad_accounts/1234567890/campaigns', 'read'],
  ['pinterest_ads', 'POST', '/v5/ad_accounts/1234567890/campaigns', 'change', {}],
  ['pinterest_ads', 'POST', '/v5/oauth/token', 'refused', 'grant_type=x'],
  ['snapchat_ads', 'GET', '/v1/adaccounts/3f2c8a3e-53d4-4d0c-9a35-6a8f0f4f4b77/campaigns', 'read'],
  ['snapchat_ads', 'POST', '/v1/adaccounts/3f2c8a3e-53d4-4d0c-9a35-6a8f0f4f4b77/campaigns', 'change', {}],
  ['reddit_ads', 'GET', '/api/v3/ad_accounts/t2_abc123/campaigns', 'read'],
  ['reddit_ads', 'POST', '/api/v3/ad_accounts/t2_abc123/reports', 'read', {}],
  ['reddit_ads', 'POST', '/api/v3/ad_accounts/t2_abc123/campaigns', 'change', {}],
  ['display_video_360', 'POST', '/v2/queries', 'change', 'metadata[sendNotification]=true'],
  ['display_video_360', 'GET', '/v4/advertisers/2234567/campaigns', 'read'],
  ['display_video_360', 'POST', '/v2/queries', 'read', { metadata: { title: 'x' }, schedule: { frequency: 'ONE_TIME' } }],
  ['display_video_360', 'POST', '/v2/queries', 'change', { schedule: { frequency: 'DAILY' } }],
  ['display_video_360', 'POST', '/v2/queries', 'refused', { metadata: { shareEmailAddress: ['x'] } }],
  ['display_video_360', 'POST', '/v2/queries', 'refused', { metadata: { share_email_address: ['x'] } }],
  ['display_video_360', 'POST', '/v2/queries', 'change', { metadata: { send_notification: true } }],
  ['display_video_360', 'POST', '/v2/queries/77777:run', 'read', {}],
  ['display_video_360', 'GET', '/v4/customBiddingAlgorithms/1:uploadScript', 'refused'],
  ['display_video_360', 'POST', '/v4/advertisers/2234567/campaigns', 'change', {}],
  ['criteo', 'POST', '/2026-07/marketing-solutions/campaigns/search', 'read', {}],
  ['criteo', 'POST', '/2026-07/statistics/report', 'read', {}],
  ['criteo', 'POST', '/2026-07/marketing-solutions/campaigns', 'change', {}],
  ['criteo', 'POST', '/oauth2/token', 'refused', 'grant_type=client_credentials'],
  ['adform', 'GET', '/v1/buyer/campaigns', 'read'],
  ['adform', 'POST', '/v1/buyer/stats/data', 'read', {}],
  ['google_ad_manager', 'GET', '/v1/networks/1234567890/orders', 'read'],
  ['google_ad_manager', 'POST', '/v1/networks/1234567890/reports/556677:run', 'read', {}],
  ['google_ad_manager', 'POST', '/v1/networks/1234567890/reports', 'refused', { schedule_options: {} }],
  ['google_ad_manager', 'POST', '/v1/networks/1234567890/reports', 'refused', { visibility: 3 }],
  ['google_ad_manager', 'POST', '/v1/networks/1234567890/reports', 'refused', 'report=%7B%22scheduleOptions%22%3A%7B%7D%7D'],
  ['google_ad_manager', 'POST', '/v1/networks/1234567890/reports', 'refused', 'report[scheduleOptions][frequency]=DAILY'],
  ['campaign_manager_360', 'GET', '/dfareporting/v5/userprofiles/1234567890/campaigns', 'read'],
  ['campaign_manager_360', 'POST', '/dfareporting/v5/userprofiles/1234567890/campaigns', 'change', {}],
  ['xandr', 'POST', '/report', 'refused', '{"report":{},"emails":["x@agency.example"]}'],
  ['xandr', 'POST', '/report', 'read', { report: {} }],
  ['xandr', 'POST', '/report', 'refused', { report: { emails: ['x'] } }],
  ['xandr', 'GET', '/report-download?id=1', 'read'],
  ['xandr', 'PUT', '/user', 'refused', {}],
  ['xandr', 'POST', '/auth', 'refused', {}],
  ['xandr', 'POST', '/campaign', 'change', {}],
  ['magnite', 'GET', '/analytics/v1/report/', 'read'],
  ['pubmatic', 'GET', '/v1/analytics/data/publisher/1234567890', 'read'],
  ['freewheel', 'GET', '/services/v4/sites/1', 'read'],
  ['stackadapt', 'POST', '/graphql', 'read', { query: '{ campaigns { id } }' }],
  ['stackadapt', 'POST', '/graphql', 'read', { query: 'query A { a } mutation B { b }', operationName: 'A' }],
  ['stackadapt', 'POST', '/graphql', 'change', { query: 'query A { a } mutation B { b }', operationName: 'B' }],
  ['stackadapt', 'POST', '/graphql', 'change', { query: 'mutation { updateCampaign { id } }' }],
  ['stackadapt', 'POST', '/graphql', 'refused', { query: 'query A { a } mutation B { b }' }],
  ['stackadapt', 'POST', '/graphql', 'refused', { query: 'query A { a } mutation A { b }', operationName: 'A' }],
  ['stackadapt', 'POST', '/graphql', 'refused', { query: '{ a }', Query: 'mutation { b }' }],
  ['stackadapt', 'POST', '/graphql', 'refused', { query: 'subscription { a }' }],
  ['stackadapt', 'POST', '/graphql', 'refused', { query: 'query A { a }', operationName: 'B' }],
  ['stackadapt', 'POST', '/graphql', 'read', { query: 'query A { a }', operationName: null }],
  ['stackadapt', 'POST', '/graphql', 'refused', { query: '{ a', variables: {} }],
  ['stackadapt', 'POST', '/graphql', 'refused', { extensions: { persistedQuery: { sha256Hash: 'x' } } }],
  ['stackadapt', 'POST', '/graphql', 'refused', [{ query: '{ a }' }]],
  ['stackadapt', 'POST', '/graphql', 'refused', { query: 'mutation { createWebhook { id } }' }],
]

describe('a call', () => {
  for (const [provider, method, target, expected, body] of cases)
    it(`to ${provider}: ${method} ${target} ${JSON.stringify(body) ?? ''} is ${expected}`, () => {
      const judgement = judged(provider, method, target, body)
      const got = 'refused' in judgement ? 'refused' : `${judgement.personal ? 'personal ' : ''}${judgement.effect}`
      expect(got, JSON.stringify(judgement)).toBe(expected)
    })

  it('is tried at every system', () => {
    const missing = Object.keys(gatewayRules).filter((id) => !cases.some(([provider]) => provider === id))
    expect(missing, 'add rows for each to `cases` of api/src/gateway/judge.test.ts').toEqual([])
  })

  it('goes only to the host of its own region or environment', () => {
    const host = (provider: ProviderId, entered: Record<string, string>) => openHosts(gatewayRules[provider]!, entered)
    expect(host('amazon_ads', { region: 'FE' })).toEqual(['advertising-api-fe.amazon.com'])
    expect(host('amazon_ads', {})).toEqual([])
    expect(host('the_trade_desk', { environment: 'sandbox' })).toEqual(['ext-api.sb.thetradedesk.com'])
  })

  const firsts = new Map(cases.toReversed().map((row) => [row[0], row]))
  it.each([...firsts.keys()])('to %s overrides neither method nor address by a header', (provider) => {
    const [, method, target, , body] = firsts.get(provider)!
    for (const name of ['x-http-method-override', 'x-method-override', 'x-http-method', 'x-original-url', 'x-rewrite-url'])
      expect(judged(provider, method, target, body, { [name]: 'DELETE' })).toHaveProperty('refused')
  })

  it('has a body that cannot be judged where two readers may read two things', () => {
    const kind = (text: string, type: string) => readBody(Buffer.from(text), type).kind
    for (const type of ['application/json', 'application/json; charset=utf-8', 'application/json;charset="UTF-8"'])
      expect(kind('{}', type), type).toBe('json')
    for (const type of [
      'application/json; charset=utf-7',
      'application/json; charset=ibm037',
      "application/json; charset*=utf-7''x",
      'application/json; charset*0=utf; charset*1=-7',
      'application/json; charset=utf-8; charset*=utf-16',
      'text/plain',
    ])
      expect(kind('{}', type), type).toBe('opaque')
    const form = 'application/x-www-form-urlencoded'
    expect(kind('a={}', form)).toBe('form')
    for (const text of ['{"a":1}', ' [1]', '{&method=delete']) expect(kind(text, form), text).toBe('opaque')
  })

  it('to LinkedIn says in a header what its method says, or nothing', () => {
    const call = (method: Method, said: string) =>
      judged('linkedin_ads', method, '/rest/adAccounts/1/adCampaigns', undefined, { 'x-restli-method': said })
    for (const [method, said] of [
      ['GET', 'FINDER'],
      ['POST', 'PARTIAL_UPDATE'],
      ['PUT', 'UPDATE'],
      ['DELETE', 'BATCH_DELETE'],
    ] as const)
      expect(call(method, said), said).not.toHaveProperty('refused')
    for (const [method, said] of [
      ['GET', 'DELETE'],
      ['GET', 'GET_ALL'],
      ['POST', 'DELETE'],
      ['PUT', 'CREATE'],
      ['PATCH', 'PARTIAL_UPDATE'],
    ] as const)
      expect(call(method, said), said).toHaveProperty('refused')
    const insight = (said: string) =>
      judged('linkedin_ads', 'POST', '/rest/targetingAudienceInsights?action=x', {}, { 'x-restli-method': said })
    expect(insight('ACTION')).toHaveProperty('effect', 'read')
    expect(insight('CREATE')).toHaveProperty('effect', 'change')
  })
})
