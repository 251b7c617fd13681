import { bearer } from '../../providers/provider.ts'
import { googleParameters } from './google.ts'
import { rules } from './rules.ts'

export const googleAdManager = rules({
  hosts: [{ host: 'admanager.googleapis.com' }],
  versions: ['1'],
  allow: `
    /v{version}/networks
    /v{version}/networks/{account}
    /v{version}/networks/{account}/adUnits*
    /v{version}/networks/{account}/adUnitSizes*
    /v{version}/networks/{account}/bandwidthGroups*
    /v{version}/networks/{account}/companies*
    /v{version}/networks/{account}/customFields*
    /v{version}/networks/{account}/customTargetingKeys*
    /v{version}/networks/{account}/customTargetingValues*
    /v{version}/networks/{account}/deviceCategories*
    /v{version}/networks/{account}/entitySignalsMappings*
    /v{version}/networks/{account}/geoTargets*
    /v{version}/networks/{account}/operatingSystems*
    /v{version}/networks/{account}/operatingSystemVersions*
    /v{version}/networks/{account}/operations/reports/runs/{run}
    /v{version}/networks/{account}/orders*
    /v{version}/networks/{account}/placements*
    /v{version}/networks/{account}/privateAuctionDeals*
    /v{version}/networks/{account}/privateAuctions*
    /v{version}/networks/{account}/programmaticBuyers*
    /v{version}/networks/{account}/reports*
    /v{version}/networks/{account}/roles*
    /v{version}/networks/{account}/taxonomyCategories*
    /v{version}/networks/{account}/users/me
    /v{version}/networks/{account}/adRules*
    /v{version}/networks/{account}/adSpots*
    /v{version}/networks/{account}/creativeSets*
    /v{version}/networks/{account}/creativeWrappers*
    /v{version}/networks/{account}/linkedDevices*
    /v{version}/networks/{account}/content/{content}
    /v{version}/networks/{account}/liveStreamEventsByAssetKey/*
    /v{version}/networks/{account}/applications*
    /v{version}/networks/{account}/audienceSegments*
    /v{version}/networks/{account}/browsers*
    /v{version}/networks/{account}/browserLanguages*
    /v{version}/networks/{account}/cmsMetadataKeys*
    /v{version}/networks/{account}/cmsMetadataValues*
    /v{version}/networks/{account}/contacts*
    /v{version}/networks/{account}/content
    /v{version}/networks/{account}/contentBundles*
    /v{version}/networks/{account}/contentLabels*
    /v{version}/networks/{account}/creativeTemplates*
    /v{version}/networks/{account}/deviceCapabilities*
    /v{version}/networks/{account}/deviceManufacturers*
    /v{version}/networks/{account}/labels*
    /v{version}/networks/{account}/lineItems*
    /v{version}/networks/{account}/mcmEarnings*
    /v{version}/networks/{account}/mobileCarriers*
    /v{version}/networks/{account}/mobileDevices*
    /v{version}/networks/{account}/mobileDeviceSubmodels*
    /v{version}/networks/{account}/sites*
    /v{version}/networks/{account}/teams*
    /v{version}/networks/{account}/webProperties*
  `,
  deny: `
    reveal ANY /v{version}/networks/{account}/cdnConfigs*
    reveal ANY /v{version}/networks/{account}/daiAuthenticationKeys*
    grant POST /v{version}/networks/{account}/users*
    grant PATCH /v{version}/networks/{account}/users*
    grant PUT /v{version}/networks/{account}/users*
    grant DELETE /v{version}/networks/{account}/users*
    grant POST /v{version}/networks/{account}/roles*
    grant PATCH /v{version}/networks/{account}/roles*
    grant PUT /v{version}/networks/{account}/roles*
    grant DELETE /v{version}/networks/{account}/roles*
    grant POST /v{version}/networks/{account}/teams*
    grant PATCH /v{version}/networks/{account}/teams*
    grant PUT /v{version}/networks/{account}/teams*
    grant DELETE /v{version}/networks/{account}/teams*
    tunnel ANY /batch*
    personal ANY /v{version}/networks/{account}/contacts*
  `,
  parameters: `
    body **.scheduleOptions on /v{version}/networks/{account}/reports*
    body **.visibility on /v{version}/networks/{account}/reports*
    ${googleParameters}
  `,
  reads: `
    POST /v1/networks/{account}/reports/{report}:run
  `,
  inject: ({ credential }) => ({ headers: bearer(credential) }),
})
