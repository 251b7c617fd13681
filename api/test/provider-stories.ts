/**
 * One row per provider for the stories of providers.test.ts:
 * what is entered, what is found, what refusals mean there.
 */

import type { ProviderId } from '@adjoin/contract'
import type { FieldValues } from '../src/providers/provider.ts'
import type { PermanentReason } from '../src/providers/reasons.ts'

export type Story = {
  /** The connect form filled in; `word` goes where the twin looks for its script (credentials only). */
  fields: (word: string) => FieldValues
  settings: FieldValues
  account: { id: string; name: string }
  /** After the twin played `refuse`. */
  refused: PermanentReason
  /** After a login or consent that worked was withdrawn. */
  withdrawn: PermanentReason
  /** Settings with an account the login does not reach, and what is then said. */
  foreign?: { settings: FieldValues; reason: PermanentReason }
  /** Where a dead access token cannot be renewed, because renewing takes a living one. */
  renewsAliveOnly?: true
  /** Seconds the twin asks to wait when throttling; undefined where the system does not say. */
  retryAfter?: number
}

export const stories: Record<ProviderId, Story> = {
  google_ads: {
    fields: () => ({}),
    settings: { customerId: '1234567890' },
    account: { id: '1234567890', name: 'Example Advertiser' },
    refused: 'grant_revoked',
    withdrawn: 'grant_revoked',
    foreign: { settings: { customerId: '1112223333' }, reason: 'account_unreachable' },
    retryAfter: 40,
  },
  meta_ads: {
    fields: () => ({}),
    settings: { adAccountId: '1234567890' },
    account: { id: '1234567890', name: 'Example Ad Account' },
    refused: 'grant_revoked',
    withdrawn: 'grant_revoked',
    foreign: { settings: { adAccountId: '1112223333' }, reason: 'account_unreachable' },
    renewsAliveOnly: true,
    retryAfter: 19 * 60,
  },
  microsoft_ads: {
    fields: () => ({ identityProvider: 'microsoft' }),
    settings: { customerId: '1234567890', accountId: '1234567890' },
    account: { id: '1234567890', name: 'Example Account' },
    refused: 'grant_revoked',
    withdrawn: 'grant_revoked',
    foreign: { settings: { customerId: '1234567890', accountId: '1112223333' }, reason: 'account_unreachable' },
    retryAfter: 60,
  },
  amazon_ads: {
    fields: () => ({ region: 'EU' }),
    settings: { profileId: '1234567890' },
    account: { id: '1234567890', name: 'Example Seller (DE)' },
    refused: 'grant_revoked',
    withdrawn: 'grant_revoked',
    foreign: { settings: { profileId: '1112223333' }, reason: 'account_unreachable' },
    retryAfter: 5,
  },
  tiktok_ads: {
    fields: () => ({}),
    settings: { advertiserId: '1234567890' },
    account: { id: '1234567890', name: 'Example Advertiser' },
    refused: 'grant_revoked',
    withdrawn: 'grant_revoked',
    foreign: { settings: { advertiserId: '7000000000000000042' }, reason: 'account_unreachable' },
  },
  linkedin_ads: {
    fields: () => ({}),
    settings: { adAccountId: '1234567890' },
    account: { id: '1234567890', name: 'Example Account' },
    refused: 'grant_revoked',
    withdrawn: 'grant_revoked',
    foreign: { settings: { adAccountId: '1112223333' }, reason: 'account_unreachable' },
  },
  pinterest_ads: {
    fields: () => ({}),
    settings: { adAccountId: '1234567890' },
    account: { id: '1234567890', name: 'Example Ad Account' },
    refused: 'grant_revoked',
    withdrawn: 'grant_revoked',
    foreign: { settings: { adAccountId: '1112223333' }, reason: 'account_unreachable' },
    retryAfter: 42,
  },
  snapchat_ads: {
    fields: () => ({}),
    settings: { adAccountId: '3f2c8a3e-53d4-4d0c-9a35-6a8f0f4f4b77', organizationId: '40d6719b-0000-4000-8000-0cc9c0dfed1d' },
    account: { id: '3f2c8a3e-53d4-4d0c-9a35-6a8f0f4f4b77', name: 'Example Ad Account' },
    refused: 'grant_revoked',
    withdrawn: 'grant_revoked',
    foreign: { settings: { adAccountId: '11111111-2222-4333-8444-555555555555' }, reason: 'account_unreachable' },
  },
  reddit_ads: {
    fields: () => ({}),
    settings: { adAccountId: 't2_abc123', businessId: 'b7f1c2d3-0000-4000-8000-0000000000b1' },
    account: { id: 't2_abc123', name: 'Example Ad Account' },
    refused: 'grant_revoked',
    withdrawn: 'grant_revoked',
    foreign: { settings: { adAccountId: 'a2_notmine' }, reason: 'account_unreachable' },
    retryAfter: 42,
  },
  display_video_360: {
    fields: () => ({}),
    settings: { partnerId: '1234567890' },
    account: { id: '1234567890', name: 'Example Partner' },
    refused: 'grant_revoked',
    withdrawn: 'grant_revoked',
    foreign: { settings: { partnerId: '1112223333' }, reason: 'account_unreachable' },
  },
  the_trade_desk: {
    fields: (word) => ({ apiToken: `FAKE-token-${word}` }),
    settings: { partnerId: '1234567890' },
    account: { id: '1234567890', name: 'Example Partner' },
    refused: 'login_refused',
    withdrawn: 'login_refused',
    foreign: { settings: { partnerId: '1739' }, reason: 'account_unreachable' },
    retryAfter: 60,
  },
  criteo: {
    fields: (word) => ({ clientId: 'fakeclientid', clientSecret: `fake+secret/${word}=` }),
    settings: { advertiserId: '1234567890' },
    account: { id: '1234567890', name: 'Example Advertiser' },
    refused: 'login_refused',
    withdrawn: 'login_refused',
    foreign: { settings: { advertiserId: '13' }, reason: 'account_unreachable' },
    retryAfter: 30,
  },
  stackadapt: {
    fields: (word) => ({ apiKey: `fake-graphql-key-${word}` }),
    settings: { advertiserId: '1234567890' },
    account: { id: '1234567890', name: 'Example Advertiser' },
    refused: 'login_refused',
    withdrawn: 'login_refused',
    foreign: { settings: { advertiserId: '42' }, reason: 'account_unreachable' },
  },
  adform: {
    fields: (word) => ({ clientId: 'fake.client@clients.adform.com', clientSecret: `fake-secret-${word}` }),
    settings: { advertiserIds: '1234567890' },
    account: { id: '1234567890', name: 'Example Advertiser' },
    refused: 'login_refused',
    withdrawn: 'login_refused',
    foreign: { settings: { advertiserIds: '1234567890,42' }, reason: 'account_unreachable' },
  },
  google_ad_manager: {
    fields: () => ({}),
    settings: { networkCode: '1234567890' },
    account: { id: '1234567890', name: 'Example Network' },
    refused: 'grant_revoked',
    withdrawn: 'grant_revoked',
    foreign: { settings: { networkCode: '1112223333' }, reason: 'account_unreachable' },
  },
  campaign_manager_360: {
    fields: () => ({}),
    settings: { profileId: '1234567890' },
    account: { id: '1234567890', name: 'Example CM360 Account' },
    refused: 'grant_revoked',
    withdrawn: 'grant_revoked',
    foreign: { settings: { profileId: '1112223333' }, reason: 'account_unreachable' },
  },
  xandr: {
    fields: (word) => ({ username: 'api-user', password: `Passw0rd-${word}` }),
    settings: { memberId: '1234567890' },
    account: { id: '1234567890', name: 'Example Member' },
    refused: 'login_refused',
    withdrawn: 'login_refused',
    foreign: { settings: { memberId: '42' }, reason: 'account_unreachable' },
    retryAfter: 9,
  },
  magnite: {
    fields: (word) => ({ accessKey: 'fakeaccesskey0000000000000000000000000f', secretKey: `fakesecret${word}` }),
    settings: { accountId: '1234567890' },
    account: { id: '1234567890', name: 'Publisher 1234567890' },
    refused: 'login_refused',
    withdrawn: 'login_refused',
    foreign: { settings: { accountId: '42' }, reason: 'account_unreachable' },
    retryAfter: 60,
  },
  pubmatic: {
    fields: (word) => ({ username: 'person@example.com', password: `Passw0rd-${word}` }),
    settings: { accountId: '1234567890' },
    account: { id: '1234567890', name: 'person@example.com' },
    refused: 'login_refused',
    withdrawn: 'login_refused',
    foreign: { settings: { accountId: '42' }, reason: 'account_unreachable' },
  },
  freewheel: {
    fields: (word) => ({ username: 'fakeuser', password: `fake-password-${word}` }),
    settings: { networkId: '999' },
    account: { id: '1234567890', name: 'fakeuser (network 999)' },
    refused: 'login_refused',
    withdrawn: 'login_refused',
  },
}
