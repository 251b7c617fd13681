import { canonicalName } from '../names.ts'
import { isNamed, type VendorRequest } from '../vendor-request.ts'
import type { Fence } from './fence.ts'

const BY_HEADER = ['/CampaignManagement/v13/*', '/AdInsight/v13/*', '/Bulk/v13/*', '/Reporting/v13/*']
const BY_BODY = ['/CustomerManagement/v13/*', '/CustomerBilling/v13/*']
const SCOPE = 'ReportRequest.Scope'

/** The account of a call is in a header, which must equal the one in the body; reports, bulk and billing name theirs in the body. */
export const microsoftAdsFence: Fence = {
  kinds: ['account'],
  id: /^[0-9]{1,19}$/,
  caseless: true,
  locate: [
    { in: 'header', at: ['CustomerAccountId'], on: BY_HEADER, required: true },
    { in: 'header', at: ['CustomerAccountId'], on: BY_BODY, role: 'extra' },
    { in: 'body', at: ['AccountId', 'AccountIds', 'InsertionOrder.AccountId'], on: BY_BODY },
    {
      in: 'body',
      at: ['**.AccountId', '**.ParentAccountId', '**.AccountIds', '**.NewAccountIds', '**.DeleteAccountIds', 'AccountCouponPairs.key'],
      role: 'extra',
    },
    {
      in: 'body',
      at: [`${SCOPE}.AccountIds`, `${SCOPE}.Campaigns.AccountId`, `${SCOPE}.AdGroups.AccountId`],
      required: true,
      on: ['/Reporting/v13/GenerateReport/Submit'],
    },
    {
      in: 'body',
      at: ['AccountIds'],
      required: true,
      on: ['/Bulk/v13/Campaigns/DownloadByAccountIds', '/CustomerBilling/v13/BillingDocumentsInfo/Query'],
    },
    { in: 'body', at: ['Account.Id'], required: true, on: ['/CustomerManagement/v13/Account'] },
    { in: 'body', pick: accountPredicates, required: true, on: ['/CustomerBilling/v13/InsertionOrders/Search'] },
  ],
  neutral: `
    POST /CampaignManagement/v13/GeoLocationsFileUrl/Query
    POST /CampaignManagement/v13/ProfileDataFileUrl/Query
    POST /CampaignManagement/v13/BSCCountries/Query
    POST /CampaignManagement/v13/Companies/Search
    POST /CampaignManagement/v13/SupportedFonts/Query
    POST /CampaignManagement/v13/ClipchampTemplates/Query
    POST /CampaignManagement/v13/SupportedClipchampAudio/Query
    POST /AdInsight/v13/KeywordIdeaCategories/query
    POST /AdInsight/v13/DomainCategories/query
    POST /CustomerManagement/v13/PilotFeaturesCountries/Query
    POST /CustomerManagement/v13/Address/Validate
  `,
  blind: `
    POST /Reporting/v13/GenerateReport/Poll
    POST /Bulk/v13/BulkDownloadStatus/Query
    POST /Bulk/v13/BulkUploadStatus/Query
    POST /CustomerManagement/v13/Accounts/Search
    POST /CustomerManagement/v13/Accounts/Find
    POST /CustomerManagement/v13/AccountsInfo/Query
    POST /CustomerManagement/v13/AccountsOrCustomersInfo/Find
    POST /CustomerManagement/v13/LinkedAccountsAndCustomersInfo/Query
    ANY /CustomerManagement/v13/Customer*
    POST /CustomerManagement/v13/AccessibleCustomer/Query
    ANY /CustomerManagement/v13/ClientLinks*
    ANY /CustomerManagement/v13/User*
    POST /CustomerManagement/v13/CurrentUser/Query
    ANY /CustomerManagement/v13/Notifications/*
    POST /CustomerBilling/v13/BillingDocuments/Query
    ANY /CustomerBilling/v13/Coupon*
    POST /CampaignManagement/v13/BMCStores/QueryByCustomerId
    ANY /CampaignManagement/v13/ImportJobs*
  `,
  // What all accounts of a customer share.
  blindWhen: [
    { row: 'ANY /CampaignManagement/v13/*', when: isOfCustomer },
    ...BY_BODY.map((pattern) => ({ row: `ANY ${pattern}`, when: namesCustomer })),
  ],
  remember: [
    {
      kind: 'report',
      from: 'POST /Reporting/v13/GenerateReport/Submit',
      id: ['ReportRequestId'],
      usedBy: [{ row: 'POST /Reporting/v13/GenerateReport/Poll', body: 'ReportRequestId' }],
    },
    {
      kind: 'download',
      from: 'POST /Bulk/v13/Campaigns/Download*',
      id: ['DownloadRequestId'],
      usedBy: [{ row: 'POST /Bulk/v13/BulkDownloadStatus/Query', body: 'RequestId' }],
    },
  ],
}

/** Its numbers and its lists stand for words as well: only the plain word is an account’s own. */
function isOfCustomer({ body }: VendorRequest): boolean {
  const said = 'names' in body ? ['scope', 'sharedEntityScope'].flatMap((name) => body.names.ending(canonicalName(name))) : []
  return said.some(({ values }) => values.some((value) => value !== null && !(typeof value === 'string' && /^account$/i.test(value))))
}

/** Beside an account: the ad system might answer for the customer or the user. */
function namesCustomer({ body }: VendorRequest): boolean {
  return isNamed(body, /(^|\.)(customerids?|userids?)$/)
}

/** Of a search: only an account that it equals is named by it. */
function accountPredicates(body: unknown): readonly unknown[] | null {
  const member = (of: unknown, name: string): unknown =>
    Object.entries((of ?? {}) as object).find(([key]) => canonicalName(key) === canonicalName(name))?.[1]
  const predicates = member(body, 'Predicates')
  if (!Array.isArray(predicates)) return []
  const about = predicates.filter((one) => canonicalName(String(member(one, 'Field'))) === 'accountid')
  return about.every((one) => String(member(one, 'Operator')).toLowerCase() === 'equals') ? about.map((one) => member(one, 'Value')) : null
}
