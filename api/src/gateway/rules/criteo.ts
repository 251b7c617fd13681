import { bearer } from '../../providers/provider.ts'
import { rules } from './rules.ts'

export const criteo = rules({
  hosts: [{ host: 'api.criteo.com' }],
  versions: ['2026-01', '2026-07'],
  allow: `
    /{version}/advertisers/me
    /{version}/statistics/report
    /{version}/placements/report
    /{version}/transactions/report
    /{version}/log-level/advertisers/{account}/report
    /{version}/marketing-solutions/me
    /{version}/marketing-solutions/campaigns
    /{version}/marketing-solutions/campaigns/*
    /{version}/marketing-solutions/ad-sets
    /{version}/marketing-solutions/ad-sets/*
    /{version}/marketing-solutions/ads/*
    /{version}/marketing-solutions/creatives/*
    /{version}/marketing-solutions/advertisers/{account}/*
    /{version}/marketing-solutions/audiences
    /{version}/marketing-solutions/audiences/*
    /{version}/marketing-solutions/audience-segments
    /{version}/marketing-solutions/audience-segments/*
    /{version}/marketing-solutions/product-sets
    /{version}/marketing-solutions/product-sets/*
    /{version}/marketing-solutions/dataset/{dataset}/product-boost
    /{version}/marketing-solutions/marketplace-performance-outcomes/*
    /{version}/retail-media/me
    /{version}/retail-media/accounts
    /{version}/retail-media/accounts/*
    /{version}/retail-media/account-management/accounts/{account}/brands/*
    /{version}/retail-media/account-management/accounts/{account}/private-market-child-accounts
    /{version}/retail-media/account-management/accounts/{account}/sellers
    /{version}/retail-media/assets
    /{version}/retail-media/auction-line-items/*
    /{version}/retail-media/audience-segments/*
    /{version}/retail-media/balances/*
    /{version}/retail-media/billing/partner-report
    /{version}/retail-media/billing/partner-report/*
    /{version}/retail-media/brands/search
    /{version}/retail-media/campaigns/*
    /{version}/retail-media/catalogs/*
    /{version}/retail-media/categories
    /{version}/retail-media/categories/*
    /{version}/retail-media/line-items/*
    /{version}/retail-media/preferred-line-items/*
    /{version}/retail-media/reports/*
    /{version}/retail-media/retailers/*
    /{version}/commerce-grid/me
    /{version}/commerce-grid/audience-segments
    /{version}/commerce-grid/audience-segments/*
  `,
  deny: `
    mint ANY /oauth2/*
    grant POST /{version}/retail-media/accounts/{account}/grant-consent
    grant POST /{version}/retail-media/accounts/{account}/balances*
    grant PATCH /{version}/retail-media/accounts/{account}/balances*
    grant POST /{version}/balances/{balance}/add-funds
    grant POST /{version}/retail-media/balances/{balance}/add-funds
    grant POST /{version}/retail-media/account-management/accounts/{account}/create-brand-account
    grant POST /{version}/retail-media/account-management/accounts/{account}/create-seller-account
    tunnel ANY /preview/*
    tunnel ANY /experimental/*
    personal ANY /{version}/marketing-solutions/audience-segments/{segment}/contact-list*
    personal ANY /{version}/retail-media/audience-segments/{segment}/contact-list*
    personal ANY /{version}/retail-media/accounts/{account}/audience-segments/{segment}/contact-list*
    personal ANY /{version}/commerce-grid/audience-segments/{segment}/contact-list*
    personal POST /{version}/log-level/advertisers/{account}/report
  `,
  parameters: `
    body client_secret
    body client_id
    body grant_type
  `,
  reads: `
    POST /{v}/marketing-solutions/campaigns/search
    POST /{v}/marketing-solutions/ad-sets/search
    POST /{v}/marketing-solutions/audiences/search
    POST /{v}/marketing-solutions/audience-segments/search
    POST /{v}/retail-media/accounts/{account}/{resource}/search
    POST /{v}/retail-media/accounts/fees/search
    POST /{v}/retail-media/accounts/sellers/search
    POST /{v}/retail-media/brands/search
    POST /{v}/retail-media/retailers/{retailer}/categories/search
    POST /{v}/statistics/report
    POST /{v}/placements/report
    POST /{v}/transactions/report
    POST /{v}/log-level/advertisers/{account}/report
    POST /{v}/retail-media/reports/{kind}
    POST /{v}/retail-media/reports/sync/{kind}
    POST /{v}/retail-media/billing/partner-report
    POST /{v}/marketing-solutions/audiences/compute-sizes
    POST /{v}/marketing-solutions/audiences/estimate-size
    POST /{v}/marketing-solutions/audience-segments/compute-sizes
    POST /{v}/marketing-solutions/audience-segments/estimate-size
    POST /{v}/marketing-solutions/creatives/{id}/preview
    POST /{v}/retail-media/retailers/{retailer}/cpc-min-bids
    POST /{v}/retail-media/retailers/{retailer}/recommend-categories
    POST /{v}/retail-media/retailers/{retailer}/recommend-keywords
    POST /{v}/retail-media/accounts/{account}/catalogs
    POST /{v}/retail-media/accounts/{account}/catalogs/sellers
    POST /{v}/retail-media/accounts/{account}/brand-catalog-export
    POST /{v}/retail-media/accounts/{account}/seller-catalog-export
  `,
  inject: ({ credential }) => ({ headers: bearer(credential) }),
})
