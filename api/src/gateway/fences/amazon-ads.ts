import type { Fence } from './fence.ts'

const SCOPE = 'amazon-advertising-api-scope'
const ACCOUNT_ID = ['amazon-ads-accountid', 'amazon-ads-account-id', 'amazon-advertising-api-account-id']
/** These choose a set of accounts. */
const MANAGERS = [
  'amazon-advertising-api-manager-account',
  'amazon-advertising-api-manageraccount',
  'amazon-ads-manager-accountid',
  'amazon-advertising-api-advertiserid',
  'amazon-advertising-api-entityid',
]
const BY_ACCOUNT = ['/dsp/*', '/reporting/reports', '/adsApi/v1/*']

/** A call acts in the profile or the account that a header names. */
export const amazonAdsFence: Fence = {
  kinds: ['profile'],
  id: /^[0-9]{1,20}$/,
  locate: [
    { in: 'header', at: [SCOPE], required: true, unless: ({ headers }) => ACCOUNT_ID.some((name) => headers[name]) },
    { in: 'header', at: ACCOUNT_ID, role: 'mapped' },
    { in: 'path', at: ['/accounts/{account}/dsp/*'], role: 'mapped' },
    { in: 'body', at: ['**.profileId', '**.profileIds'] },
    {
      in: 'body',
      at: ['advertiserId', 'accountId', 'advertiserAccountId', 'adsAccountId', 'dspAdvertiserId'].flatMap((id) => [
        `**.${id}`,
        `**.${id}s`,
      ]),
      on: BY_ACCOUNT,
      role: 'mapped',
    },
    { in: 'query', at: ['advertiserId', 'advertiserIds', 'advertiserIdFilter'], split: ',', on: ['/dsp/*'], role: 'mapped' },
    { in: 'query', at: ['profileId'], split: ',', on: ['/dsp/*'] },
  ],
  neutral: `
    GET /dsp/geoLocations
    GET /dsp/iabContentCategories
    GET /dsp/productCategories
    GET /dsp/supplySources
  `,
  blind: `
    GET /v2/profiles
    GET /v1/profiles
    GET /v2/profiles/{id}
    ANY /managerAccounts*
    ANY /adsAccounts*
    ANY /adsApi/v1/{kind}/advertiserAccounts
    ANY /adsApi/v1/{kind}/sellingAccounts
    ANY /adsApi/v1/{kind}/{more}/advertiserAccounts
    ANY /adsApi/v1/{kind}/{more}/sellingAccounts
    ANY /amc/*
    ANY /mmm/*
    ANY /bp/v2/*
    ANY /adm/*
    ANY /billing*
    ANY /user*
    ANY /termsTokens*
    ANY /partnerOpportunities*
    ANY /reporting/reports/{id}
  `,
  blindWhen: [{ row: 'ANY *', when: ({ headers }) => MANAGERS.some((name) => headers[name] !== undefined) }],
  // That the system compares a report with the profile beside it is only concluded: those made inside are used again.
  remember: [
    {
      kind: 'report',
      from: 'POST /reporting/reports',
      id: ['reportId'],
      usedBy: [{ row: 'GET /reporting/reports/{handle}' }, { row: 'DELETE /reporting/reports/{handle}' }],
    },
  ],
}
