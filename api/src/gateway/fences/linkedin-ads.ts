import { textAt } from '../../providers/answer.ts'
import { canonicalNested } from '../names.ts'
import type { VendorRequest } from '../vendor-request.ts'
import type { Fence } from './fence.ts'

/** Their account is that of a finder; objects of any account are read by their IDs. */
const BY_FINDER = [
  '/rest/adAnalytics',
  '/rest/conversions',
  '/rest/campaignConversions',
  '/rest/dmpSegments',
  '/rest/adBudgetPricing',
  '/rest/adSupplyForecasts',
  '/rest/leadForms',
  '/rest/leadFormResponses',
]

const MADE = ['/rest/conversions', '/rest/dmpSegments', '/rest/leadForms']

const namesOwner = ({ body }: VendorRequest): boolean =>
  body.kind === 'json' &&
  [['account'], ['owner'], ['owner', 'sponsoredAccount']].some((at) => textAt(body.value, ...at)?.startsWith('urn:li:sponsoredAccount:'))

const has = (query: VendorRequest['query'], wanted: string): boolean =>
  query.some(([name]) => canonicalNested(name).split('.')[0] === wanted)

const URN = /^urn:li:sponsoredAccount:([0-9]+)$/

/** Objects live below their account; the other finders take the account as URN, in the query or the body. */
export const linkedinAdsFence: Fence = {
  kinds: ['account'],
  id: /^(?:urn:li:sponsoredAccount:)?([0-9]+)$/,
  locate: [
    { in: 'path', at: ['/rest/adAccounts/{account}/*', '/rest/adAccounts/{account}'] },
    { in: 'query', at: ['accounts'], split: 'List()', value: URN, required: true, on: ['/rest/adAnalytics'] },
    {
      in: 'query',
      at: ['account'],
      value: URN,
      required: true,
      on: ['/rest/conversions', '/rest/conversions/*', '/rest/dmpSegments', '/rest/adBudgetPricing', '/rest/adSupplyForecasts'],
    },
    { in: 'query', at: ['account'], value: URN, role: 'extra' },
    {
      in: 'query',
      at: ['owner'],
      value: /^\(sponsoredAccount:urn:li:sponsoredAccount:([0-9]+)\)$/,
      required: true,
      on: ['/rest/leadForms', '/rest/leadFormResponses'],
    },
    { in: 'query', at: ['ids'], split: 'List()', value: /^([0-9]+)$/, on: ['/rest/adAccounts'] },
    { in: 'query', scan: /urn:li:sponsoredAccount:([^,)(\s]*)/, role: 'extra' },
    { in: 'body', scan: /urn:li:sponsoredAccount:([^,)(\s]*)/, role: 'extra' },
  ],
  neutral: `
    GET /rest/adTargetingFacets*
    GET /rest/adTargetingEntities*
    GET /rest/geo*
    GET /rest/locales*
    GET /rest/industries*
    GET /rest/functions*
    GET /rest/seniorities*
    GET /rest/skills*
    GET /rest/titles*
    GET /rest/iabCategories*
    GET /rest/audienceCounts
  `,
  blind: `
    ANY /rest/adAccountUsers*
    POST /rest/adAccounts
    POST /rest/conversionEvents
    ANY /rest/creatives*
    ANY /rest/organization*
    ANY /rest/posts*
    ANY /rest/images*
    ANY /rest/videos*
    ANY /rest/people*
    GET /rest/leadFormResponses/{id}
    ANY /rest/adCampaigns*
    ANY /rest/adCampaignGroups*
  `,
  blindWhen: [
    // A decoration resolves a URN into another object.
    {
      row: 'ANY *',
      when: ({ query }) => query.some(([name, value]) => name.includes('~') || value.includes('~')),
    },
    { row: 'GET /rest/adAccounts', when: ({ query }) => !query.some(([name]) => name === 'ids') },
    // A finder ignores IDs, and a list of IDs what the finder would be limited to.
    { row: 'ANY *', when: ({ query }) => has(query, 'ids') && has(query, 'q') },
    // What is made belongs to whom its body says; a finder's parameters beside it say nothing.
    ...MADE.map((path) => ({ row: `POST ${path}`, when: (request: VendorRequest) => !namesOwner(request) })),
    ...BY_FINDER.map((path) => ({ row: `ANY ${path}*`, when: ({ query }: VendorRequest) => has(query, 'ids') })),
  ],
  objects: `
    /rest/dmpSegments/{id}
    /rest/dmpSegments/{id}/*
  `,
  // What is encoded twice might be read once or twice.
  refuses: ({ query }) => query.some(([, value]) => /%[0-9a-f]{2}/i.test(value)),
}
