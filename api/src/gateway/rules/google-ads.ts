import { bearer } from '../../providers/provider.ts'
import { googleParameters } from './google.ts'
import { rules } from './rules.ts'

export const googleAds = rules({
  hosts: [{ host: 'googleads.googleapis.com' }],
  versions: ['23', '24', '25', '26'],
  allow: `
    /v{version}/customers:listAccessibleCustomers
    /v{version}/customers/{account}:{verb}
    /v{version}/customers/{account}/{service}:{verb}
    /v{version}/customers/{account}/{service}/{id}:{verb}
    /v{version}/customers/{account}/invoices
    /v{version}/customers/{account}/paymentsAccounts
    /v{version}/googleAdsFields/{field}
    /v{version}/googleAdsFields:search
    /v{version}/geoTargetConstants:suggest
    /v{version}/keywordThemeConstants:suggest
    /v{version}/audienceInsights:listInsightsEligibleDates
    /v{version}:listPlannableLocations
    /v{version}:listPlannableProducts
    /v{version}:listPlannableUserLists
    /v{version}:listPlannableUserInterests
    /v{version}:generateConversionRates
    /v{version}:listBenchmarksAvailableDates
    /v{version}:listBenchmarksLocations
    /v{version}:listBenchmarksProducts
    /v{version}:listBenchmarksSources
  `,
  deny: `
    grant POST /v{version}/customers/{account}/customerUserAccessInvitations:mutate
    grant POST /v{version}/customers/{account}/customerUserAccesses:mutate
    grant POST /v{version}/customers/{account}/customerClientLinks:mutate
    grant POST /v{version}/customers/{account}/customerManagerLinks:mutate
    grant POST /v{version}/customers/{account}/customerManagerLinks:moveManagerLink
    grant POST /v{version}/customers/{account}:createCustomerClient
    grant POST /v{version}/customers/{account}/productLinkInvitations:{verb}
    grant POST /v{version}/customers/{account}/productLinks:{verb}
    grant POST /v{version}/customers/{account}/accountLinks:{verb}
    grant POST /v{version}/customers/{account}/dataLinks:{verb}
    mint POST /v{version}/customers/{account}/thirdPartyAppAnalyticsLinks/{link}:regenerateShareableLinkId
    tunnel ANY /batch*
    personal POST /v{version}/customers/{account}/offlineUserDataJobs:{verb}
    personal POST /v{version}/customers/{account}/offlineUserDataJobs/{job}:{verb}
    personal POST /v{version}/customers/{account}:uploadUserData
    personal ANY /v{version}/customers/{account}/localServicesLeads:{verb}
  `,
  parameters: `
    query query on /v{version}/customers/{account}/googleAds:{verb}
    personal body query=*lead_form_submission_data* on /v{version}/customers/{account}/googleAds:{verb}
    personal body query=*local_services_lead* on /v{version}/customers/{account}/googleAds:{verb}
    personal body query=*local_services_employee* on /v{version}/customers/{account}/googleAds:{verb}
    personal body query=*customer_user_access* on /v{version}/customers/{account}/googleAds:{verb}
    personal body query=*user_email* on /v{version}/customers/{account}/googleAds:{verb}
    ${googleParameters}
  `,
  reads: `
    POST /v{v}/customers/{account}/googleAds:search
    POST /v{v}/customers/{account}/googleAds:searchStream
    POST /v{v}/customers/{account}:generateKeywordIdeas
    POST /v{v}/customers/{account}:generateKeywordHistoricalMetrics
    POST /v{v}/customers/{account}:generateKeywordForecastMetrics
    POST /v{v}/customers/{account}:generateAdGroupThemes
    POST /v{v}/customers/{account}:generateReachForecast
    POST /v{v}/customers/{account}:searchAudienceInsightsAttributes
    POST /v{v}/customers/{account}:generateAudienceDefinition
    POST /v{v}/customers/{account}:generateAudienceOverlapInsights
    POST /v{v}/customers/{account}:generateBenchmarksMetrics
    POST /v{v}/customers/{account}:generateCreatorInsights
    POST /v{v}/customers/{account}:generateTrendingInsights
    POST /v{v}/customers/{account}:generateAudienceCompositionInsights
    POST /v{v}/customers/{account}:generateSuggestedTargetingInsights
    POST /v{v}/customers/{account}:generateTargetingSuggestionMetrics
    POST /v{v}/customers/{account}:suggestBrands
    POST /v{v}/customers/{account}:suggestSmartCampaignBudgetOptions
    POST /v{v}/customers/{account}:suggestSmartCampaignAd
    POST /v{v}/customers/{account}:suggestKeywordThemes
    POST /v{v}/customers/{account}:suggestTravelAssets
    POST /v{v}/customers/{account}/recommendations:generate
    POST /v{v}/googleAdsFields:search
    POST /v{v}/geoTargetConstants:suggest
    POST /v{v}/keywordThemeConstants:suggest
    POST /v{v}/audienceInsights:listInsightsEligibleDates
    POST /v{v}:listPlannableLocations
    POST /v{v}:listPlannableProducts
    POST /v{v}:listPlannableUserLists
    POST /v{v}:listPlannableUserInterests
    POST /v{v}:generateConversionRates
    POST /v{v}:listBenchmarksAvailableDates
    POST /v{v}:listBenchmarksLocations
    POST /v{v}:listBenchmarksProducts
    POST /v{v}:listBenchmarksSources
  `,
  headers: ['login-customer-id', 'linked-customer-id', 'x-goog-fieldmask'],
  inject: ({ credential, app, settings }) => ({
    headers: { ...bearer(credential), 'developer-token': app.developerToken ?? '' },
    defaults: { 'login-customer-id': settings.loginCustomerId },
  }),
})
