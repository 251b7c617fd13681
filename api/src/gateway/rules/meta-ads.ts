import { appSecretProof } from '../../providers/meta-ads.ts'
import { bearer } from '../../providers/provider.ts'
import { showsPeople, showsTokens } from './meta-names.ts'
import { rules } from './rules.ts'

export const metaAds = rules({
  hosts: [{ host: 'graph.facebook.com' }],
  versions: ['24.0', '25.0', '26.0'],
  allow: `
    /v{version}/
    /v{version}/search
    /v{version}/me
    /v{version}/me/adaccounts
    /v{version}/me/businesses
    /v{version}/act_{account}
    /v{version}/act_{account}/campaigns
    /v{version}/act_{account}/adsets
    /v{version}/act_{account}/ads
    /v{version}/act_{account}/adcreatives
    /v{version}/act_{account}/adimages
    /v{version}/act_{account}/advideos
    /v{version}/act_{account}/insights
    /v{version}/act_{account}/customaudiences
    /v{version}/act_{account}/saved_audiences
    /v{version}/act_{account}/adspixels
    /v{version}/act_{account}/customconversions
    /v{version}/act_{account}/adrules_library
    /v{version}/act_{account}/activities
    /v{version}/act_{account}/message_campaign
    /v{version}/act_{account}/reachfrequencypredictions
    /v{version}/act_{account}/delivery_estimate
    /v{version}/act_{account}/generatepreviews
    /v{version}/act_{account}/adlabels
    /v{version}/act_{account}/account_controls
    /v{version}/act_{account}/adplayables
    /v{version}/act_{account}/ad_place_page_sets
    /v{version}/act_{account}/advertisable_applications
    /v{version}/act_{account}/applications
    /v{version}/act_{account}/broadtargetingcategories
    /v{version}/act_{account}/campaignsbylabels
    /v{version}/act_{account}/adsetsbylabels
    /v{version}/act_{account}/adsbylabels
    /v{version}/act_{account}/adcreativesbylabels
    /v{version}/act_{account}/connected_instagram_accounts
    /v{version}/act_{account}/instagram_accounts
    /v{version}/act_{account}/customaudiencestos
    /v{version}/act_{account}/ios_fourteen_campaign_limits
    /v{version}/act_{account}/max_bid
    /v{version}/act_{account}/minimum_budgets
    /v{version}/act_{account}/promote_pages
    /v{version}/act_{account}/publisher_block_lists
    /v{version}/act_{account}/reachestimate
    /v{version}/act_{account}/recommendations
    /v{version}/act_{account}/targetingbrowse
    /v{version}/act_{account}/targetingsearch
    /v{version}/act_{account}/targetingsentencelines
    /v{version}/act_{account}/targetingsuggestions
    /v{version}/act_{account}/targetingvalidation
    /v{version}/act_{account}/tracking
    /v{version}/act_{account}/value_rule_set
    /v{version}/act_{account}/ads_reporting_mmm_reports
    /v{version}/act_{account}/ads_volume
    /v{version}/act_{account}/adcloudplayables
    /v{version}/act_{account}/async_requests
    /v{version}/act_{account}/audience_funnel
    /v{version}/act_{account}/conversion_goals
    /v{version}/act_{account}/deprecatedtargetingadsets
    /v{version}/act_{account}/dsa_recommendations
    /v{version}/act_{account}/impacting_ad_studies
    /v{version}/act_{account}/matched_search_applications
    /v{version}/act_{account}/message_delivery_estimate
    /v{version}/act_{account}/product_audiences
    /v{version}/act_{account}/value_rule_set_translation
    /v{version}/act_{account}/video_ads
    /v{version}/{node}
    /v{version}/{node}/insights
    /v{version}/{node}/copies
    /v{version}/{node}/adsets
    /v{version}/{node}/ads
    /v{version}/{node}/adcreatives
    /v{version}/{node}/previews
    /v{version}/{node}/preview
    /v{version}/{node}/events
    /v{version}/{node}/leads
    /v{version}/{node}/users
    /v{version}/{node}/budget_schedules
    /v{version}/{node}/adlabels
    /v{version}/{node}/delivery_estimate
    /v{version}/{node}/targetingsentencelines
    /v{version}/{node}/activities
    /v{version}/{node}/adrules_governed
    /v{version}/{node}/ad_studies
    /v{version}/{node}/adrules_history
    /v{version}/{node}/execute
    /v{version}/{node}/history
    /v{version}/{node}/stats
    /v{version}/{node}/usersreplace
    /v{version}/{node}/sessions
    /v{version}/{node}/thumbnails
    /v{version}/{node}/captions
    /v{version}/{node}/adaccounts
    /v{version}/{node}/owned_ad_accounts
    /v{version}/{node}/client_ad_accounts
    /v{version}/{node}/business_invoices
    /v{version}/{node}/owned_pixels
    /v{version}/{node}/client_pixels
    /v{version}/{node}/owned_product_catalogs
    /v{version}/{node}/client_product_catalogs
    /v{version}/{node}/products
    /v{version}/{node}/product_sets
    /v{version}/{node}/product_feeds
    /v{version}/{node}/product_groups
    /v{version}/{node}/diagnostics
  `,
  deny: `
    mint ANY /oauth*
    mint ANY /v{version}/oauth/access_token
    mint ANY /v{version}/oauth/client_code
    rotate ANY /v{version}/oauth/revoke
    mint ANY /v{version}/oauth*
    reveal ANY /v{version}/debug_token
    reveal ANY /v{version}/me/accounts*
    reveal ANY /v{version}/{user}/accounts*
    mint ANY /v{version}/{systemUser}/access_tokens
    mint ANY /v{version}/{business}/access_token
    grant POST /v{version}/{systemUser}/applications
    grant DELETE /v{version}/{systemUser}/applications
    grant POST /v{version}/{business}/business_users
    grant DELETE /v{version}/{business}/business_users
    grant POST /v{version}/{business}/system_users
    grant DELETE /v{version}/{business}/system_users
    grant POST /v{version}/{business}/agencies
    grant DELETE /v{version}/{business}/agencies
    grant POST /v{version}/{asset}/assigned_users
    grant DELETE /v{version}/{asset}/assigned_users
    grant POST /v{version}/{asset}/assigned_partners
    grant DELETE /v{version}/{asset}/assigned_partners
    grant POST /v{version}/{business}/owned_ad_accounts
    grant DELETE /v{version}/{business}/owned_ad_accounts
    grant POST /v{version}/{business}/client_ad_accounts
    grant DELETE /v{version}/{business}/client_ad_accounts
    grant POST /v{version}/{business}/owned_pixels
    grant DELETE /v{version}/{business}/owned_pixels
    grant POST /v{version}/{business}/client_pixels
    grant DELETE /v{version}/{business}/client_pixels
    grant POST /v{version}/{business}/owned_product_catalogs
    grant DELETE /v{version}/{business}/owned_product_catalogs
    grant POST /v{version}/{business}/client_product_catalogs
    grant DELETE /v{version}/{business}/client_product_catalogs
    grant POST /v{version}/{audience}/adaccounts
    grant DELETE /v{version}/{audience}/adaccounts
    grant POST /v{version}/act_{account}/users
    grant DELETE /v{version}/act_{account}/users
    rotate DELETE /v{version}/{user}/permissions*
    mint ANY /v{version}/device*
    reveal ANY /v{version}/{ownApp}
    reveal ANY /v{version}/{ownApp}/*
    reveal ANY /v{version}/app
    reveal ANY /v{version}/app/*
    reveal ANY /v{version}/{app}/roles*
    reveal ANY /v{version}/{app}/app_settings*
    export ANY /v{version}/{app}/subscriptions*
    export POST /v{version}/{asset}/subscribed_apps
    export DELETE /v{version}/{asset}/subscribed_apps
    tunnel POST /
    tunnel POST /v{version}
    tunnel POST /v{version}/
    tunnel POST /v{version}/act_{account}/async_batch_requests
    tunnel POST /v{version}/act_{account}/asyncadrequestsets
    tunnel POST /v{version}/act_{account}/asyncadcreatives
    personal ANY /v{version}/{form}/leads*
    personal ANY /v{version}/{audience}/users*
    personal ANY /v{version}/{audience}/usersreplace
    personal ANY /v{version}/{node}/activities*
  `,
  parameters: `
    query any=*access_token*
    body any=*access_token*
    query fields=*client_token*
    body fields=*client_token*
    personal query fields=*field_data*
    personal body fields=*field_data*
    personal query fields=*leads*
    personal body fields=*leads*
    query batch
    body batch
    query method
    body method
    query *notification_uri*
    body *notification_uri*
    query *callback_url*
    body *callback_url*
    query access_token
    query appsecret_proof
    query appsecret_time
    query client_secret
    query client_id
    query fb_exchange_token
    query input_token
    query callback
    query suppress_http_code
    query include_headers
    query debug
    query graph_explorer_app_id
    body access_token
    body appsecret_proof
    body client_secret
  `,
  reads: `
    POST /v{v}/act_{account}/insights
    POST /v{v}/{node}/insights
    POST /v{v}/{rule}/preview
  `,
  forms: true,
  inject: ({ credential, app }) => ({ headers: bearer(credential), query: appSecretProof({ app }, credential) }),
  refuses: showsTokens,
  personal: showsPeople,
})
