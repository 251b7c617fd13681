import { bearer } from '../../providers/provider.ts'
import { rules } from './rules.ts'

export const microsoftAds = rules({
  hosts: [
    { host: 'campaign.api.bingads.microsoft.com' },
    { host: 'clientcenter.api.bingads.microsoft.com' },
    { host: 'reporting.api.bingads.microsoft.com' },
    { host: 'bulk.api.bingads.microsoft.com' },
    { host: 'adinsight.api.bingads.microsoft.com' },
  ],
  versions: ['13'],
  allow: `
    @clientcenter.api.bingads.microsoft.com
    /CustomerManagement/v{version}/Account
    /CustomerManagement/v{version}/Account/Query
    /CustomerManagement/v{version}/Accounts/Find
    /CustomerManagement/v{version}/Accounts/Search
    /CustomerManagement/v{version}/AccountsInfo/Query
    /CustomerManagement/v{version}/AccountsOrCustomersInfo/Find
    /CustomerManagement/v{version}/AccountPilotFeatures/Query
    /CustomerManagement/v{version}/AccessibleCustomer/Query
    /CustomerManagement/v{version}/Address/Validate
    /CustomerManagement/v{version}/ClientLinks/Search
    /CustomerManagement/v{version}/CurrentUser/Query
    /CustomerManagement/v{version}/Customer/Query
    /CustomerManagement/v{version}/Customers/Search
    /CustomerManagement/v{version}/CustomersInfo/Query
    /CustomerManagement/v{version}/CustomerPilotFeatures/Query
    /CustomerManagement/v{version}/LinkedAccountsAndCustomersInfo/Query
    /CustomerManagement/v{version}/Notifications/Query
    /CustomerManagement/v{version}/Notifications/Dismiss
    /CustomerManagement/v{version}/PilotFeaturesCountries/Query
    /CustomerManagement/v{version}/User/Query
    /CustomerManagement/v{version}/AccountId/MapToExternalAccountIds
    /CustomerManagement/v{version}/CustomerId/MapToExternalCustomerId
    /CustomerBilling/v{version}/AccountMonthlySpend/Query
    /CustomerBilling/v{version}/BillingDocuments/Query
    /CustomerBilling/v{version}/BillingDocumentsInfo/Query
    /CustomerBilling/v{version}/CouponInfo/Query
    /CustomerBilling/v{version}/Coupons/Search
    /CustomerBilling/v{version}/FeatureAdoptionCouponEligibility/Check
    /CustomerBilling/v{version}/InsertionOrder
    /CustomerBilling/v{version}/InsertionOrders/Search
    @adinsight.api.bingads.microsoft.com
    /AdInsight/v{version}/AuctionInsightData*
    /AdInsight/v{version}/AudienceBreakdown*
    /AdInsight/v{version}/AudienceFullEstimation*
    /AdInsight/v{version}/AutoApplyOptInStatus*
    /AdInsight/v{version}/BidLandscape*
    /AdInsight/v{version}/BidOpportunities*
    /AdInsight/v{version}/BudgetOpportunities*
    /AdInsight/v{version}/DomainCategories*
    /AdInsight/v{version}/EstimatedBid*
    /AdInsight/v{version}/EstimatedPosition*
    /AdInsight/v{version}/HistoricalKeywordPerformance*
    /AdInsight/v{version}/HistoricalSearchCount*
    /AdInsight/v{version}/KeywordCategories*
    /AdInsight/v{version}/KeywordDemographics*
    /AdInsight/v{version}/KeywordIdeaCategories*
    /AdInsight/v{version}/KeywordIdeas*
    /AdInsight/v{version}/KeywordLocations*
    /AdInsight/v{version}/KeywordOpportunities*
    /AdInsight/v{version}/KeywordSuggestions*
    /AdInsight/v{version}/KeywordTrafficEstimates*
    /AdInsight/v{version}/PerformanceInsightsDetailData*
    /AdInsight/v{version}/Recommendations*
    /AdInsight/v{version}/TextAssetSuggestions*
    @campaign.api.bingads.microsoft.com
    /CampaignManagement/v{version}/AccountMigrationStatuses*
    /CampaignManagement/v{version}/AccountProperties*
    /CampaignManagement/v{version}/AdExtensionIds*
    /CampaignManagement/v{version}/AdExtensions*
    /CampaignManagement/v{version}/AdExtensionsAssociations*
    /CampaignManagement/v{version}/AdExtensionsEditorialReasons*
    /CampaignManagement/v{version}/AdGroupCriterions*
    /CampaignManagement/v{version}/AdGroups*
    /CampaignManagement/v{version}/Ads*
    /CampaignManagement/v{version}/AnnotationOptOut*
    /CampaignManagement/v{version}/AssetGroupListingGroupActions*
    /CampaignManagement/v{version}/AssetGroupListingGroups*
    /CampaignManagement/v{version}/AssetGroupRecommendation*
    /CampaignManagement/v{version}/AssetGroups*
    /CampaignManagement/v{version}/AssetGroupsEditorialReasons*
    /CampaignManagement/v{version}/AudienceGroupAssetGroupAssociations*
    /CampaignManagement/v{version}/AudienceGroups*
    /CampaignManagement/v{version}/Audiences*
    /CampaignManagement/v{version}/BMCStores*
    /CampaignManagement/v{version}/BSCCountries*
    /CampaignManagement/v{version}/BidStrategies*
    /CampaignManagement/v{version}/BrandKitRecommendation*
    /CampaignManagement/v{version}/BrandKits*
    /CampaignManagement/v{version}/Budgets*
    /CampaignManagement/v{version}/CampaignConversionGoals*
    /CampaignManagement/v{version}/CampaignCriterions*
    /CampaignManagement/v{version}/CampaignIds*
    /CampaignManagement/v{version}/CampaignSizes*
    /CampaignManagement/v{version}/Campaigns*
    /CampaignManagement/v{version}/ClipchampTemplates*
    /CampaignManagement/v{version}/Companies*
    /CampaignManagement/v{version}/ConfigValue*
    /CampaignManagement/v{version}/ConversionGoals*
    /CampaignManagement/v{version}/ConversionValueRules*
    /CampaignManagement/v{version}/ConversionValueRulesStatus*
    /CampaignManagement/v{version}/CustomerListItems*
    /CampaignManagement/v{version}/CustomerListUserData*
    /CampaignManagement/v{version}/DataExclusions*
    /CampaignManagement/v{version}/Diagnostics*
    /CampaignManagement/v{version}/EditorialReasons*
    /CampaignManagement/v{version}/EditorialRejections*
    /CampaignManagement/v{version}/EntityNegativeKeywords*
    /CampaignManagement/v{version}/Experiments*
    /CampaignManagement/v{version}/FileImportUploadUrl*
    /CampaignManagement/v{version}/GeoLocationsFileUrl*
    /CampaignManagement/v{version}/HealthCheck*
    /CampaignManagement/v{version}/HotelGroupActions*
    /CampaignManagement/v{version}/ImportEntityIdsMapping*
    /CampaignManagement/v{version}/ImportJobs*
    /CampaignManagement/v{version}/ImportResults*
    /CampaignManagement/v{version}/Keywords*
    /CampaignManagement/v{version}/LabelAssociations*
    /CampaignManagement/v{version}/Labels*
    /CampaignManagement/v{version}/ListItems*
    /CampaignManagement/v{version}/Media*
    /CampaignManagement/v{version}/MediaAssociations*
    /CampaignManagement/v{version}/MediaMetaData*
    /CampaignManagement/v{version}/NegativeKeywords*
    /CampaignManagement/v{version}/NegativeSites*
    /CampaignManagement/v{version}/NewCustomerAcquisitionGoals*
    /CampaignManagement/v{version}/OfflineConversionAdjustments*
    /CampaignManagement/v{version}/OfflineConversionReports*
    /CampaignManagement/v{version}/OfflineConversions*
    /CampaignManagement/v{version}/OnlineConversionAdjustments*
    /CampaignManagement/v{version}/ProductPartitionActions*
    /CampaignManagement/v{version}/ProfileDataFileUrl*
    /CampaignManagement/v{version}/ResponsiveAdRecommendation*
    /CampaignManagement/v{version}/ResponsiveAdRecommendationJob*
    /CampaignManagement/v{version}/ResponsiveSearchAdRecommendation*
    /CampaignManagement/v{version}/SeasonalityAdjustments*
    /CampaignManagement/v{version}/SharedEntities*
    /CampaignManagement/v{version}/SharedEntity*
    /CampaignManagement/v{version}/SharedEntityAssociations*
    /CampaignManagement/v{version}/SupportedClipchampAudio*
    /CampaignManagement/v{version}/SupportedFonts*
    /CampaignManagement/v{version}/UetTags*
    /CampaignManagement/v{version}/Videos*
    @reporting.api.bingads.microsoft.com
    /Reporting/v{version}/GenerateReport/Submit
    /Reporting/v{version}/GenerateReport/Poll
    @bulk.api.bingads.microsoft.com
    /Bulk/v{version}/Campaigns/DownloadByAccountIds
    /Bulk/v{version}/Campaigns/DownloadByCampaignIds
    /Bulk/v{version}/BulkDownloadStatus/Query
    /Bulk/v{version}/BulkUploadStatus/Query
    /Bulk/v{version}/EntityRecords/Upload
  `,
  deny: `
    tunnel ANY /Api/*
    grant POST /CustomerManagement/v{version}/UserInvitation/Send
    grant PUT /CustomerManagement/v{version}/UserRoles
    grant PUT /CustomerManagement/v{version}/User
    grant DELETE /CustomerManagement/v{version}/User
    grant POST /CustomerManagement/v{version}/ClientLinks
    grant PUT /CustomerManagement/v{version}/ClientLinks
    grant POST /CustomerManagement/v{version}/Customer/Signup
    grant POST /CustomerManagement/v{version}/Customer/UpgradeToAgency
    grant POST /CustomerManagement/v{version}/PrepayAccount
    reveal POST /Bulk/v{version}/BulkUploadUrl/Query
    reveal POST /CampaignManagement/v{version}/FileImportUploadUrl/Query
    personal ANY /CustomerManagement/v{version}/User/*
    personal ANY /CustomerManagement/v{version}/CurrentUser/*
    personal ANY /CustomerManagement/v{version}/ClientLinks/*
    personal ANY /CampaignManagement/v{version}/CustomerListItems*
    personal ANY /CampaignManagement/v{version}/CustomerListUserData*
  `,
  parameters: `
    body DeveloperToken
    body AuthenticationToken
    body **.CustomerAccountShares.AccountId on /CampaignManagement/v{version}/*
    body **.CustomerAccountShares.CustomerId on /CampaignManagement/v{version}/*
  `,
  reads: `
    POST /CampaignManagement/v13/{resource}/Query
    POST /CampaignManagement/v13/{resource}/QueryByAccountId
    POST /CampaignManagement/v13/{resource}/QueryByIds
    POST /CampaignManagement/v13/{resource}/QueryByCampaignId
    POST /CampaignManagement/v13/{resource}/QueryByAdGroupId
    POST /CampaignManagement/v13/{resource}/QueryByAdGroupIds
    POST /CampaignManagement/v13/{resource}/QueryByCampaignIds
    POST /CampaignManagement/v13/{resource}/QueryByEditorialStatus
    POST /CampaignManagement/v13/{resource}/QueryByEntityIds
    POST /CampaignManagement/v13/{resource}/QueryByLabelIds
    POST /CampaignManagement/v13/{resource}/QueryByTagIds
    POST /CampaignManagement/v13/{resource}/QueryByBudgetIds
    POST /CampaignManagement/v13/{resource}/QueryByBidStrategyIds
    POST /CampaignManagement/v13/{resource}/QueryBySharedList
    POST /CampaignManagement/v13/{resource}/QueryBySharedEntityIds
    POST /CampaignManagement/v13/{resource}/QueryByAssetGroupIds
    POST /CampaignManagement/v13/{resource}/QueryByAudienceGroupIds
    POST /CampaignManagement/v13/{resource}/QueryByCustomerId
    POST /CampaignManagement/v13/Companies/Search
    POST /Reporting/v13/GenerateReport/Submit
    POST /Reporting/v13/GenerateReport/Poll
    POST /Bulk/v13/Campaigns/DownloadByAccountIds
    POST /Bulk/v13/Campaigns/DownloadByCampaignIds
    POST /Bulk/v13/BulkDownloadStatus/Query
    POST /Bulk/v13/BulkUploadStatus/Query
    POST /AdInsight/v13/{resource}/query
    POST /AdInsight/v13/{resource}/queryByAdGroupIds
    POST /AdInsight/v13/{resource}/queryByKeywordIds
    POST /AdInsight/v13/{resource}/queryByKeywords
    POST /AdInsight/v13/{resource}/queryByUrl
    POST /AdInsight/v13/{resource}/queryByFinalUrls
    POST /AdInsight/v13/{resource}/queryByAccountId
    POST /AdInsight/v13/Recommendations/retrieve
    POST /CustomerManagement/v13/{resource}/Query
    POST /CustomerManagement/v13/{resource}/Search
    POST /CustomerManagement/v13/{resource}/Find
    POST /CustomerManagement/v13/Address/Validate
    POST /CustomerBilling/v13/{resource}/Query
    POST /CustomerBilling/v13/{resource}/Search
    POST /CustomerBilling/v13/FeatureAdoptionCouponEligibility/Check
  `,
  headers: ['customerid', 'customeraccountid'],
  inject: ({ credential, app, settings }) => ({
    headers: {
      ...bearer(credential),
      DeveloperToken: app.developerToken ?? '',
      ...(credential.fields.identityProvider === 'google' && { IdentityProvider: 'Google' }),
    },
    defaults: { CustomerId: settings.customerId, CustomerAccountId: settings.accountId },
  }),
})
