import { bearer } from '../../providers/provider.ts'
import { googleParameters } from './google.ts'
import { rules } from './rules.ts'

export const campaignManager360 = rules({
  hosts: [{ host: 'dfareporting.googleapis.com' }],
  versions: ['5'],
  allow: `
    /dfareporting/v{version}/userprofiles
    /dfareporting/v{version}/userprofiles/{account}
    /dfareporting/v{version}/userprofiles/{account}/advertisers*
    /dfareporting/v{version}/userprofiles/{account}/campaigns*
    /dfareporting/v{version}/userprofiles/{account}/placements*
    /dfareporting/v{version}/userprofiles/{account}/placementGroups*
    /dfareporting/v{version}/userprofiles/{account}/reports*
    /dfareporting/v{version}/userprofiles/{account}/conversions/*
    /dfareporting/v{version}/userprofiles/{account}/dimensionvalues/query
    /dfareporting/v{version}/userprofiles/{account}/floodlightActivities*
    /dfareporting/v{version}/userprofiles/{account}/accountActiveAdSummaries/*
    /dfareporting/v{version}/userprofiles/{account}/accounts*
    /dfareporting/v{version}/userprofiles/{account}/ads*
    /dfareporting/v{version}/userprofiles/{account}/advertiserGroups*
    /dfareporting/v{version}/userprofiles/{account}/advertiserLandingPages*
    /dfareporting/v{version}/userprofiles/{account}/billingProfiles*
    /dfareporting/v{version}/userprofiles/{account}/changeLogs*
    /dfareporting/v{version}/userprofiles/{account}/creativeFields*
    /dfareporting/v{version}/userprofiles/{account}/creativeGroups*
    /dfareporting/v{version}/userprofiles/{account}/creatives*
    /dfareporting/v{version}/userprofiles/{account}/dynamicTargetingKeys*
    /dfareporting/v{version}/userprofiles/{account}/eventTags*
    /dfareporting/v{version}/userprofiles/{account}/files*
    /dfareporting/v{version}/userprofiles/{account}/floodlightActivityGroups*
    /dfareporting/v{version}/userprofiles/{account}/placementStrategies*
    /dfareporting/v{version}/userprofiles/{account}/remarketingLists*
    /dfareporting/v{version}/userprofiles/{account}/remarketingListShares*
    /dfareporting/v{version}/userprofiles/{account}/sites*
    /dfareporting/v{version}/userprofiles/{account}/subaccounts*
    /dfareporting/v{version}/userprofiles/{account}/targetableRemarketingLists*
    /dfareporting/v{version}/userprofiles/{account}/targetingTemplates*
    /dfareporting/v{version}/userprofiles/{account}/tvCampaignDetails/*
    /dfareporting/v{version}/userprofiles/{account}/tvCampaignSummaries*
    /dfareporting/v{version}/userprofiles/{account}/browsers*
    /dfareporting/v{version}/userprofiles/{account}/cities*
    /dfareporting/v{version}/userprofiles/{account}/connectionTypes*
    /dfareporting/v{version}/userprofiles/{account}/contentCategories*
    /dfareporting/v{version}/userprofiles/{account}/countries*
    /dfareporting/v{version}/userprofiles/{account}/directorySites*
    /dfareporting/v{version}/userprofiles/{account}/languages*
    /dfareporting/v{version}/userprofiles/{account}/metros*
    /dfareporting/v{version}/userprofiles/{account}/mobileApps*
    /dfareporting/v{version}/userprofiles/{account}/mobileCarriers*
    /dfareporting/v{version}/userprofiles/{account}/operatingSystems*
    /dfareporting/v{version}/userprofiles/{account}/operatingSystemVersions*
    /dfareporting/v{version}/userprofiles/{account}/platformTypes*
    /dfareporting/v{version}/userprofiles/{account}/postalCodes*
    /dfareporting/v{version}/userprofiles/{account}/regions*
    /dfareporting/v{version}/userprofiles/{account}/sizes*
    /dfareporting/v{version}/userprofiles/{account}/videoFormats*
    /dfareporting/v{version}/userprofiles/{account}/userRoles*
    /dfareporting/v{version}/userprofiles/{account}/accountUserProfiles*
    /dfareporting/v{version}/reports/{report}/files/{file}
    /dfareporting/v{version}/studio/creatives*
  `,
  deny: `
    grant POST /dfareporting/v{version}/userprofiles/{account}/accountUserProfiles*
    grant PUT /dfareporting/v{version}/userprofiles/{account}/accountUserProfiles*
    grant PATCH /dfareporting/v{version}/userprofiles/{account}/accountUserProfiles*
    grant DELETE /dfareporting/v{version}/userprofiles/{account}/accountUserProfiles*
    personal GET /dfareporting/v{version}/userprofiles/{account}/accountUserProfiles*
    personal GET /dfareporting/v{version}/userprofiles/{account}/changeLogs*
    grant POST /dfareporting/v{version}/userprofiles/{account}/userRoles*
    grant PUT /dfareporting/v{version}/userprofiles/{account}/userRoles*
    grant PATCH /dfareporting/v{version}/userprofiles/{account}/userRoles*
    grant DELETE /dfareporting/v{version}/userprofiles/{account}/userRoles*
    grant POST /dfareporting/v{version}/userprofiles/{account}/remarketingListShares*
    grant PUT /dfareporting/v{version}/userprofiles/{account}/remarketingListShares*
    grant PATCH /dfareporting/v{version}/userprofiles/{account}/remarketingListShares*
    grant DELETE /dfareporting/v{version}/userprofiles/{account}/remarketingListShares*
    reveal ANY /dfareporting/v{version}/userprofiles/{account}/floodlightConfigurations*
    tunnel ANY /batch*
    tunnel ANY /upload/*
  `,
  parameters: `
    body delivery.recipients on /dfareporting/v{version}/userprofiles/{account}/reports*
    query uploadType
    ${googleParameters}
  `,
  reads: `
    POST /dfareporting/v5/userprofiles/{account}/dimensionvalues/query
    POST /dfareporting/v5/userprofiles/{account}/reports/compatiblefields/query
    POST /dfareporting/v5/userprofiles/{account}/reports/{report}/run
    POST /dfareporting/v5/userprofiles/{account}/placements/generatetags
    POST /dfareporting/v5/userprofiles/{account}/floodlightActivities/generatetag
  `,
  inject: ({ credential }) => ({ headers: bearer(credential) }),
})
