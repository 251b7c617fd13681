// The calls that people try first at each ad system. Accounts and objects are those of the sandbox.
import type { ProviderId } from '@adjoin/contract'

export interface Example {
  readonly title: string
  readonly method: 'GET' | 'POST'
  /** As after `/proxy/`; the host stands before it only where it is not the system's first. */
  readonly path: string
  readonly body: Record<string, unknown> | null
}

const get = (title: string, path: string): Example => ({ title, method: 'GET', path, body: null })
const post = (title: string, path: string, body: Record<string, unknown>): Example => ({ title, method: 'POST', path, body })

const DAY = { from: '2026-01-04', to: '2026-01-05' }
const SNAPCHAT_ACCOUNT = '3f2c8a3e-53d4-4d0c-9a35-6a8f0f4f4b77'
const REPORT = '00000000-0000-4000-8000-000000000001'
/** Lists inside of a query, as TikTok takes them. */
const list = (...values: string[]) => encodeURIComponent(JSON.stringify(values))

export const examples: Record<ProviderId, readonly Example[]> = {
  google_ads: [
    post('Campaigns', 'v25/customers/1234567890/googleAds:search', {
      query: 'SELECT campaign.id, campaign.name, campaign.status FROM campaign ORDER BY campaign.id',
    }),
    post('Spend yesterday', 'v25/customers/1234567890/googleAds:searchStream', {
      query: 'SELECT campaign.name, metrics.clicks, metrics.cost_micros FROM campaign WHERE segments.date DURING YESTERDAY',
    }),
    get('What a field means', 'v25/googleAdsFields/campaign.id'),
  ],
  meta_ads: [
    get('Campaigns', 'v25.0/act_1234567890/campaigns?fields=id,name,status,objective&limit=100'),
    get('Spend yesterday', 'v25.0/act_1234567890/insights?date_preset=yesterday&fields=impressions,spend'),
    post('Start a large report', 'v25.0/act_1234567890/insights', { level: 'ad', date_preset: 'last_30d', fields: 'impressions,spend' }),
  ],
  microsoft_ads: [
    post('Campaigns', 'CampaignManagement/v13/Campaigns/QueryByAccountId', {
      AccountId: '1234567890',
      CampaignType: 'Search,Shopping,PerformanceMax',
    }),
    post('Start a report of yesterday’s spend', 'reporting.api.bingads.microsoft.com/Reporting/v13/GenerateReport/Submit', {
      ReportRequest: {
        Type: 'AccountPerformanceReportRequest',
        ReportName: 'Spend',
        Format: 'Csv',
        Aggregation: 'Daily',
        Columns: ['TimePeriod', 'AccountId', 'Spend'],
        Scope: { AccountIds: ['1234567890'] },
        Time: { PredefinedTime: 'Yesterday' },
      },
    }),
    post('Fetch that report', 'reporting.api.bingads.microsoft.com/Reporting/v13/GenerateReport/Poll', {
      ReportRequestId: '30000000000000001',
    }),
  ],
  // Campaigns and new reports are asked for with media types of Amazon's own, so they are no first call.
  amazon_ads: [
    get('Profiles', 'v2/profiles?accessLevel=view'),
    get('Manager accounts', 'managerAccounts'),
    get('A report', `reporting/reports/${REPORT}`),
  ],
  tiktok_ads: [
    get('Campaigns', 'open_api/v1.3/campaign/get/?advertiser_id=1234567890&page=1&page_size=10'),
    get(
      'Spend of one day',
      `open_api/v1.3/report/integrated/get/?advertiser_id=1234567890&report_type=BASIC&data_level=AUCTION_CAMPAIGN&dimensions=${list('campaign_id', 'stat_time_day')}&metrics=${list('spend', 'clicks')}&start_date=${DAY.from}&end_date=${DAY.from}`,
    ),
  ],
  linkedin_ads: [
    get('Campaigns', 'rest/adAccounts/1234567890/adCampaigns?q=search&search=(status:(values:List(ACTIVE,PAUSED)))&pageSize=100'),
    get(
      'Spend of one day',
      'rest/adAnalytics?q=analytics&pivot=CAMPAIGN&timeGranularity=DAILY&dateRange=(start:(year:2026,month:1,day:4),end:(year:2026,month:1,day:4))&accounts=List(urn%3Ali%3AsponsoredAccount%3A1234567890)&fields=pivotValues,impressions,clicks,costInLocalCurrency',
    ),
  ],
  pinterest_ads: [
    get('Campaigns', 'v5/ad_accounts/1234567890/campaigns?page_size=100'),
    get(
      'Spend of one day',
      `v5/ad_accounts/1234567890/analytics?start_date=${DAY.from}&end_date=${DAY.from}&columns=SPEND_IN_DOLLAR,TOTAL_CLICKTHROUGH&granularity=DAY`,
    ),
  ],
  snapchat_ads: [
    get('Campaigns', `v1/adaccounts/${SNAPCHAT_ACCOUNT}/campaigns`),
    get(
      'Spend of one day',
      `v1/adaccounts/${SNAPCHAT_ACCOUNT}/stats?granularity=DAY&fields=spend&start_time=${DAY.from}T00:00:00.000%2B01:00&end_time=${DAY.to}T00:00:00.000%2B01:00`,
    ),
  ],
  reddit_ads: [
    get('Campaigns', 'api/v3/ad_accounts/t2_abc123/campaigns?page.size=100'),
    post('Spend of one day', 'api/v3/ad_accounts/t2_abc123/reports', {
      data: {
        breakdowns: ['DATE', 'CAMPAIGN_ID'],
        fields: ['IMPRESSIONS', 'CLICKS', 'SPEND'],
        starts_at: `${DAY.from}T00:00:00Z`,
        ends_at: `${DAY.to}T00:00:00Z`,
        time_zone_id: 'GMT',
      },
    }),
  ],
  display_video_360: [
    get('Campaigns', 'v4/advertisers/1234567890/campaigns?pageSize=100'),
    post('Prepare a report of yesterday’s spend', 'doubleclickbidmanager.googleapis.com/v2/queries', {
      metadata: { title: 'Spend yesterday', dataRange: { range: 'PREVIOUS_DAY' }, format: 'CSV' },
      params: {
        type: 'STANDARD',
        groupBys: ['FILTER_DATE', 'FILTER_ADVERTISER'],
        metrics: ['METRIC_REVENUE_ADVERTISER'],
        filters: [{ type: 'FILTER_ADVERTISER', value: '1234567890' }],
      },
      schedule: { frequency: 'ONE_TIME' },
    }),
    post('Run that report', 'doubleclickbidmanager.googleapis.com/v2/queries/77777:run', {}),
  ],
  the_trade_desk: [
    post('Campaigns', 'v3/campaign/query/advertiser', { AdvertiserId: '1234567890', PageStartIndex: 0, PageSize: 100 }),
    post('Finished reports', 'v3/myreports/reportexecution/query/advertisers', {
      AdvertiserIds: ['1234567890'],
      PageStartIndex: 0,
      PageSize: 10,
    }),
  ],
  criteo: [
    post('Campaigns', '2026-07/marketing-solutions/campaigns/search', { filters: { advertiserIds: ['1234567890'] } }),
    post('Spend of one day', '2026-07/statistics/report', {
      advertiserIds: '1234567890',
      startDate: DAY.from,
      endDate: DAY.from,
      currency: 'EUR',
      format: 'json',
      dimensions: ['AdvertiserId', 'Day'],
      metrics: ['Displays', 'AdvertiserCost'],
    }),
  ],
  stackadapt: [
    post('Campaigns', 'graphql', {
      query: '{ campaigns(first: 50, filterBy: { advertiserIds: ["1234567890"] }) { nodes { id name channelType } totalCount } }',
    }),
    post('Spend of one day', 'graphql', {
      query: `{ advertiserDelivery(dataType: TABLE, granularity: DAILY, date: { from: "${DAY.from}", to: "${DAY.to}" }, ids: ["1234567890"]) { __typename ... on AdvertiserDeliveryOutcome { totalStats { cost } } } }`,
    }),
  ],
  adform: [
    get('Campaigns', 'v1/buyer/campaigns?status=Active&limit=100'),
    post('Start a report of one day’s cost', 'v1/buyer/stats/data', {
      dimensions: ['date', 'client', 'campaign'],
      metrics: [{ metric: 'impressions', specs: { adUniqueness: 'campaignUnique' } }, { metric: 'cost' }],
      filter: { date: { from: DAY.from, to: DAY.from } },
      paging: { offset: 0, limit: 1000 },
    }),
    get('Fetch that report', `v1/buyer/stats/data/${REPORT}`),
  ],
  google_ad_manager: [
    get('Orders', 'v1/networks/1234567890/orders?pageSize=50'),
    post('Run a saved report', 'v1/networks/1234567890/reports/556677:run', {}),
    get('Rows of that report', 'v1/networks/1234567890/reports/556677/results/8899:fetchRows?pageSize=1000'),
  ],
  campaign_manager_360: [
    get('Campaigns', 'dfareporting/v5/userprofiles/1234567890/campaigns?maxResults=100'),
    get('Files of a report', 'dfareporting/v5/userprofiles/1234567890/reports/4455667/files'),
    get('One of these files', 'dfareporting/v5/userprofiles/1234567890/reports/4455667/files/998877?alt=media'),
  ],
  xandr: [
    post('Start a report of yesterday’s revenue', 'report', {
      report: { report_type: 'network_analytics', report_interval: 'yesterday', columns: ['day', 'imps', 'revenue'], format: 'csv' },
    }),
    get('State of that report', 'report?id=ca9955709eade'),
    get('Its rows', 'report-download?id=ca9955709eade'),
  ],
  magnite: [
    get(
      'Revenue yesterday',
      'analytics/v1/report/?account=publisher/1234567890&dateRange=yesterday&dimensions=date&metrics=paid_impression,revenue&format=json',
    ),
    get(
      'The same as CSV',
      'analytics/v1/report/?account=publisher/1234567890&dateRange=yesterday&dimensions=date&metrics=paid_impression,revenue',
    ),
  ],
  pubmatic: [
    get(
      'Revenue of one day',
      `v1/analytics/data/publisher/1234567890?dateUnit=date&dimensions=date,siteId&metrics=revenue,paidImpressions,ecpm&fromDate=${DAY.from}T00:00&toDate=${DAY.from}T23:59`,
    ),
    get('A deal', 'curateddeals/111'),
  ],
  freewheel: [
    get('A site', 'services/v4/sites/1'),
    get('TV networks', 'services/v4/available_television_networks?status=ACTIVE&page=1&per_page=50'),
  ],
}
