/**
 * What people must know of an ad system before they connect it, as its vendor says it: how the operator's app is
 * registered and approved, and what surprises. The provider's own file has what the service needs.
 */
import type { ProviderId } from '@adjoin/contract'

export type ProviderNotes = {
  /** Where the app, or the client's own credentials, come from. */
  registration: string
  /** What the vendor looks at before the app works for others, and how long that takes, as far as it is published. */
  review: string
  quirks: readonly string[]
}

const GOOGLE_APP =
  'Create an OAuth client of type “Web application” in the Google Cloud console, and enable the API in the same Cloud project.'
const GOOGLE_REVIEW =
  'Publish the consent screen before you connect clients: while it is external and in testing, Google ends every connection after 7 days. ' +
  'Google verifies apps that ask for sensitive scopes; it publishes no fixed time.'
const GOOGLE_QUIRKS = [
  'Clients can untick permissions on the consent screen. A connection with fewer than it needs is refused, and says which are missing.',
  'Google keeps at most 100 connections per Google account and app; a new one silently ends the oldest.',
  'A connection that isn’t used for 6 months ends. Adjoin’s regular checks use it.',
]
const NO_APP = 'No app is needed. '
const NO_REVIEW = 'Nothing to review: the client brings their own credentials.'

export const providerNotes: Record<ProviderId, ProviderNotes> = {
  google_ads: {
    registration: `${GOOGLE_APP} You also need a developer token, from the API Center of a Google Ads manager account.`,
    review: `Google must approve the developer token before it works for real accounts. Explorer access allows 2,880 calls a day, Basic 15,000; Standard has no daily limit. ${GOOGLE_REVIEW}`,
    quirks: [
      ...GOOGLE_QUIRKS,
      'One permission covers reading and changing. To only read, set the call policy to `read`.',
      'A client whose access comes through a manager account needs the manager’s customer ID as well.',
      'Google asks for multi-factor sign-in when a client consents.',
    ],
  },
  meta_ads: {
    registration: 'Create an app of type “Business” at developers.facebook.com, with Facebook Login and the Marketing API.',
    review:
      'Access to ad accounts of others needs app review for `ads_read` or `ads_management`. With Facebook Login for Business, set the configuration ID as well.',
    quirks: [
      'There are no refresh tokens. Adjoin exchanges the token for a new one before it expires after about 60 days; an expired one can’t be renewed, and the client must reconnect.',
      'Clients can untick permissions. A permission that isn’t used for 90 days lapses.',
    ],
  },
  microsoft_ads: {
    registration:
      'Register a web application with a secret in Microsoft Entra ID, for accounts in any organization and personal accounts. You also need a developer token of Microsoft Advertising.',
    review: 'The developer token is requested in Microsoft Advertising. No time is published.',
    quirks: [
      'Clients who sign in to Microsoft Advertising with Google choose so before the consent screen; that needs a Google OAuth client of yours too.',
      'Every renewal gives a new refresh token. Microsoft may end one at any time.',
      'Sign-in requires multi-factor authentication.',
    ],
  },
  amazon_ads: {
    registration: 'Create a security profile in Login with Amazon, and add the callback address to its allowed return URLs.',
    review: 'Amazon must assign Ads API access to the client ID before any call works. No time is published.',
    quirks: [
      'Ask for the right region: in the wrong one Amazon returns an empty list instead of an error.',
      'Consents given since June 30, 2026 end after 365 days; the client must then reconnect.',
    ],
  },
  tiktok_ads: {
    registration: 'Register as a developer at business-api.tiktok.com and create an app. Up to 10 redirect addresses can be set.',
    review: 'Permissions are chosen on the app and approved with it, not asked for on the consent screen. No time is published.',
    quirks: [
      'The access token has no expiry and no refresh token. It works until the client revokes it.',
      'Every error has the HTTP status 200: read `code` in the body, where 0 means success and 20001 partial success.',
      'IDs are larger than JavaScript’s exact numbers. Keep them as text.',
    ],
  },
  linkedin_ads: {
    registration: 'Create an app at developer.linkedin.com, verified by a company page, and request the Advertising API.',
    review:
      'LinkedIn approves the Advertising API per app, and every permission must be enabled for it. Refresh tokens are only given to apps approved for programmatic refresh. No time is published.',
    quirks: [
      'A consent ends after 365 days whatever is renewed; without refresh tokens, after 60 days. Adjoin warns before.',
      'Consent is all or nothing.',
      'A new token may be refused for some seconds. Adjoin waits.',
      'API versions last about a year, then answer 426. Send the version in `LinkedIn-Version`.',
    ],
  },
  pinterest_ads: {
    registration: 'Create an app at developers.pinterest.com, in a business account.',
    review: 'New apps have trial access; standard access is requested in the app’s settings. No time is published.',
    quirks: ['Every renewal replaces the refresh token. A connection that isn’t used for 60 days ends; Adjoin’s regular checks use it.'],
  },
  snapchat_ads: {
    registration: 'An organization admin creates the OAuth app in Snapchat’s Business Manager. The secret is shown once.',
    review: 'As far as we know, no review is needed.',
    quirks: [
      'The redirect address of an app can’t be edited. A new address needs a new app.',
      'One permission covers reading and changing; what it allows follows the person’s role in Business Manager.',
      'Answers can have HTTP status 200 and `request_status` ERROR: read the body.',
    ],
  },
  reddit_ads: {
    registration: 'Create the app in Business Manager under Developer Applications. Apps from reddit.com/prefs/apps are refused.',
    review: 'As far as we know, no review is needed.',
    quirks: [
      'Set a user agent of your own: calls with a library’s default are answered with 429 forever.',
      'Reddit answers 404 for a wrong method, too.',
    ],
  },
  display_video_360: {
    registration: `${GOOGLE_APP} Reports come from a second API, the Bid Manager API: enable both.`,
    review: GOOGLE_REVIEW,
    quirks: [
      ...GOOGLE_QUIRKS,
      'There is no read-only permission. Give the person a read-only role in Display & Video 360, or set the call policy to `read`.',
      'A person without a Display & Video 360 user can consent and still see nothing.',
      'IDs are larger than JavaScript’s exact numbers. Keep them as text.',
    ],
  },
  the_trade_desk: {
    registration: `${NO_APP}The client creates a long-lived token under Access Management of OpenTTD, and copies it when it is shown, once.`,
    review: NO_REVIEW,
    quirks: [
      'The token ends on the day chosen when it was created. Ask for that date, and Adjoin warns before.',
      'The partner ID of the API is not the seat number in the user interface.',
      'Status 240 means success without content. Limits are per user, and the user interface counts too.',
    ],
  },
  criteo: {
    registration: `${NO_APP}The client creates an app at partners.criteo.com, and a key for it; an app can have 5. The secret is only in the file that is downloaded then.`,
    review: `${NO_REVIEW} An account’s owner must consent to the app in Criteo.`,
    quirks: [
      'Access tokens last 15 minutes. Adjoin renews them.',
      'Where consent is missing, lists can be empty instead of refused.',
      '250 calls a minute per app; 40 for reports.',
    ],
  },
  stackadapt: {
    registration: `${NO_APP}The client asks their StackAdapt account manager for a GraphQL key. A REST key does not work.`,
    review: NO_REVIEW,
    quirks: [
      'There is one address, for GraphQL. Whether a call reads or changes is decided by the query itself.',
      'Mutations report failures as `userErrors` with status 200. A key without WRITE can only read.',
      'The schema has no version and changes weekly.',
    ],
  },
  adform: {
    registration: `${NO_APP}Adform Support (technical@adform.com) creates the client ID and its secret for the client.`,
    review: NO_REVIEW,
    quirks: [
      'A client ID that lacks the permission to list advertisers can’t be verified, though its secret is right.',
      'Reports: 10 calls a minute and 500 a day.',
    ],
  },
  google_ad_manager: {
    registration: GOOGLE_APP,
    review: GOOGLE_REVIEW,
    quirks: [
      ...GOOGLE_QUIRKS,
      'The client must turn on API access in Ad Manager, under Admin, Global settings.',
      'One person can reach several networks. Choose the network by its code.',
    ],
  },
  campaign_manager_360: {
    registration: GOOGLE_APP,
    review: GOOGLE_REVIEW,
    quirks: [
      ...GOOGLE_QUIRKS,
      'Calls name a user profile, and a person has one per account. The profile is what Adjoin calls the account.',
      'IDs are larger than JavaScript’s exact numbers. Keep them as text.',
    ],
  },
  xandr: {
    registration: `${NO_APP}The client creates an API user, with API login turned on. Users of type \`member_advertiser\` and \`member_publisher\` can’t use the API.`,
    review: NO_REVIEW,
    quirks: [
      '10 logins in 5 minutes at most. Adjoin keeps the session and logs in one at a time.',
      'Errors can have the status 200: read `response.error_id`. 100 objects per page.',
    ],
  },
  magnite: {
    registration: `${NO_APP}The client gets an access key and a secret key in Magnite’s user interface, or from their representative.`,
    review: NO_REVIEW,
    quirks: ['Magnite names no account: give the integration a name that says which it is.', 'Encode the + of DV+ in a query as %2B.'],
  },
  pubmatic: {
    registration: `${NO_APP}PubMatic’s account manager enables the API for the client’s login.`,
    review: NO_REVIEW,
    quirks: [
      '200 logins in 20 minutes disable the account. Adjoin logs in once and only renews after that.',
      'Tokens last 60 days and are renewed while they still work.',
    ],
  },
  freewheel: {
    registration: `${NO_APP}The client creates an API user in their FreeWheel network.`,
    review: NO_REVIEW,
    quirks: [
      'Passwords expire every 180 or 365 days. The client must then enter the new one.',
      'A login that works can still be refused by an API that isn’t enabled for the network.',
      '20 calls a second; error answers are plain text.',
    ],
  },
}
