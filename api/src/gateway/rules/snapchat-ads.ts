import { bearer } from '../../providers/provider.ts'
import { rules } from './rules.ts'

export const snapchatAds = rules({
  hosts: [{ host: 'adsapi.snapchat.com' }],
  versions: ['1'],
  allow: `
    /v{version}/me
    /v{version}/me/organizations
    /v{version}/organizations/{organization}
    /v{version}/organizations/{organization}/adaccounts
    /v{version}/organizations/{organization}/fundingsources
    /v{version}/organizations/{organization}/billingcenters
    /v{version}/organizations/{organization}/catalogs
    /v{version}/adaccounts/{account}
    /v{version}/adaccounts/{account}/campaigns
    /v{version}/adaccounts/{account}/adsquads
    /v{version}/adaccounts/{account}/ads
    /v{version}/adaccounts/{account}/creatives
    /v{version}/adaccounts/{account}/media
    /v{version}/adaccounts/{account}/segments
    /v{version}/adaccounts/{account}/pixels
    /v{version}/adaccounts/{account}/stats
    /v{version}/adaccounts/{account}/targeting_insights
    /v{version}/adaccounts/{account}/audience_size
    /v{version}/adaccounts/{account}/audience_size_v2
    /v{version}/adaccounts/{account}/bid_estimate
    /v{version}/adaccounts/{account}/bid_estimate_v2
    /v{version}/campaigns/{campaign}
    /v{version}/campaigns/{campaign}/*
    /v{version}/adsquads/{squad}
    /v{version}/adsquads/{squad}/*
    /v{version}/ads/{ad}
    /v{version}/ads/{ad}/*
    /v{version}/creatives/{creative}
    /v{version}/creatives/{creative}/*
    /v{version}/segments/{segment}
    /v{version}/segments/{segment}/*
    /v{version}/media/{media}
    /v{version}/pixels/{pixel}
    /v{version}/pixels/{pixel}/*
    /v{version}/catalogs/{catalog}
    /v{version}/catalogs/{catalog}/*
    /v{version}/fundingsources/{source}
    /v{version}/billingcenters/{center}
    /v{version}/targeting/*
  `,
  deny: `
    mint ANY /v{version}/accounts/oauth2/*
    mint ANY /v{version}/login/oauth2/*
    grant POST /v{version}/organizations/{organization}/members*
    grant PUT /v{version}/organizations/{organization}/members*
    grant DELETE /v{version}/organizations/{organization}/members*
    grant POST /v{version}/organizations/{organization}/roles*
    grant PUT /v{version}/organizations/{organization}/roles*
    grant DELETE /v{version}/organizations/{organization}/roles*
    grant POST /v{version}/organizations/{organization}/invites*
    grant PUT /v{version}/organizations/{organization}/invites*
    grant DELETE /v{version}/organizations/{organization}/invites*
    grant POST /v{version}/adaccounts/{account}/roles*
    grant PUT /v{version}/adaccounts/{account}/roles*
    grant DELETE /v{version}/adaccounts/{account}/roles*
    grant ANY /v{version}/segments/{segment}/share*
    grant ANY /v{version}/segments/{segment}/permissions*
    grant ANY /v{version}/pixels/{pixel}/share*
    grant ANY /v{version}/pixels/{pixel}/permissions*
    grant ANY /v{version}/catalogs/{catalog}/share*
    grant ANY /v{version}/catalogs/{catalog}/permissions*
    export POST /v{version}/adaccounts/{account}/lead_gen*
    export PUT /v{version}/adaccounts/{account}/lead_gen*
    personal ANY /v{version}/lead_generation_forms/{form}/leads*
    personal ANY /v{version}/adaccounts/{account}/leads*
    personal ANY /v{version}/segments/{segment}/users*
    personal ANY /v{version}/segments/{segment}/all_users*
    tunnel POST /v1/media/{media}/*
  `,
  parameters: `
    query access_token
  `,
  reads: `
    POST /v1/adaccounts/{account}/targeting_insights
    POST /v1/adaccounts/{account}/audience_size
    POST /v1/adaccounts/{account}/bid_estimate
  `,
  inject: ({ credential }) => ({ headers: bearer(credential) }),
})
