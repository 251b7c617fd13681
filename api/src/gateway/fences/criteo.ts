import type { Fence } from './fence.ts'

const MS = '/{v}/marketing-solutions'
const MPO = `${MS}/marketplace-performance-outcomes`
const RM = '/{v}/retail-media'

/** Searches and reports name advertisers or accounts in the body, other calls in the path. What names nothing is refused. */
export const criteoFence: Fence = {
  kinds: ['advertiser', 'account'],
  id: /^[0-9]{1,19}$/,
  positive: true,
  locate: [
    {
      in: 'path',
      at: [
        `${MS}/advertisers/{account}/*`,
        `${MPO}/advertisers/{account}/*`,
        `${MPO}/advertisers/{account}`,
        '/{v}/log-level/advertisers/{account}/report',
        `${RM}/accounts/{account}/*`,
        `${RM}/account-management/accounts/{account}/*`,
      ],
    },
    { in: 'body', at: ['filters.advertiserIds'], required: true, on: [`${MS}/campaigns/search`, `${MS}/ad-sets/search`] },
    {
      in: 'body',
      at: ['data.attributes.advertiserIds'],
      required: true,
      on: [`${MS}/audiences/search`, `${MS}/audience-segments/search`],
    },
    { in: 'body', at: ['advertiserIds'], split: ',', required: true, on: ['/{v}/statistics/report'] },
    {
      in: 'body',
      at: ['data.attributes.advertiserIds'],
      split: ',',
      required: true,
      on: ['/{v}/placements/report', '/{v}/transactions/report'],
    },
    {
      in: 'body',
      at: [
        'data.attributes.filters.accountIds',
        'data.attributes.accountIds',
        'data.attributes.accountId',
        'data.attributes.supplyAccountIds',
      ],
      required: true,
      on: [`${RM}/reports/{kind}`, `${RM}/reports/sync/{kind}`, `${RM}/billing/partner-report`],
    },
    {
      in: 'body',
      at: ['**.advertiserId', '**.advertiserIds', '**.accountId', '**.accountIds', '**.supplyAccountId', '**.supplyAccountIds'],
      split: ',',
    },
    {
      in: 'query',
      at: ['advertiserId', 'advertiser-id'],
      split: ',',
      required: true,
      on: [
        `${MPO}/budgets`,
        `${MPO}/seller-campaigns`,
        `${MPO}/sellers`,
        `${MPO}/stats/*`,
        `${MS}/audience-segments/in-market-brands`,
        `${MS}/audience-segments/in-market-interests`,
      ],
    },
  ],
  neutral: `
    ANY ${RM}/categories*
    ANY ${RM}/retailers/{retailer}/categories/search
    ANY ${RM}/retailers/{retailer}/templates*
    ANY ${RM}/retailers/{retailer}/pages
    ANY ${RM}/retailers/{retailer}/cpc-min-bids
    ANY ${RM}/retailers/{retailer}/recommend-categories
    ANY ${RM}/retailers/{retailer}/recommend-keywords
    ANY ${RM}/brands/search
  `,
  blind: `
    GET /{v}/advertisers/me
    GET ${RM}/accounts
    ANY ${RM}/accounts/fees/*
    POST ${RM}/accounts/sellers/search
    GET ${MS}/me
    GET ${RM}/me
    GET ${MPO}/advertisers
    ANY ${MPO}/sellers/*
    ANY ${MPO}/budgets/*
    PATCH ${MPO}/*
    POST ${MPO}/budgets
    ANY ${MS}/product-sets*
    ANY ${MS}/dataset/*
    POST ${MS}/audiences/delete
    PATCH ${MS}/audiences
    POST ${MS}/audience-segments/delete
    PATCH ${MS}/audience-segments
    POST ${MS}/audiences/compute-sizes
    POST ${MS}/audience-segments/compute-sizes
    ANY ${MS}/audience-segments/{id}/*
    ANY ${RM}/balances/*
    ANY ${RM}/audience-segments/*
    ANY ${RM}/catalog/*
    POST ${RM}/assets
    ANY /{v}/commerce-grid/*
  `,
  objects: `
    ${MS}/campaigns/{id}
    ${MS}/ad-sets/{id}
    ${MS}/ad-sets/{id}/*
    ${MS}/creatives/{id}
    ${MS}/creatives/{id}/preview
    ${MS}/ads/{id}
    ${MS}/ads/{id}/*
    ${RM}/campaigns/{id}
    ${RM}/campaigns/{id}/*
    ${RM}/line-items/{id}
    ${RM}/line-items/{id}/*
    ${RM}/auction-line-items/{id}
    ${RM}/preferred-line-items/{id}
    ${RM}/preferred-line-items/{id}/*
  `,
  objectsInBody: [
    {
      on: [`${MS}/campaigns`, `${MS}/ad-sets`, `${MS}/ad-sets/start`, `${MS}/ad-sets/stop`],
      names: ['data.id', 'data.attributes.campaignId'],
    },
    // These reports have no field for an account: campaigns and line items are named by their IDs alone.
    { on: [`${RM}/reports/campaigns`, `${RM}/reports/line-items`], names: ['data.attributes.id', 'data.attributes.ids'] },
  ],
  remember: [
    {
      kind: 'report',
      from: `POST ${RM}/reports/{kind}`,
      id: ['data', 'id'],
      usedBy: [{ row: `GET ${RM}/reports/{handle}/status` }, { row: `GET ${RM}/reports/{handle}/output` }],
    },
    {
      kind: 'catalog',
      from: `POST ${RM}/accounts/{account}/catalogs`,
      id: ['data', 'id'],
      usedBy: [{ row: `GET ${RM}/catalogs/{handle}/status` }, { row: `GET ${RM}/catalogs/{handle}/output` }],
    },
  ],
  // Advertisers and accounts are numbered apart: a number of the one service means nothing at the other.
  refuses: ({ path }, { service = 'marketing_solutions' }) => /^\/[^/]+\/retail-media(?:\/|$)/i.test(path) !== (service === 'retail_media'),
}
