import { parseJson } from '../../providers/answer.ts'
import { canonicalParameter } from '../names.ts'
import { isSaid, type VendorRequest } from '../vendor-request.ts'
import type { Fence } from './fence.ts'

const API = '/open_api/v1.3'

/** A change reads its advertiser from the body: one in the query opens nothing. */
const namesAdvertiserBesideBody = ({ method, query, body }: VendorRequest): boolean =>
  method !== 'GET' &&
  query.some(([name]) => canonicalParameter(name) === 'advertiserid') &&
  !(body.kind === 'json' && body.outer().named('advertiserid').length > 0)

/** Calls about an advertiser carry its id in the query or in the JSON body; those of a Business Center do not. */
export const tiktokAdsFence: Fence = {
  kinds: ['advertiser'],
  id: /^[0-9]{1,20}$/,
  innerJson: true,
  locate: [
    { in: 'query', at: ['advertiser_id'], once: true },
    { in: 'query', at: ['advertiser_ids'], split: 'json' },
    { in: 'body', at: ['advertiser_id'] },
    {
      in: 'body',
      at: [
        '**.advertiser_id',
        '**.advertiser_ids',
        '**.shared_advertiser_ids',
        '**.shared_advertiser_id',
        '**.add_advertiser_ids',
        '**.delete_advertiser_ids',
        '**.account_ids',
      ],
      role: 'extra',
    },
  ],
  neutral: `
    GET ${API}/tool/language/
  `,
  blind: `
    ANY ${API}/bc/*
    ANY ${API}/catalog/*
    GET ${API}/advertiser/balance/get/
    GET ${API}/advertiser/transaction/get/
    POST ${API}/pixel/track/
    POST ${API}/pixel/batch/
    POST ${API}/event/*
    POST ${API}/offline/track/
    POST ${API}/offline/batch/
    POST ${API}/app/track/
    POST ${API}/app/batch/
    POST ${API}/creative/shareable_link/create/
    ANY ${API}/business/*
    ANY ${API}/tcm/*
    GET ${API}/report/task/check/
    GET ${API}/report/task/download/
    POST ${API}/report/task/cancel/
  `,
  // Also beside an advertiser: these span all that a Business Center has, or one of its libraries of leads and pages.
  blindWhen: [
    {
      row: 'ANY *',
      when: (request) => isSaid(request, 'bc_id') || isSaid(request, 'library_id'),
    },
  ],
  // A filter may name advertisers; one that cannot be read might be read by the system.
  refuses: (request) =>
    request.query.some(([name, value]) => canonicalParameter(name) === 'filtering' && parseJson(value) === undefined) ||
    namesAdvertiserBesideBody(request),
  // That the system compares a task with the advertiser beside it is not known: only those made inside are used again.
  remember: [
    {
      kind: 'report_task',
      from: `POST ${API}/report/task/create/`,
      id: ['data', 'task_id'],
      usedBy: [
        { row: `GET ${API}/report/task/check/`, query: 'task_id' },
        { row: `GET ${API}/report/task/download/`, query: 'task_id' },
        { row: `POST ${API}/report/task/cancel/`, body: 'task_id' },
      ],
    },
  ],
}
