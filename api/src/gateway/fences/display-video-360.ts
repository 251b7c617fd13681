import { isSaid, type VendorRequest } from '../vendor-request.ts'
import type { Fence } from './fence.ts'

/** What several advertisers of a partner may share. */
const SHARED = [
  '/v{v}/combinedAudiences*',
  '/v{v}/customBiddingAlgorithms*',
  '/v{v}/customLists*',
  '/v{v}/firstPartyAndPartnerAudiences*',
  '/v{v}/googleAudiences*',
  '/v{v}/guaranteedOrders*',
  '/v{v}/inventorySourceGroups*',
  '/v{v}/inventorySources*',
  '/v{v}/targetingTypes/*',
]

/** As the ad system spells it; another spelling does not take the place of a partner. */
const ADVERTISER = /(?:^|\.)advertiser(?:Id|_id)$/

/** Objects live below their advertiser; shared ones take it in query or body, reports in their filters. Partners are containers. */
export const displayVideo360Fence: Fence = {
  kinds: ['advertiser'],
  id: /^[0-9]{1,19}$/,
  locate: [
    { in: 'path', at: ['/v{v}/advertisers/{account}/*', '/v{v}/advertisers/{account}:{verb}', '/v{v}/advertisers/{account}'] },
    {
      in: 'query',
      at: ['advertiserId'],
      required: true,
      unless: ({ method, body }) => method === 'POST' && hasOnTop(body, 'advertiserid'),
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
    { in: 'body', at: ['advertiserId', 'advertiser_id'], required: true, on: ['/v{v}/sdfdownloadtasks'] },
    { in: 'query', text: 'filter', scan: /advertiserId\s*=\s*"?([0-9]+)/, role: 'extra' },
  ],
  blind: `
    GET /v{v}/partners
    ANY /v{v}/partners/*
    GET /v{v}/advertisers
    POST /v{v}/advertisers
    ANY /v{v}/users*
    ANY /v{v}/floodlightGroups*
    PATCH /v{v}/customBiddingAlgorithms/{id}
    GET /v2/queries
    GET /v{v}/sdfdownloadtasks/operations/*
    GET /v{v}/sdfuploadtasks/operations/*
    ANY /download/*
  `,
  blindWhen: [
    // A partner in the place of an advertiser.
    { row: 'ANY *', when: namesPartnerAlone },
    // What is there already is not told by a body whose it is.
    ...SHARED.flatMap((pattern) =>
      ['PATCH', 'DELETE'].map((method) => ({ row: `${method} ${pattern}`, when: ({ query }: VendorRequest) => !namesAdvertiser(query) })),
    ),
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
      from: 'POST /v{v}/sdfdownloadtasks',
      id: ['name'],
      usedBy: [{ row: 'GET /v{v}/sdfdownloadtasks/operations/{handle}' }],
    },
  ],
}

const hasOnTop = (body: VendorRequest['body'], name: string): boolean => 'names' in body && body.names.named(name).length > 0

const namesAdvertiser = (query: VendorRequest['query']): boolean => query.some(([name]) => ADVERTISER.test(name))

function namesPartnerAlone(request: VendorRequest): boolean {
  if (!isSaid(request, 'partnerId')) return false
  const { query, body } = request
  const isAsked = isSaid({ ...request, body: { kind: 'none' } }, 'partnerId')
  const isGiven = !isAsked && 'names' in body && body.names.places.some(({ spelled }) => ADVERTISER.test(spelled))
  return !isGiven && !namesAdvertiser(query)
}

/** Filters of other kinds only narrow. */
function advertiserFilters(body: unknown): readonly unknown[] {
  const filters = (body as { params?: { filters?: unknown } } | null)?.params?.filters
  if (!Array.isArray(filters)) return []
  return filters.filter((one) => (one as { type?: unknown } | null)?.type === 'FILTER_ADVERTISER').map(({ value }) => value)
}
