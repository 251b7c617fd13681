import { canonicalName } from '../names.ts'
import type { VendorRequest } from '../vendor-request.ts'
import type { Fence } from './fence.ts'

/** What several advertisers of a partner may share. */
const SHARED = [
  '/v4/combinedAudiences*',
  '/v4/customBiddingAlgorithms*',
  '/v4/customLists*',
  '/v4/firstPartyAndPartnerAudiences*',
  '/v4/googleAudiences*',
  '/v4/guaranteedOrders*',
  '/v4/inventorySourceGroups*',
  '/v4/inventorySources*',
  '/v4/targetingTypes/*',
]

/** As the ad system spells it; another spelling does not take the place of a partner. */
const ADVERTISER = /(?:^|\.)advertiser(?:Id|_id)$/

/** Objects live below their advertiser; shared ones take it in query or body, reports in their filters. Partners are containers. */
export const displayVideo360Fence: Fence = {
  kinds: ['advertiser'],
  id: /^[0-9]{1,19}$/,
  locate: [
    { in: 'path', at: ['/v4/advertisers/{account}/*', '/v4/advertisers/{account}:{verb}', '/v4/advertisers/{account}'] },
    {
      in: 'query',
      at: ['advertiserId'],
      required: true,
      unless: ({ body }) => hasOnTop(body, 'advertiserid'),
      on: SHARED,
    },
    { in: 'body', at: ['advertiserId', 'advertiser_id'], on: SHARED },
    {
      in: 'body',
      at: [
        '**.advertiserId',
        '**.sharedAdvertiserIds',
        '**.readAdvertiserIds',
        '**.defaultAdvertiserId',
        '**.readWriteAdvertiserId',
        '**.addedAdvertisers',
        '**.removedAdvertisers',
      ],
      role: 'extra',
    },
    { in: 'body', scan: /^\s*advertisers\/([^/]+)(?:\/|$)/, role: 'extra' },
    { in: 'body', pick: advertiserFilters, required: true, on: ['/v2/queries'] },
    { in: 'body', at: ['advertiserId', 'advertiser_id'], required: true, on: ['/v4/sdfdownloadtasks'] },
    { in: 'query', text: 'filter', scan: /advertiserId\s*=\s*"?([0-9]+)/, role: 'extra' },
  ],
  blind: `
    GET /v4/partners
    ANY /v4/partners/*
    GET /v4/advertisers
    POST /v4/advertisers
    ANY /v4/users*
    ANY /v4/floodlightGroups*
    GET /v2/queries
    GET /v4/sdfdownloadtasks/operations/*
    GET /v4/sdfuploadtasks/operations/*
    ANY /download/*
  `,
  // A partner in the place of an advertiser.
  blindWhen: [
    {
      row: 'ANY *',
      when: ({ query, body }) => {
        const named = (name: string) => query.some(([sent]) => canonicalName(sent) === name) || has(body, name)
        return named('partnerid') && ![...query, ...('entries' in body ? body.entries : [])].some(([sent]) => ADVERTISER.test(sent))
      },
    },
  ],
  objects: `
    /v2/queries/{id}
    /v2/queries/{id}:{verb}
    /v2/queries/{id}/*
  `,
  // A query keeps the filters that it was made with.
  remember: [
    {
      kind: 'query',
      from: 'POST /v2/queries',
      id: ['queryId'],
      usedBy: [{ row: 'ANY /v2/queries/{handle}' }, { row: 'POST /v2/queries/{handle}:run' }, { row: 'GET /v2/queries/{handle}/*' }],
    },
    {
      kind: 'sdf_download',
      from: 'POST /v4/sdfdownloadtasks',
      id: ['name'],
      usedBy: [{ row: 'GET /v4/sdfdownloadtasks/operations/{handle}' }],
    },
  ],
}

const hasOnTop = (body: VendorRequest['body'], name: string): boolean =>
  'entries' in body && body.entries.some(([sent]) => canonicalName(sent) === name)

const has = (body: VendorRequest['body'], name: string): boolean =>
  'entries' in body && body.entries.some(([sent]) => canonicalName(sent).split('.').at(-1) === name)

/** Filters of other kinds only narrow. */
function advertiserFilters(body: unknown): readonly unknown[] {
  const filters = (body as { params?: { filters?: unknown } } | null)?.params?.filters
  if (!Array.isArray(filters)) return []
  return filters.filter((one) => (one as { type?: unknown } | null)?.type === 'FILTER_ADVERTISER').map(({ value }) => value)
}
