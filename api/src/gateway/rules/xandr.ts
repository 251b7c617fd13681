import { isNamed } from '../vendor-request.ts'
import { rules } from './rules.ts'

export const xandr = rules({
  hosts: [{ host: 'api.appnexus.com' }],
  allow: `
    /user
    /member
    /publisher
    /site
    /placement
    /placement-set
    /payment-rule
    /ym-profile
    /ym-floor
    /ym-bias
    /ym-auction-tier
    /visibility-profile
    /ad-profile
    /ad-quality-rule
    /seller-creative-review
    /inventory-list
    /inventory-list/*
    /domain-list
    /external-inv-code
    /mediated-network
    /mediated-bid
    /partner-fee
    /advertiser
    /insertion-order
    /line-item
    /campaign
    /profile
    /profile-summary
    /creative
    /creative-folder
    /creative-html
    /creative-vast
    /creative-search
    /creative-macro-check
    /template
    /deal
    /deal-list
    /deal-buyer-access
    /deal-buyer-setting
    /deal-from-package
    /package
    /package-buyer-access
    /buyer-group
    /pixel
    /label
    /budget-splitter/{lineItem}/splits
    /pacing-strategy
    /ip-range-list
    /postal-code-list
    /imptracker
    /clicktracker
    /thirdparty-pixel
    /segment
    /universal-pixel/*
    /targeting-key
    /targeting-value
    /geo-polygon-segment
    /geo-polygon-segment/*
    /batch-segment
    /report
    /report-download
    /report-status
    /change-log
    /change-log-detail
    /periscope-forecast
    /forecast-inventory-multi
    /forecast-contention-multi
    /domain-audit-status
    /tag-parser
    /content-search
    /prebid/config
    /prebid/config/*
    /prebid/demand-partner
    /prebid/demand-partner/*
    /prebid/prebid-demand-partner-params
    /prebid/prebid-demand-partner-params/*
    /prebid/demand-partner-schemas
    /prebid/bidder-info
    /prebid/ad-sizes
    /adserver
    /brand
    /brand-company
    /browser
    /carrier
    /category
    /city
    /content-category
    /country
    /creative-format
    /currency
    /device-make
    /device-model
    /dma
    /inventory-attribute
    /language
    /lookup
    /media-subtype
    /media-type
    /mobile-app
    /mobile-app-instance
    /mobile-app-instance-list
    /mobile-app-store
    /native-layout
    /object-limit
    /operating-system
    /operating-system-extended
    /operating-system-family
    /political-district
    /postal-code
    /region
    /technical-attribute
    /video-content-duration
    /video-content-genre
    /video-content-network
    /video-content-rating
    /video-delivery-type
    /video-program-type
    /inventory-resold
    /{service}/meta
  `,
  deny: `
    mint ANY /auth
    mint ANY /auth/*
    mint ANY /v2/auth*
    mint ANY /public-key*
    grant POST /user*
    grant PUT /user*
    grant DELETE /user*
    rotate ANY /account-recovery*
    grant ANY /access-policy*
    grant ANY /access-member*
    grant ANY /access-platform*
    grant ANY /access-resource*
    grant PATCH /user*
    grant PATCH /member*
    grant PUT /member*
    grant POST /member*
    grant DELETE /member*
    grant POST /deal-buyer-access*
    grant PUT /deal-buyer-access*
    grant PATCH /deal-buyer-access*
    grant DELETE /deal-buyer-access*
    grant POST /package-buyer-access*
    grant PUT /package-buyer-access*
    grant PATCH /package-buyer-access*
    grant DELETE /package-buyer-access*
    personal GET /user*
    grant ANY /impersonate*
    tunnel ANY /bulk-*
    tunnel ANY /config-platform*
    tunnel ANY /platform-member*
    personal ANY /change-log*
    personal ANY /batch-segment*
    personal ANY /apd-api*
    personal ANY /privacy*
  `,
  parameters: `
    body **.emails on /report
    query saved_report_id on /report
    body **.saved_report_id on /report
    query token
    body auth
    body password
  `,
  reads: `
    POST /creative-search
    POST /content-search
    POST /change-log
    POST /change-log-detail
    POST /inventory-list/validate-inventory-item
    POST /periscope-forecast
    POST /forecast-inventory-multi
    POST /forecast-contention-multi
    PUT /creative-macro-check
    POST /geo-polygon-segment/select
    POST /domain-audit-status
  `,
  readsWhen: [
    {
      row: 'POST /report',
      when: ({ body, query }) => !isNamed(body, /(^|\.)emails$/) && !query.some(([name]) => name === 'saved_report_id'),
    },
  ],
  inject: ({ credential }) => ({ headers: { Authorization: credential.accessToken ?? '' } }),
})
