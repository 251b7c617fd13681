import { bearer } from '../../providers/provider.ts'
import { rules } from './rules.ts'

export const amazonAds = rules({
  hosts: [
    { host: 'advertising-api.amazon.com', when: ['region', 'NA'] },
    { host: 'advertising-api-eu.amazon.com', when: ['region', 'EU'] },
    { host: 'advertising-api-fe.amazon.com', when: ['region', 'FE'] },
  ],
  allow: `
    /v2/profiles
    /v2/profiles/{profile}
    /managerAccounts
    /adsAccounts/list
    /sp/*
    /sb/*
    /sd/*
    /st/*
    /portfolios
    /portfolios/*
    /adsApi/v1/query/{resource}
    /adsApi/v1/create/{resource}
    /adsApi/v1/update/{resource}
    /adsApi/v1/delete/{resource}
    /dsp/*
    /accounts/{dspAccount}/dsp/reports
    /accounts/{dspAccount}/dsp/reports/*
    /reporting/reports
    /reporting/reports/{report}
    /campaigns/export
    /campaigns/exports
    /adGroups/export
    /adGroups/exports
    /ads/export
    /targets/export
    /targets/exports
    /exports/{export}
    /ads/exports
    /mmm/v1/reports
    /mmm/v1/reports/{report}
    /mmm/v1/brandGroups/list
    /audiences/list
    /audiences/taxonomy/list
    /targetableEntities/list
    /targetableEntities/paths/list
    /locations/list
    /eligibility/product/list
    /recommendations/list
    /asins/suggested/keywords
    /insights/{kind}
    /mediaPlan/v1/reachForecasts
    /mediaPlan/v1/deduplicatedReachForecasts
    /diagnostics/campaigns/issues
    /validationConfigurations/{kind}
    /assets
    /assets/search
    /bp/v2/posts
    /bp/v2/posts/*
    /billingStatements
    /billingStatements/{statement}
    /billing/paymentMethods/list
    /billing/paymentAgreements/list
    /billingProfiles/list
    /billingProfileUsages/list
    /v2/sp/{recordType}/report
    /v2/hsa/{recordType}/report
    /v2/sp/{recordType}/snapshot
    /v2/hsa/{recordType}/snapshot
    /v2/sd/{recordType}/snapshot
    /v2/reports/{report}
    /v2/reports/{report}/download
  `,
  deny: `
    grant POST /managerAccounts
    grant POST /managerAccounts/{manager}/associate
    rotate POST /managerAccounts/{manager}/disassociate
    grant ANY /userPermissions*
    grant ANY /user-permissions*
    grant ANY /userRoles*
    grant ANY /users*
    grant ANY /user-invitations*
    export ANY /streams/subscriptions*
    export ANY /adsApi/v1/{verb}/streamSubscriptions*
    export ANY /dataProvider/*
    export ANY /amc/*
    export ANY /avc/*
    grant POST /adsApi/v1/create/advertiserAccounts
    grant POST /adsApi/v1/update/advertiserAccounts
    grant POST /adsApi/v1/delete/advertiserAccounts
    grant ANY /adsApi/v1/{verb}/user*
    grant ANY /adsApi/v1/{verb}/managerAccounts*
    grant POST /adsApi/v1/create/sellingAccounts
    grant POST /adsApi/v1/update/sellingAccounts
    grant POST /adsApi/v1/delete/sellingAccounts
    grant POST /testAccounts*
    grant PUT /dsp/inventory/deals/{deal}/advertiserPermissions*
    grant PATCH /dsp/inventory/deals/{deal}/advertiserPermissions*
    grant DELETE /dsp/inventory/deals/{deal}/advertiserPermissions*
    grant POST /dsp/inventory/deals/{deal}/advertiserPermissions
    grant POST /dsp/inventory/deals/{deal}/advertiserPermissions/{list}
    mint ANY /auth/o2/*
    mint ANY /user/profile
    personal ANY /dp/*
    personal ANY /dsp/audiences/edit*
  `,
  parameters: `
  `,
  reads: `
    POST /sp/{resource}/list
    POST /sp/{resource}/{sub}/list
    POST /sb/v4/{resource}/list
    POST /sb/{resource}/list
    POST /sb/beta/{resource}/list
    POST /st/{resource}/list
    POST /portfolios/list
    POST /dsp/{resource}/list
    POST /dsp/v1/{resource}/list
    POST /dsp/v1/{resource}/{sub}/list
    POST /dsp/v1/{resource}/{sub}/{sub2}/list
    POST /dsp/inventory/{resource}/list
    POST /dsp/inventory/deals/{sub}/list
    POST /dsp/rules/bidmodifier/list
    POST /dsp/rules/bidmodifier/{rule}/associations/list
    POST /dsp/rules/bidmodifier/{rule}/associations/validate
    POST /dsp/inventory/deals/{deal}/advertiserPermissions/recommendedAdvertiser/list
    POST /dsp/v1/{resource}/{sub}/{sub2}/{sub3}/list
    POST /st/{resource}/{sub}/{sub2}/list
    POST /audiences/list
    POST /audiences/taxonomy/list
    POST /targetableEntities/list
    POST /targetableEntities/paths/list
    POST /locations/list
    POST /eligibility/product/list
    POST /recommendations/list
    POST /mmm/v1/brandGroups/list
    POST /bp/v2/posts/list
    POST /adsApi/v1/query/{resource}
    POST /reporting/reports
    POST /accounts/{dspAccount}/dsp/reports
    POST /dsp/reports
    POST /mmm/v1/reports
    POST /billingStatements
    POST /{level}/export
    POST /{level}/exports
    POST /v2/sp/{recordType}/report
    POST /v2/hsa/{recordType}/report
    POST /sd/{recordType}/report
    POST /v2/sp/{recordType}/snapshot
    POST /v2/hsa/{recordType}/snapshot
    POST /v2/sd/{recordType}/snapshot
    POST /sp/campaigns/budget/usage
    POST /sb/campaigns/budget/usage
    POST /sd/campaigns/budget/usage
    POST /portfolios/budget/usage
    POST /sp/targets/bid/recommendations
    POST /sp/targets/categories/recommendations
    POST /sp/targets/keywords/recommendations
    POST /sp/targets/products/recommendations
    POST /sp/targets/products/count
    POST /sp/targeting/recommendations/keywordGroups
    POST /sp/targetPromotionGroups/recommendations
    POST /sp/rules/campaignOptimization/eligibility
    POST /sb/recommendations/{kind}
    POST /sb/recommendations/targets/{kind}
    POST /sb/campaigns/budgetRecommendations
    POST /sb/campaigns/budgetRules/recommendations
    POST /sb/campaigns/insights
    POST /sb/targets/products/count
    POST /dsp/campaigns/targetKpi/recommendations
    POST /asins/suggested/keywords
    POST /insights/{kind}
    POST /mediaPlan/v1/reachForecasts
    POST /mediaPlan/v1/deduplicatedReachForecasts
    POST /diagnostics/campaigns/issues
    POST /assets/search
    POST /dsp/v1/adCreatives/preview
    POST /dsp/creatives/{kind}/preview
    POST /sd/creatives/preview
    POST /validationConfigurations/{kind}
    POST /adsAccounts/list
    POST /billing/paymentMethods/list
    POST /billing/paymentAgreements/list
    POST /billingProfiles/list
    POST /billingProfileUsages/list
    POST /dsp/v1/quickactions/batchGetExecutions
    POST /sb/v4/legacyCampaigns/migrationJob/{view}
  `,
  headers: ['amazon-advertising-api-scope', 'amazon-ads-accountid', 'amazon-advertising-api-manageraccount', 'prefer'],
  inject: ({ credential, app, settings }) => ({
    headers: { ...bearer(credential), 'Amazon-Advertising-API-ClientId': app.clientId ?? '' },
    defaults: { 'Amazon-Advertising-API-Scope': settings.profileId },
  }),
})
