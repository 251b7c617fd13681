import { bearer } from '../../providers/provider.ts'
import { introduction } from '../../providers/reddit-ads.ts'
import { rules } from './rules.ts'

export const redditAds = rules({
  hosts: [{ host: 'ads-api.reddit.com' }],
  versions: ['3'],
  allow: `
    /api/v{version}/me
    /api/v{version}/me/businesses
    /api/v{version}/businesses/{business}
    /api/v{version}/businesses/{business}/ad_accounts
    /api/v{version}/businesses/{business}/ad_accounts/query
    /api/v{version}/businesses/{business}/funding_instruments/query
    /api/v{version}/businesses/{business}/pixels
    /api/v{version}/businesses/{business}/product_catalogs
    /api/v{version}/businesses/{business}/profiles
    /api/v{version}/ad_accounts/{account}
    /api/v{version}/ad_accounts/{account}/ad_groups
    /api/v{version}/ad_accounts/{account}/ads
    /api/v{version}/ad_accounts/{account}/apps
    /api/v{version}/ad_accounts/{account}/campaigns
    /api/v{version}/ad_accounts/{account}/custom_audiences
    /api/v{version}/ad_accounts/{account}/funding_instruments
    /api/v{version}/ad_accounts/{account}/lead_gen_forms
    /api/v{version}/ad_accounts/{account}/pixels
    /api/v{version}/ad_accounts/{account}/profiles
    /api/v{version}/ad_accounts/{account}/reports
    /api/v{version}/ad_accounts/{account}/saved_audiences
    /api/v{version}/ad_groups/{adGroup}
    /api/v{version}/ads/{ad}
    /api/v{version}/campaigns/{campaign}
    /api/v{version}/apps/{app}/*
    /api/v{version}/creative_assets/{asset}
    /api/v{version}/custom_audiences/{audience}
    /api/v{version}/custom_audiences/{audience}/users
    /api/v{version}/saved_audiences/{audience}
    /api/v{version}/lead_gen_forms/{form}
    /api/v{version}/pixels/{pixel}/*
    /api/v{version}/posts/{post}
    /api/v{version}/structured_posts/*
    /api/v{version}/profiles/{profile}
    /api/v{version}/profiles/{profile}/*
    /api/v{version}/product_catalogs/*
    /api/v{version}/product_feeds/{feed}
    /api/v{version}/product_sets/*
    /api/v{version}/catalog_imports/*
    /api/v{version}/funding_instruments/{instrument}/allocations
    /api/v{version}/forecasting/bid_suggestions
    /api/v{version}/channel_planning/reach
    /api/v{version}/industries
    /api/v{version}/time_zones
    /api/v{version}/targeting/*
    /api/v{version}/feature_access
  `,
  deny: `
    mint ANY /api/v1/*
    reveal POST /api/v{version}/ad_accounts/{account}/history
    rotate POST /api/v{version}/ad_accounts/{account}/data_deletion_jobs
    personal ANY /api/v{version}/custom_audiences/{audience}/users
  `,
  parameters: `
  `,
  reads: `
    POST /api/v3/ad_accounts/{account}/reports
    POST /api/v3/businesses/{business}/ad_accounts/query
    POST /api/v3/businesses/{business}/funding_instruments/query
    POST /api/v3/forecasting/bid_suggestions
    POST /api/v3/targeting/geolocations_validations
    POST /api/v3/targeting/keyword_suggestions
    POST /api/v3/targeting/keyword_validations
  `,
  inject: ({ credential, app }) => ({ headers: { ...bearer(credential), ...introduction({ app }) } }),
})
