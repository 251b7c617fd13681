import { bearer } from '../../providers/provider.ts'
import { rules } from './rules.ts'

export const adform = rules({
  hosts: [{ host: 'api.adform.com' }],
  allow: `
    /v1/buyer/advertisers
    /v1/buyer/advertisers/*
    /v1/buyer/campaigns
    /v1/buyer/campaigns/*
    /v1/buyer/stats
    /v1/buyer/stats/data
    /v1/buyer/stats/data/{report}
    /v1/buyer/stats/operations/{operation}
    /v1/seller/stats/data
    /v1/seller/stats/data/{report}
    /v1/seller/stats/operations/{operation}
    /v1/reportingstats/agency/reportdata
  `,
  deny: `
    mint ANY /Services/Security/*
    mint ANY /sts/*
    grant ANY /v{version}/{area}/users*
    grant ANY /v{version}/{area}/permissions*
    grant ANY /v{version}/{area}/{object}/{id}/users*
    grant ANY /v{version}/{area}/{object}/{id}/permissions*
    grant ANY /v{version}/users*
    grant ANY /v{version}/permissions*
    reveal ANY /v{version}/buyer/masterdata*
    tunnel ANY /graphql*
    tunnel ANY /v1/buyer/masterdata*
  `,
  parameters: `
    query access_token
  `,
  reads: `
    POST /v1/buyer/stats/data
    POST /v1/buyer/stats
    POST /v1/reportingstats/agency/reportdata
  `,
  headers: ['return-total-count'],
  inject: ({ credential }) => ({ headers: bearer(credential) }),
})
