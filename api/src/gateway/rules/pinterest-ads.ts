import { bearer } from '../../providers/provider.ts'
import { rules } from './rules.ts'

export const pinterestAds = rules({
  hosts: [{ host: 'api.pinterest.com' }, { host: 'api-sandbox.pinterest.com', when: ['environment', 'sandbox'] }],
  versions: ['5'],
  allow: `
    /v{version}/ad_accounts
    /v{version}/ad_accounts/{account}
    /v{version}/ad_accounts/{account}/ad_groups
    /v{version}/ad_accounts/{account}/ad_groups/*
    /v{version}/ad_accounts/{account}/ad_previews
    /v{version}/ad_accounts/{account}/ads
    /v{version}/ad_accounts/{account}/ads/*
    /v{version}/ad_accounts/{account}/ads_credit/discounts
    /v{version}/ad_accounts/{account}/advertiser_defined_events
    /v{version}/ad_accounts/{account}/analytics
    /v{version}/ad_accounts/{account}/audience_insights
    /v{version}/ad_accounts/{account}/audiences
    /v{version}/ad_accounts/{account}/audiences/*
    /v{version}/ad_accounts/{account}/bid_floor
    /v{version}/ad_accounts/{account}/billing_profiles
    /v{version}/ad_accounts/{account}/billing_invoices
    /v{version}/ad_accounts/{account}/billing_invoice/{invoice}/download
    /v{version}/ad_accounts/{account}/bulk/*
    /v{version}/ad_accounts/{account}/campaigns
    /v{version}/ad_accounts/{account}/campaigns/*
    /v{version}/ad_accounts/{account}/conversion_eqs
    /v{version}/ad_accounts/{account}/conversion_tags
    /v{version}/ad_accounts/{account}/conversion_tags/*
    /v{version}/ad_accounts/{account}/customer_lists
    /v{version}/ad_accounts/{account}/customer_lists/*
    /v{version}/ad_accounts/{account}/events
    /v{version}/ad_accounts/{account}/msot/events
    /v{version}/ad_accounts/{account}/insights/audiences
    /v{version}/ad_accounts/{account}/keywords
    /v{version}/ad_accounts/{account}/keywords/metrics
    /v{version}/ad_accounts/{account}/labels
    /v{version}/ad_accounts/{account}/lead_forms
    /v{version}/ad_accounts/{account}/lead_forms/*
    /v{version}/ad_accounts/{account}/leads/subscriptions
    /v{version}/ad_accounts/{account}/leads/subscriptions/{subscription}
    /v{version}/ad_accounts/{account}/leads_export
    /v{version}/ad_accounts/{account}/leads_export/{export}
    /v{version}/ad_accounts/{account}/mmm_reports
    /v{version}/ad_accounts/{account}/order_lines
    /v{version}/ad_accounts/{account}/order_lines/{line}
    /v{version}/ad_accounts/{account}/pins/analytics
    /v{version}/ad_accounts/{account}/product_group_promotions
    /v{version}/ad_accounts/{account}/product_group_promotions/{promotion}
    /v{version}/ad_accounts/{account}/product_groups/analytics
    /v{version}/ad_accounts/{account}/promotions
    /v{version}/ad_accounts/{account}/promotions/{promotion}
    /v{version}/ad_accounts/{account}/reports
    /v{version}/ad_accounts/{account}/reports/brand_category_sku
    /v{version}/ad_accounts/{account}/ssio/*
    /v{version}/ad_accounts/{account}/targeting_analytics
    /v{version}/ad_accounts/{account}/targeting_templates
    /v{version}/ad_accounts/{account}/templates
    /v{version}/ad_accounts/{account}/templates/{template}/reports
    /v{version}/ad_accounts/{account}/terms_of_service
    /v{version}/advanced_auction/items/get
    /v{version}/advanced_auction/items/submit
    /v{version}/catalogs
    /v{version}/catalogs/*
    /v{version}/pins
    /v{version}/pins/*
    /v{version}/boards
    /v{version}/boards/*
    /v{version}/media
    /v{version}/media/{media}
    /v{version}/resources/*
    /v{version}/terms/related
    /v{version}/terms/suggested
    /v{version}/trends/*
    /v{version}/user_account
    /v{version}/user_account/businesses
    /v{version}/businesses/{business}/assets
    /v{version}/businesses/{business}/audiences
  `,
  deny: `
    mint ANY /v{version}/oauth/token
    rotate ANY /v{version}/oauth/token/revoke
    mint ANY /v{version}/oauth/conversion_token
    reveal ANY /v{version}/integrations
    reveal ANY /v{version}/integrations/*
    reveal ANY /v{version}/catalogs/feeds
    reveal ANY /v{version}/catalogs/feeds/{feed}
    grant POST /v{version}/businesses/{business}/invites*
    grant PATCH /v{version}/businesses/{business}/invites*
    grant DELETE /v{version}/businesses/{business}/invites*
    grant POST /v{version}/businesses/{business}/members*
    grant PATCH /v{version}/businesses/{business}/members*
    grant DELETE /v{version}/businesses/{business}/members*
    grant POST /v{version}/businesses/{business}/partners*
    grant PATCH /v{version}/businesses/{business}/partners*
    grant DELETE /v{version}/businesses/{business}/partners*
    grant POST /v{version}/businesses/{business}/requests/assets/access
    grant PATCH /v{version}/businesses/{business}/requests/assets/access
    grant DELETE /v{version}/businesses/{business}/requests/assets/access
    grant POST /v{version}/businesses/invites
    grant PATCH /v{version}/businesses/invites
    grant DELETE /v{version}/businesses/invites
    grant POST /v{version}/businesses/{business}/assets/*
    grant PATCH /v{version}/businesses/{business}/assets/*
    grant DELETE /v{version}/businesses/{business}/assets/*
    grant POST /v{version}/businesses/{business}/asset_groups*
    grant PATCH /v{version}/businesses/{business}/asset_groups*
    grant DELETE /v{version}/businesses/{business}/asset_groups*
    grant POST /v{version}/businesses/{business}/audiences*
    grant PATCH /v{version}/businesses/{business}/audiences*
    grant DELETE /v{version}/businesses/{business}/audiences*
    grant PATCH /v{version}/businesses/{business}/system_users/{user}
    grant POST /v{version}/ad_accounts/{account}/audiences/{kind}/shared*
    grant PUT /v{version}/ad_accounts/{account}/audiences/{kind}/shared*
    grant PATCH /v{version}/ad_accounts/{account}/audiences/{kind}/shared*
    grant DELETE /v{version}/ad_accounts/{account}/audiences/{kind}/shared*
    export POST /v{version}/ad_accounts/{account}/leads/subscriptions
    reveal GET /v{version}/ad_accounts/{account}/leads/subscriptions*
    personal ANY /v{version}/ad_accounts/{account}/leads_export*
    personal ANY /v{version}/ad_accounts/{account}/customer_lists*
  `,
  parameters: `
    query access_token
    body partner_access_token
    body partner_refresh_token
  `,
  reads: `
    POST /v5/ad_accounts/{account}/reports
    POST /v5/ad_accounts/{account}/reports/brand_category_sku
    POST /v5/ad_accounts/{account}/templates/{template}/reports
    POST /v5/ad_accounts/{account}/mmm_reports
    POST /v5/ad_accounts/{account}/bulk/download
    POST /v5/ad_accounts/{account}/bid_floor
    POST /v5/ad_accounts/{account}/ad_groups/audience_sizing
    POST /v5/catalogs/items
    POST /v5/catalogs/products/get_by_product_group_filters
    POST /v5/catalogs/reports
    POST /v5/advanced_auction/items/get
    POST /v5/ad_accounts/{account}/leads_export
  `,
  inject: ({ credential }) => ({ headers: bearer(credential) }),
})
