import { rules } from './rules.ts'

export const tiktokAds = rules({
  hosts: [{ host: 'business-api.tiktok.com' }],
  versions: ['1.3'],
  allow: `
    /open_api/v{version}/advertiser/info/
    /open_api/v{version}/advertiser/balance/get/
    /open_api/v{version}/advertiser/transaction/get/
    /open_api/v{version}/advertiser/update/
    /open_api/v{version}/campaign/*
    /open_api/v{version}/adgroup/*
    /open_api/v{version}/ad/*
    /open_api/v{version}/smart_plus/*
    /open_api/v{version}/gmv_max/*
    /open_api/v{version}/creative/*
    /open_api/v{version}/identity/*
    /open_api/v{version}/playable/*
    /open_api/v{version}/report/*
    /open_api/v{version}/dmp/*
    /open_api/v{version}/audience/insight/*
    /open_api/v{version}/pixel/*
    /open_api/v{version}/app/*
    /open_api/v{version}/offline/*
    /open_api/v{version}/optimizer/*
    /open_api/v{version}/comment/*
    /open_api/v{version}/blockedword/*
    /open_api/v{version}/catalog/*
    /open_api/v{version}/discovery/*
    /open_api/v{version}/search/region/
    /open_api/v{version}/tool/*
    /open_api/v{version}/term/*
    /open_api/v{version}/pangle_audience_package/get/
    /open_api/v{version}/pangle_block_list/*
    /open_api/v{version}/file/image/ad/info/
    /open_api/v{version}/file/video/ad/info/
    /open_api/v{version}/file/video/ad/search/
    /open_api/v{version}/bc/get/
    /open_api/v{version}/bc/asset/get/
    /open_api/v{version}/bc/asset/member/get/
    /open_api/v{version}/bc/asset/partner/get/
    /open_api/v{version}/bc/asset_group/get/
    /open_api/v{version}/bc/asset_group/list/
    /open_api/v{version}/bc/balance/get/
    /open_api/v{version}/bc/billing_group/get/
    /open_api/v{version}/bc/partner/get/
    /open_api/v{version}/bc/partner/asset/get/
    /open_api/v{version}/bc/pixel/link/get/
    /open_api/v{version}/bc/transaction/get/
    /open_api/v{version}/bc/account/transaction/get/
    /open_api/v{version}/bc/invoice/unpaid/get/
    /open_api/v{version}/page/get/
    /open_api/v{version}/page/field/get/
    /open_api/v{version}/page/lead/task/
    /open_api/v{version}/page/lead/task/download/
  `,
  deny: `
    mint ANY /open_api/v{version}/oauth2/*
    mint ANY /open_api/v{version}/oauth/*
    mint ANY /open_api/v{version}/tt_user/oauth2/*
    reveal ANY /open_api/v{version}/tt_user/token_info/*
    mint ANY /open_mcp/*
    grant POST /open_api/v{version}/bc/member/invite/
    grant POST /open_api/v{version}/bc/member/update/
    grant POST /open_api/v{version}/bc/member/delete/
    grant POST /open_api/v{version}/bc/asset/assign/
    grant POST /open_api/v{version}/bc/partner/add/
    grant POST /open_api/v{version}/bc/asset/admin/*
    grant POST /open_api/v{version}/bc/transfer/
    grant POST /open_api/v{version}/gmv_max/exclusive_authorization/create/
    grant POST /open_api/v{version}/dmp/custom_audience/share*
    grant POST /open_api/v{version}/creative/asset/share*
    personal ANY /open_api/v{version}/bc/member/*
    personal ANY /open_api/v{version}/bc/asset/member/*
    export ANY /open_api/v{version}/subscription/*
    personal ANY /open_api/v{version}/page/lead/*
    personal ANY /open_api/v{version}/lead/*
    personal ANY /open_api/v{version}/dmp/custom_audience/file/upload/
    personal ANY /open_api/v{version}/dmp/custom_audience/create/
    personal ANY /open_api/v{version}/dmp/custom_audience/update/
    personal ANY /open_api/v{version}/segment/*
    tunnel ANY /open_api/v1.3/oauth2/*
  `,
  parameters: `
    query Access-Token
    query access_token
    query app_id
    query secret
    query auth_code
    body secret
    body app_id
    body access_token
    body auth_code
  `,
  reads: `
    POST /open_api/v1.3/report/task/create/
    POST /open_api/v1.3/tool/targeting/info/
    POST /open_api/v1.3/tool/targeting/search/
    POST /open_api/v1.3/tool/targeting_category/recommend/
    POST /open_api/v1.3/tool/bid/recommend/
    POST /open_api/v1.3/creative/smart_text/generate/
  `,
  // Some of its servers take parameters from the body of a GET, too.
  refuses: ({ method, body }) => method === 'GET' && body.kind !== 'none' && 'Send the parameters of a GET in its query, without a body.',
  inject: ({ credential }) => ({ headers: { 'Access-Token': credential.accessToken ?? '' } }),
})
