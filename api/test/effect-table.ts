// What reads at each ad system although it is no GET, written down a second time from the vendors'
// documentation and apart from api/src/gateway/rules, so that the two check each other.
import type { ProviderId } from '@adjoin/contract'

export interface EffectRows {
  /** Paths of POST, or `METHOD:/path`. `{name}` is a segment, or its part up to a colon. */
  readonly reads: string
  /** What is easily taken for a read, and stores, shares or ends something. */
  readonly changes?: string
  /** Nobody has confirmed these: a change, or closed. */
  readonly assumed?: string
  /** They would read, but what they read is nobody's business. */
  readonly closed?: string
}

/** A version in a path is one of those that are open. */
export const versions: Partial<Record<ProviderId, string>> = {
  google_ads: '25',
  criteo: '2026-07',
  meta_ads: '25.0',
  display_video_360: '5',
}

export const effectTable: Record<ProviderId, EffectRows> = {
  adform: {
    reads: `
      /v1/buyer/stats/data /v1/buyer/stats /v1/reportingstats/agency/reportdata`,
    assumed: `/v1/seller/stats/data`,
    changes: `DELETE:/v1/buyer/stats/data/{report}`,
  },
  amazon_ads: {
    reads: `
      /sp/{resource}/list /sp/{resource}/{sub}/list /sb/v4/{resource}/list /sb/{resource}/list /sb/beta/{resource}/list /st/{resource}/list
      /portfolios/list /dsp/{resource}/list /dsp/v1/{resource}/list /dsp/v1/{resource}/{sub}/list /dsp/v1/{resource}/{sub}/{sub2}/list
      /dsp/inventory/{resource}/list /dsp/inventory/deals/{sub}/list /dsp/rules/bidmodifier/list /dsp/rules/bidmodifier/{rule}/associations/list
      /dsp/rules/bidmodifier/{rule}/associations/validate /dsp/inventory/deals/{deal}/advertiserPermissions/recommendedAdvertiser/list
      /dsp/v1/{resource}/{sub}/{sub2}/{sub3}/list /st/{resource}/{sub}/{sub2}/list /audiences/list /audiences/taxonomy/list
      /targetableEntities/list /targetableEntities/paths/list /locations/list /eligibility/product/list /recommendations/list
      /mmm/v1/brandGroups/list /bp/v2/posts/list /adsApi/v1/query/{resource} /reporting/reports /accounts/{dspAccount}/dsp/reports /dsp/reports
      /mmm/v1/reports /billingStatements /{level}/export /{level}/exports /v2/sp/{recordType}/report /v2/hsa/{recordType}/report
      /sd/{recordType}/report /v2/sp/{recordType}/snapshot /v2/hsa/{recordType}/snapshot /v2/sd/{recordType}/snapshot /sp/campaigns/budget/usage
      /sb/campaigns/budget/usage /sd/campaigns/budget/usage /portfolios/budget/usage /sp/targets/bid/recommendations
      /sp/targets/categories/recommendations /sp/targets/keywords/recommendations /sp/targets/products/recommendations
      /sp/targets/products/count /sp/targeting/recommendations/keywordGroups /sp/targetPromotionGroups/recommendations
      /sp/rules/campaignOptimization/eligibility /sb/recommendations/{kind} /sb/recommendations/targets/{kind}
      /sb/campaigns/budgetRecommendations /sb/campaigns/budgetRules/recommendations /sb/campaigns/insights /sb/targets/products/count
      /dsp/campaigns/targetKpi/recommendations /asins/suggested/keywords /insights/{kind} /mediaPlan/v1/reachForecasts
      /mediaPlan/v1/deduplicatedReachForecasts /diagnostics/campaigns/issues /assets/search /dsp/v1/adCreatives/preview
      /dsp/creatives/{kind}/preview /sd/creatives/preview /validationConfigurations/{kind} /adsAccounts/list /billing/paymentMethods/list
      /billing/paymentAgreements/list /billingProfiles/list /billingProfileUsages/list /dsp/v1/quickactions/batchGetExecutions
      /sb/v4/legacyCampaigns/migrationJob/{view}`,
    closed: `/userPermissions/list /userRoles/list /users/list /user-invitations/list`,
    changes: `DELETE:/reporting/reports/{report} /recommendations/apply /dsp/v1/quickactions/execute /sb/v4/legacyCampaigns/migrationJob`,
  },
  campaign_manager_360: {
    reads: `
      /dfareporting/v5/userprofiles/{account}/dimensionvalues/query /dfareporting/v5/userprofiles/{account}/reports/compatiblefields/query
      /dfareporting/v5/userprofiles/{account}/reports/{report}/run /dfareporting/v5/userprofiles/{account}/placements/generatetags
      /dfareporting/v5/userprofiles/{account}/floodlightActivities/generatetag`,
    assumed: `/dfareporting/v5/userprofiles/{account}/reportData:query`,
    changes: `/dfareporting/v5/userprofiles/{account}/reports /dfareporting/v5/userprofiles/{account}/conversions/batchinsert`,
  },
  criteo: {
    reads: `
      /{v}/marketing-solutions/campaigns/search /{v}/marketing-solutions/ad-sets/search /{v}/marketing-solutions/audiences/search
      /{v}/marketing-solutions/audience-segments/search /{v}/retail-media/accounts/{account}/{resource}/search
      /{v}/retail-media/accounts/fees/search /{v}/retail-media/accounts/sellers/search /{v}/retail-media/brands/search
      /{v}/retail-media/retailers/{retailer}/categories/search /{v}/statistics/report /{v}/placements/report /{v}/transactions/report
      /{v}/log-level/advertisers/{account}/report /{v}/retail-media/reports/{kind} /{v}/retail-media/reports/sync/{kind}
      /{v}/retail-media/billing/partner-report /{v}/marketing-solutions/audiences/compute-sizes /{v}/marketing-solutions/audiences/estimate-size
      /{v}/marketing-solutions/audience-segments/compute-sizes /{v}/marketing-solutions/audience-segments/estimate-size
      /{v}/marketing-solutions/creatives/{id}/preview /{v}/retail-media/retailers/{retailer}/cpc-min-bids
      /{v}/retail-media/retailers/{retailer}/recommend-categories /{v}/retail-media/retailers/{retailer}/recommend-keywords
      /{v}/retail-media/accounts/{account}/catalogs /{v}/retail-media/accounts/{account}/catalogs/sellers
      /{v}/retail-media/accounts/{account}/brand-catalog-export /{v}/retail-media/accounts/{account}/seller-catalog-export`,
  },
  display_video_360: {
    reads: `
      /v{v}/targetingTypes/{type}/targetingOptions:search /v{v}/sdfdownloadtasks /v2/queries/{query}:run`,
    changes: `DELETE:/v2/queries/{query}`,
  },
  freewheel: {
    reads: ``,
    assumed: `/services/v4/forecast* /services/v3/nightly_forecast*`,
  },
  google_ad_manager: {
    reads: `
      /v1/networks/{account}/reports/{report}:run`,
    changes: `/v1/networks/{account}/reports`,
  },
  google_ads: {
    reads: `
      /v{v}/customers/{account}/googleAds:search /v{v}/customers/{account}/googleAds:searchStream /v{v}/customers/{account}:generateKeywordIdeas
      /v{v}/customers/{account}:generateKeywordHistoricalMetrics /v{v}/customers/{account}:generateKeywordForecastMetrics
      /v{v}/customers/{account}:generateAdGroupThemes /v{v}/customers/{account}:generateReachForecast
      /v{v}/customers/{account}:searchAudienceInsightsAttributes
      /v{v}/customers/{account}:generateAudienceDefinition /v{v}/customers/{account}:generateAudienceOverlapInsights
      /v{v}/customers/{account}:generateBenchmarksMetrics /v{v}/customers/{account}:generateCreatorInsights
      /v{v}/customers/{account}:generateTrendingInsights /v{v}/customers/{account}:generateAudienceCompositionInsights
      /v{v}/customers/{account}:generateSuggestedTargetingInsights /v{v}/customers/{account}:generateTargetingSuggestionMetrics
      /v{v}/customers/{account}:suggestBrands /v{v}/customers/{account}:suggestSmartCampaignBudgetOptions
      /v{v}/customers/{account}:suggestSmartCampaignAd /v{v}/customers/{account}:suggestKeywordThemes
      /v{v}/customers/{account}:suggestTravelAssets /v{v}/customers/{account}/recommendations:generate /v{v}/googleAdsFields:search
      /v{v}/geoTargetConstants:suggest /v{v}/keywordThemeConstants:suggest /v{v}/audienceInsights:listInsightsEligibleDates
      /v{v}:listPlannableLocations /v{v}:listPlannableProducts /v{v}:listPlannableUserLists /v{v}:listPlannableUserInterests
      /v{v}:generateConversionRates /v{v}:listBenchmarksAvailableDates /v{v}:listBenchmarksLocations /v{v}:listBenchmarksProducts
      /v{v}:listBenchmarksSources`,
    changes: `/v{v}/customers/{account}:generateInsightsFinderReport /v{v}/customers/{account}:generateShareablePreviews`,
  },
  linkedin_ads: {
    reads: ``,
    assumed: `/rest/audienceInsights`,
  },
  magnite: {
    reads: ``,
    assumed: `/analytics/v2/default`,
  },
  meta_ads: {
    reads: `
      /v{v}/act_{account}/insights /v{v}/{node}/insights /v{v}/{rule}/preview`,
  },
  microsoft_ads: {
    reads: `
      /CampaignManagement/v13/{resource}/Query /CampaignManagement/v13/{resource}/QueryByAccountId /CampaignManagement/v13/{resource}/QueryByIds
      /CampaignManagement/v13/{resource}/QueryByCampaignId /CampaignManagement/v13/{resource}/QueryByAdGroupId
      /CampaignManagement/v13/{resource}/QueryByAdGroupIds /CampaignManagement/v13/{resource}/QueryByCampaignIds
      /CampaignManagement/v13/{resource}/QueryByEditorialStatus /CampaignManagement/v13/{resource}/QueryByEntityIds
      /CampaignManagement/v13/{resource}/QueryByLabelIds /CampaignManagement/v13/{resource}/QueryByTagIds
      /CampaignManagement/v13/{resource}/QueryByBudgetIds /CampaignManagement/v13/{resource}/QueryByBidStrategyIds
      /CampaignManagement/v13/{resource}/QueryBySharedList /CampaignManagement/v13/{resource}/QueryBySharedEntityIds
      /CampaignManagement/v13/{resource}/QueryByAssetGroupIds /CampaignManagement/v13/{resource}/QueryByAudienceGroupIds
      /CampaignManagement/v13/{resource}/QueryByCustomerId /CampaignManagement/v13/Companies/Search /Reporting/v13/GenerateReport/Submit
      /Reporting/v13/GenerateReport/Poll /Bulk/v13/Campaigns/DownloadByAccountIds /Bulk/v13/Campaigns/DownloadByCampaignIds
      /Bulk/v13/BulkDownloadStatus/Query /Bulk/v13/BulkUploadStatus/Query /AdInsight/v13/{resource}/query
      /AdInsight/v13/{resource}/queryByAdGroupIds /AdInsight/v13/{resource}/queryByKeywordIds /AdInsight/v13/{resource}/queryByKeywords
      /AdInsight/v13/{resource}/queryByUrl /AdInsight/v13/{resource}/queryByFinalUrls /AdInsight/v13/{resource}/queryByAccountId
      /AdInsight/v13/Recommendations/retrieve /CustomerManagement/v13/{resource}/Query /CustomerManagement/v13/{resource}/Search
      /CustomerManagement/v13/{resource}/Find /CustomerManagement/v13/Address/Validate /CustomerBilling/v13/{resource}/Query
      /CustomerBilling/v13/{resource}/Search /CustomerBilling/v13/FeatureAdoptionCouponEligibility/Check`,
    changes: `/CustomerManagement/v13/Notifications/Dismiss /CustomerManagement/v13/AccountId/MapToExternalAccountIds /Bulk/v13/EntityRecords/Upload`,
  },
  pinterest_ads: {
    reads: `
      /v5/ad_accounts/{account}/reports /v5/ad_accounts/{account}/reports/brand_category_sku
      /v5/ad_accounts/{account}/templates/{template}/reports /v5/ad_accounts/{account}/mmm_reports /v5/ad_accounts/{account}/bulk/download
      /v5/ad_accounts/{account}/bid_floor /v5/ad_accounts/{account}/ad_groups/audience_sizing /v5/catalogs/items
      /v5/catalogs/products/get_by_product_group_filters /v5/catalogs/reports /v5/advanced_auction/items/get
      /v5/ad_accounts/{account}/leads_export`,
    changes: `/v5/ad_accounts/{account}/ad_previews /v5/ad_accounts/{account}/bulk/upsert /v5/ad_accounts/{account}/events /v5/ad_accounts/{account}/lead_forms/{form}/test`,
  },
  pubmatic: {
    reads: ``,
  },
  reddit_ads: {
    reads: `
      /api/v3/ad_accounts/{account}/reports /api/v3/businesses/{business}/ad_accounts/query
      /api/v3/businesses/{business}/funding_instruments/query /api/v3/forecasting/bid_suggestions /api/v3/targeting/geolocations_validations
      /api/v3/targeting/keyword_suggestions /api/v3/targeting/keyword_validations`,
    closed: `/api/v3/ad_accounts/{account}/history`,
    changes: `/api/v3/pixels/{pixel}/conversion_events /api/v3/ad_accounts/{account}/saved_audiences`,
  },
  snapchat_ads: {
    reads: `
      /v1/adaccounts/{account}/targeting_insights /v1/adaccounts/{account}/audience_size /v1/adaccounts/{account}/bid_estimate`,
    assumed: `/v1/adaccounts/{account}/audience_size_v2 /v1/adaccounts/{account}/bid_estimate_v2`,
  },
  stackadapt: {
    reads: ``,
  },
  the_trade_desk: {
    reads: `
      /v3/{object}/query/{by} /v3/{object}/query /v3/myreports/{object}/query /v3/myreports/{object}/query/{by} /v3/dmp/firstparty/advertiser
      /v3/dmp/thirdparty/advertiser`,
    assumed: `/v3/{object}/query/{by}/{by2} /v3/delta/{object}/query/{by}`,
    changes: `DELETE:/v3/myreports/reportschedule/{schedule} /v3/hdreports`,
  },
  tiktok_ads: {
    reads: `
      /open_api/v1.3/report/task/create/ /open_api/v1.3/tool/targeting/info/
      /open_api/v1.3/tool/targeting/search/ /open_api/v1.3/tool/targeting_category/recommend/ /open_api/v1.3/tool/bid/recommend/
      /open_api/v1.3/creative/smart_text/generate/`,
    changes: `/open_api/v1.3/report/task/cancel/ /open_api/v1.3/offline/track/ /open_api/v1.3/creative/shareable_link/create/`,
  },
  xandr: {
    reads: `
      /creative-search /content-search /change-log /change-log-detail /inventory-list/validate-inventory-item /periscope-forecast
      /forecast-inventory-multi /forecast-contention-multi PUT:/creative-macro-check /geo-polygon-segment/select /domain-audit-status`,
    assumed: `/tag-parser`,
    changes: `DELETE:/periscope-forecast /batch-segment`,
  },
}

