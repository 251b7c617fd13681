import type { Fence } from './fence.ts'

/** The ad account is in the path, or in the query of calls that else act for the login's own user. */
export const pinterestAdsFence: Fence = {
  kinds: ['account'],
  id: /^[0-9]{1,18}$/,
  locate: [
    { in: 'path', at: ['/v5/ad_accounts/{account}/*', '/v5/ad_accounts/{account}'] },
    {
      in: 'query',
      at: ['ad_account_id'],
      required: true,
      on: ['/v5/boards*', '/v5/pins*', '/v5/catalogs*', '/v5/advanced_auction/*', '/v5/search/*', '/v5/user_account*', '/v5/media*'],
    },
    { in: 'query', at: ['ad_account_id'], role: 'extra' },
    {
      in: 'body',
      at: ['**.ad_account_id', '**.ad_account_ids', '**.advertiser_id', '**.recipient_account_ids', '**.recipient_business_ids'],
      role: 'extra',
    },
  ],
  neutral: `
    GET /v5/resources/ad_account_countries
    GET /v5/resources/delivery_metrics
    GET /v5/resources/lead_form_questions
    GET /v5/resources/metrics_ready_state
    GET /v5/resources/targeting/*
    GET /v5/terms/related
    GET /v5/terms/suggested
    GET /v5/trends/*
  `,
  blind: `
    GET /v5/ad_accounts
    POST /v5/ad_accounts
    ANY /v5/businesses/*
    ANY /v5/business_access/*
    ANY /v5/user_account/businesses
    ANY /v5/user_account/websites*
    POST /v5/user_account/following/*
    GET /v5/search/partner/pins
    GET /v5/users/*
    POST /v5/notifications
  `,
}
