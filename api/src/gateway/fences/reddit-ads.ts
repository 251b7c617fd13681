import type { Fence } from './fence.ts'

const API = '/api/v3'

/** Lists, new objects and reports carry the ad account in the path; what belongs to a business is closed. */
export const redditAdsFence: Fence = {
  kinds: ['account'],
  id: /^[at]2_[a-z0-9]+$/,
  locate: [
    { in: 'path', at: [`${API}/ad_accounts/{account}/*`, `${API}/ad_accounts/{account}`] },
    { in: 'body', at: ['data.ad_account_id'], required: true, on: [`${API}/forecasting/bid_suggestions`] },
    { in: 'query', at: ['ad_account_id'], required: true, on: [`${API}/feature_access`] },
    { in: 'body', at: ['**.ad_account_id', '**.ad_account_ids'], role: 'extra' },
    { in: 'query', at: ['ad_account_id', 'ad_account_ids'], split: ',', role: 'extra' },
  ],
  neutral: `
    GET ${API}/targeting/*
    GET ${API}/industries
    GET ${API}/time_zones
    GET ${API}/channel_planning/reach
    POST ${API}/targeting/geolocations_validations
    POST ${API}/targeting/keyword_suggestions
    POST ${API}/targeting/keyword_validations
  `,
  blind: `
    ANY ${API}/businesses/*
    GET ${API}/me
    GET ${API}/me/businesses
    ANY ${API}/pixels/*
    ANY ${API}/product_catalogs/*
    ANY ${API}/product_feeds/*
    ANY ${API}/product_sets/*
    ANY ${API}/catalog_imports/*
    ANY ${API}/profiles/*
    ANY ${API}/posts/*
    ANY ${API}/structured_posts/*
    GET ${API}/creative_assets/*
    GET ${API}/funding_instruments/*
    GET ${API}/apps/*
    GET ${API}/data_deletion_jobs/*
  `,
  objects: `
    ${API}/campaigns/{id}
    ${API}/ad_groups/{id}
    ${API}/ads/{id}
    ${API}/custom_audiences/{id}
    ${API}/custom_audiences/{id}/*
    ${API}/saved_audiences/{id}
    ${API}/lead_gen_forms/{id}
  `,
}