/** Rows that read only under a condition, with a request on either side of it. */
export interface ConditionalRead {
  readonly provider: ProviderId
  readonly path: string
  readonly query?: string
  readonly body: unknown
  readonly effect: 'read' | 'change'
}

const queries = { provider: 'display_video_360', path: '/v2/queries' } as const
const schedule = { provider: 'the_trade_desk', path: '/v3/myreports/reportschedule' } as const
const report = { provider: 'xandr', path: '/report' } as const
const graphql = { provider: 'stackadapt', path: '/graphql' } as const

export const conditionalReads: readonly ConditionalRead[] = [
  { ...queries, body: { metadata: { title: 'x' }, params: {} }, effect: 'read' },
  { ...queries, body: { schedule: { frequency: 'ONE_TIME' } }, effect: 'read' },
  { ...queries, body: { schedule: { frequency: 'DAILY' } }, effect: 'change' },
  { ...queries, body: { metadata: { shareEmailAddress: ['a@b.example'] } }, effect: 'change' },
  { ...queries, body: { metadata: { sendNotification: true } }, effect: 'change' },
  { ...schedule, body: { ReportFrequency: 'Once' }, effect: 'read' },
  { ...schedule, body: { ReportFrequency: 'Daily' }, effect: 'change' },
  { ...schedule, body: {}, effect: 'change' },
  { ...schedule, body: { ReportFrequency: 'Once', EmailAddresses: ['a@b.example'] }, effect: 'change' },
  { ...report, body: { report: { report_type: 'network_analytics' } }, effect: 'read' },
  { ...report, body: { report: { report_type: 'network_analytics', emails: ['a@b.example'] } }, effect: 'change' },
  { ...report, query: 'saved_report_id=7', body: { report: {} }, effect: 'change' },
  { ...graphql, body: { query: '{ campaigns { nodes { id } } }' }, effect: 'read' },
  { ...graphql, body: { query: 'query A { me { id } } mutation B { x }', operationName: 'A' }, effect: 'read' },
  { ...graphql, body: { query: 'query A { me { id } } mutation B { x }', operationName: 'B' }, effect: 'change' },
  { ...graphql, body: { query: 'mutation { updateCampaign(id: 1) { id } }' }, effect: 'change' },
  { provider: 'linkedin_ads', path: '/rest/targetingAudienceInsights', query: 'action=audienceInsights', body: {}, effect: 'read' },
  { provider: 'linkedin_ads', path: '/rest/targetingAudienceInsights', body: {}, effect: 'change' },
  { provider: 'linkedin_ads', path: '/rest/mediaPlanning', body: {}, effect: 'change' },
]
