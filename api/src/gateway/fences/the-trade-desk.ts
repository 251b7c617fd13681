import { isNamed } from '../vendor-request.ts'
import type { Fence } from './fence.ts'

/** Queries name advertisers in the body; single objects do not, and only calls that are listed here pass. */
export const theTradeDeskFence: Fence = {
  kinds: ['advertiser'],
  id: /^[a-z0-9]{5,12}$/,
  positive: true,
  caseless: true,
  locate: [
    {
      in: 'body',
      at: ['AdvertiserId'],
      required: true,
      on: [
        '/v3/{object}/query/advertiser',
        '/v3/dmp/firstparty/advertiser',
        '/v3/dmp/thirdparty/advertiser',
        '/v3/delta/{object}/query/advertiser',
      ],
    },
    { in: 'body', at: ['AdvertiserIds'], required: true, on: ['/v3/myreports/reportexecution/query/advertisers'] },
    { in: 'body', at: ['AdvertiserFilters'], required: true, on: ['/v3/myreports/reportschedule'] },
    {
      in: 'path',
      at: ['/v3/advertiser/{account}', '/v3/audiences/{account}', '/v3/dmp/thirdparty/facets/{account}'],
    },
    { in: 'body', at: ['**.AdvertiserId', '**.AdvertiserIds', '**.AdvertiserFilters', '**.AvailableAdvertiserIds'] },
  ],
  blind: `
    POST /v3/partner/query
    GET /v3/partner/*
    POST /v3/advertiser/query/partner
    POST /v3/advertiser
    POST /v3/{object}/query/partner
    POST /v3/{object}/query/facets
    POST /v3/myreports/reportschedule/query
    POST /v3/myreports/reporttemplateheader/query
    ANY /v3/contract*
    POST /graphql
    POST /v3/hdreports
  `,
  // A schedule for a partner covers all its advertisers.
  blindWhen: [{ row: 'ANY /v3/myreports/reportschedule', when: ({ body }) => isNamed(body, /(^|\.)partnerfilters$/) }],
  objects: `
    /v3/campaign/{id}
    /v3/adgroup/{id}
    /v3/creative/{id}
    /v3/audience/{id}
    /v3/datagroup/{id}
    /v3/iptargetinglist/{id}
  `,
  objectsInBody: [
    { on: ['/v3/campaign', '/v3/campaignflight', '/v3/adgroup/query/campaign'], names: ['**.CampaignId'] },
    { on: ['/v3/adgroup'], names: ['**.AdGroupId', '**.CampaignId'] },
    { on: ['/v3/creative'], names: ['**.CreativeId'] },
    { on: ['/v3/audience'], names: ['**.AudienceId'] },
  ],
  remember: [
    {
      kind: 'report_schedule',
      from: 'POST /v3/myreports/reportschedule',
      id: ['ReportScheduleId'],
      usedBy: [{ row: 'GET /v3/myreports/reportschedule/{handle}' }, { row: 'DELETE /v3/myreports/reportschedule/{handle}' }],
    },
  ],
}
