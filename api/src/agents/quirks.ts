// What surprises those who read each ad system for the first time, and how often it may be asked.
// Adding a system does not compile until it has a row here.
import type { ProviderId } from '@adjoin/contract'

export interface Quirks {
  readonly quirks: readonly string[]
  readonly limits: string
}

const UNPUBLISHED = 'Not published. Ask for little at a time, and wait as long as a response says.'

export const quirks: Record<ProviderId, Quirks> = {
  google_ads: {
    quirks: [
      'Almost every read is a POST of a GAQL query to googleAds:search or googleAds:searchStream.',
      'Amounts that end in Micros are millionths of the account’s currency: divide by 1,000,000.',
      'Below a manager account, send its ID as login-customer-id unless the integration’s settings have it.',
      'Dates are in the account’s time zone. Metrics need a date range in the WHERE clause.',
    ],
    limits: 'Calls a day are counted for the whole service; one search counts once, whatever its size. After 429, wait for retryDelay.',
  },
  meta_ads: {
    quirks: [
      'Account IDs begin with act_.',
      'Spend in insights is text in major units; budgets are in minor units such as cents.',
      'Without `fields`, answers hold little more than IDs. Insights without rows mean no delivery.',
      'Large insights are started by POST and fetched later by the report’s ID.',
    ],
    limits: 'By app and ad account. Throttling often comes as 400 with code 4, 17, 613 or 80000 and above: wait some minutes.',
  },
  microsoft_ads: {
    quirks: [
      'Every read is a POST whose path ends in Query, Search, Find or Poll.',
      'A report is submitted, then polled; its file is on another host, which can’t be read from here.',
      'Errors can come with status 200.',
    ],
    limits: 'By customer and minute. Error 117 means too many calls: wait 60 seconds.',
  },
  amazon_ads: {
    quirks: [
      'Lists of campaigns are a POST to …/list with a media type of their own as content type and accept.',
      'Reports take up to three hours. A duplicate request is answered with 425: use the report that exists.',
      'Budgets and bids are in major units.',
    ],
    limits: 'Dynamic, by region. After 429, wait as long as Retry-After says.',
  },
  tiktok_ads: {
    quirks: [
      'Success is `code: 0` in the body, not HTTP 200.',
      'Lists inside of a query are JSON, such as metrics=["spend"], percent-encoded.',
      'Amounts are in major units of the account’s currency.',
    ],
    limits: 'At least 10 calls a second for the whole service. Code 40100 means too many: wait 5 minutes.',
  },
  linkedin_ads: {
    quirks: [
      'URNs inside List(…) are percent-encoded once; the parentheses stay as they are.',
      'Amounts are decimal text with a currency code.',
      'An empty answer can also mean missing rights.',
    ],
    limits: 'By endpoint and day, until midnight UTC.',
  },
  pinterest_ads: {
    quirks: [
      'Columns that end in _IN_DOLLAR are in major units; budgets and caps are in millionths.',
      'Reports end in a file on another host, which can’t be read from here; analytics answers at once.',
    ],
    limits: 'Analytics 300 a minute, other reads 1,000 a minute.',
  },
  snapchat_ads: {
    quirks: [
      'Amounts that end in _micro, and spend, are millionths of the account’s currency.',
      'Statistics must begin at midnight in the account’s time zone.',
      'Status 200 can hide items that failed: look at sub_request_status.',
    ],
    limits: '10 calls a second.',
  },
  reddit_ads: {
    quirks: [
      'Reports are a POST. Spend is in millionths of the account’s currency.',
      'The next page of a POST needs the same body again.',
      'A path that doesn’t exist can be answered with 401.',
    ],
    limits: 'Reports 60 a minute, other reads 100 to 400 a minute.',
  },
  display_video_360: {
    quirks: [
      'Lists take `filter` and `orderBy`. IDs are text; amounts that end in Micros are millionths.',
      'Spend comes from reports of Bid Manager, on another host: a query is created once, run, then fetched.',
    ],
    limits: '300 calls a minute for an advertiser; reports 2,000 a day for the whole service.',
  },
  the_trade_desk: {
    quirks: [
      'Reads are a POST to …/query/… with PageStartIndex and PageSize.',
      'Reports need a template, which somebody makes in the ad system’s own pages first.',
      'Amounts are in major units with a CurrencyCode. Status 240 is a success without content.',
    ],
    limits: 'By endpoint and minute, at most four calls at once. After 429, wait as long as Retry-After says.',
  },
  criteo: {
    quirks: [
      'Statistics are a POST that answers at once. advertiserIds is one text, separated by commas.',
      'Amounts are in major units of the currency that the request names.',
    ],
    limits: 'Reports 40 a minute, everything else 250 a minute.',
  },
  stackadapt: {
    quirks: ['One path, /graphql: queries read, mutations are refused.', 'Ask for few fields and few rows: a query’s cost is not bounded.'],
    limits: UNPUBLISHED,
  },
  adform: {
    quirks: [
      'Statistics are started by POST, answered with 202, and fetched from the Location.',
      'At most 8 dimensions and 10 metrics, 397 days back. A report can take an hour.',
    ],
    limits: 'Statistics: 10 a minute and 500 a day for all users of the agency.',
  },
  google_ad_manager: {
    quirks: ['A report is run by POST …:run, then its operation is asked for, then its rows.', 'Money has `units` and `nanos`.'],
    limits: 'About 2 calls a second.',
  },
  campaign_manager_360: {
    quirks: ['IDs are text. Paths begin with a user profile, not an account.', 'Too many calls are answered with 403, not with 429.'],
    limits: '1 call a second for the whole service: make few, large requests.',
  },
  xandr: {
    quirks: [
      'Errors can come with status 200: look at response.status and error_id.',
      'A report is started by POST /report, then asked for, then downloaded.',
    ],
    limits: '1,000 reads a minute for a member; 5 reports in 15 minutes.',
  },
  magnite: {
    quirks: ['The account goes into the query, such as account=publisher/123.', 'A plus sign in a query, also of a time zone, is %2B.'],
    limits: UNPUBLISHED,
  },
  pubmatic: {
    quirks: ['Rows are lists, in the order of `columns`.', 'toDate must end at T23:59, or rows of the next day are in it.'],
    limits: UNPUBLISHED,
  },
  freewheel: {
    quirks: ['Answers are JSON or XML, errors plain text.', 'There is no report here: reporting is another product.'],
    limits: '20 calls a second.',
  },
}
