import type { ProviderId } from '@adjoin/contract'

/**
 * The settings that take an account of the list, and of which kind. The first one is picked;
 * the others take what is above it.
 */
export const accountSettings: Record<ProviderId, readonly (readonly [setting: string, kind: string])[]> = {
  google_ads: [
    ['customerId', 'account'],
    ['loginCustomerId', 'manager'],
  ],
  meta_ads: [
    ['adAccountId', 'account'],
    ['businessId', 'business'],
  ],
  microsoft_ads: [
    ['accountId', 'account'],
    ['customerId', 'customer'],
  ],
  amazon_ads: [['profileId', 'profile']],
  tiktok_ads: [['advertiserId', 'advertiser']],
  linkedin_ads: [['adAccountId', 'account']],
  pinterest_ads: [['adAccountId', 'account']],
  snapchat_ads: [
    ['adAccountId', 'account'],
    ['organizationId', 'organization'],
  ],
  reddit_ads: [
    ['adAccountId', 'account'],
    ['businessId', 'business'],
  ],
  display_video_360: [['partnerId', 'partner']],
  the_trade_desk: [['partnerId', 'partner']],
  criteo: [['advertiserId', 'advertiser']],
  stackadapt: [['advertiserId', 'advertiser']],
  adform: [],
  google_ad_manager: [['networkCode', 'network']],
  campaign_manager_360: [['profileId', 'profile']],
  xandr: [['memberId', 'member']],
  magnite: [],
  pubmatic: [],
  freewheel: [],
}
