import type { Fence } from './fence.ts'

/** Lists and new objects carry the ad account in the path; single objects do not. */
export const snapchatAdsFence: Fence = {
  kinds: ['account'],
  id: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  locate: [
    { in: 'path', at: ['/v1/adaccounts/{account}/*', '/v1/adaccounts/{account}'] },
    { in: 'body', at: ['**.ad_account_id', '**.ad_account_ids'], role: 'extra' },
    { in: 'query', at: ['ad_account_id', 'ad_account_ids'], split: ',', role: 'extra' },
  ],
  neutral: `
    GET /v1/targeting/*
  `,
  blind: `
    GET /v1/me
    GET /v1/me/organizations
    ANY /v1/organizations/*
    ANY /v1/catalogs/*
    ANY /v1/fundingsources/*
    ANY /v1/billingcenters/*
    ANY /v1/phone_numbers/*
    POST /v1/media/{media}/*
  `,
  objects: `
    /v1/campaigns/{id}
    /v1/campaigns/{id}/*
    /v1/adsquads/{id}
    /v1/adsquads/{id}/*
    /v1/ads/{id}
    /v1/ads/{id}/*
    /v1/creatives/{id}
    /v1/segments/{id}
    /v1/segments/{id}/*
    /v1/media/{id}
    /v1/pixels/{id}
    /v1/pixels/{id}/*
  `,
  objectsInBody: [
    {
      on: ['*'],
      names: [
        'campaigns.id',
        'adsquads.id',
        'adsquads.campaign_id',
        'ads.id',
        'ads.ad_squad_id',
        'ads.creative_id',
        'creatives.id',
        'media.id',
        'segments.id',
        'pixels.id',
      ],
    },
  ],
}
