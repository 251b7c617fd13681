import { bearer } from '../../providers/provider.ts'
import { rules } from './rules.ts'

const RESTLI_METHODS: Readonly<Record<string, readonly string[]>> = {
  GET: ['GET', 'BATCH_GET', 'FINDER', 'BATCH_FINDER'],
  POST: ['CREATE', 'BATCH_CREATE', 'PARTIAL_UPDATE', 'BATCH_PARTIAL_UPDATE', 'ACTION'],
  PUT: ['UPDATE', 'BATCH_UPDATE'],
  DELETE: ['DELETE', 'BATCH_DELETE'],
}

export const linkedinAds = rules({
  hosts: [{ host: 'api.linkedin.com' }],
  allow: `
    /rest/adAccounts
    /rest/adAccounts/*
    /rest/adAnalytics
    /rest/adAccountUsers
    /rest/adAccountUsers/*
    /rest/conversionEvents
    /rest/dmpSegments
    /rest/dmpSegments/*
    /rest/audienceCounts
    /rest/mediaPlanning
    /rest/targetingAudienceInsights
    /rest/conversions
    /rest/conversions/*
    /rest/campaignConversions
    /rest/campaignConversions/*
    /rest/leadForms
    /rest/leadForms/*
    /rest/leadFormResponses
    /rest/leadFormResponses/*
    /rest/adBudgetPricing
    /rest/adSupplyForecasts
    /rest/adTargetingFacets*
    /rest/adTargetingEntities*
    /rest/geo*
    /rest/locales*
    /rest/industries*
    /rest/functions*
    /rest/seniorities*
    /rest/skills*
    /rest/titles*
    /rest/iabCategories*
    /rest/posts
    /rest/posts/*
    /rest/images
    /rest/images/*
    /rest/videos
    /rest/videos/*
    /rest/documents
    /rest/documents/*
    /rest/organizations
    /rest/organizations/*
  `,
  deny: `
    mint ANY /oauth/*
    mint ANY /uas/oauth2/*
    mint ANY /v2/accessToken
    reveal ANY /v2/*
    grant POST /rest/adAccountUsers*
    grant PUT /rest/adAccountUsers*
    grant PATCH /rest/adAccountUsers*
    grant DELETE /rest/adAccountUsers*
    grant POST /rest/organizationAcls*
    grant PUT /rest/organizationAcls*
    grant PATCH /rest/organizationAcls*
    grant DELETE /rest/organizationAcls*
    grant POST /rest/organizationalEntityAcls*
    grant PUT /rest/organizationalEntityAcls*
    grant PATCH /rest/organizationalEntityAcls*
    grant DELETE /rest/organizationalEntityAcls*
    export ANY /rest/eventSubscriptions*
    export ANY /rest/leadNotifications*
    personal GET /rest/adAccountUsers*
    personal ANY /rest/leadFormResponses*
    personal ANY /rest/dmpSegments/{segment}/users*
    personal ANY /rest/dmpSegments/{segment}/companies*
    personal ANY /rest/dmpSegments/{segment}/listUploads*
  `,
  parameters: `
    header content-type=*multipart/mixed*
    personal query action=*generateUploadUrl* on /rest/dmpSegments
    personal query any=*~*
    query oauth2_access_token
    query access_token
  `,
  reads: '',
  headers: ['linkedin-version', 'x-restli-protocol-version', 'x-restli-method'],
  readsWhen: [
    {
      row: 'POST /rest/targetingAudienceInsights',
      when: ({ query, headers }) => query.some(([name]) => name === 'action') && /^action$/i.test(headers['x-restli-method'] ?? 'action'),
    },
  ],
  // What a call does is read from its method: the header may only say the same.
  refuses: ({ method, headers }) => {
    const said = headers['x-restli-method']
    const isSame = said === undefined || RESTLI_METHODS[method]?.includes(said.toUpperCase())
    return !isSame && `The header X-RestLi-Method does not go with ${method}. Leave it out, or use the method that it belongs to.`
  },
  inject: ({ credential, version }) => ({
    headers: bearer(credential),
    defaults: { 'LinkedIn-Version': version, 'X-Restli-Protocol-Version': '2.0.0' },
  }),
})
