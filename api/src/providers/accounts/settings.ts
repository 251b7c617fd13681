import type { ProviderId } from '@adjoin/contract'
import { missingFields } from '../fields.ts'
import type { FieldValues, Provider } from '../provider.ts'
import { accountLists } from './index.ts'

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

interface AccountSetting {
  readonly setting: string
  readonly kind: string
}

/** What an account is still to be picked for: the setting that takes it, and those that what is above it is for. */
export interface AccountChoice {
  readonly first: AccountSetting
  readonly others: readonly AccountSetting[]
}

/** Null where something is missing that no account of the list gives, or nothing is. */
export function accountChoice(provider: Provider, settings: FieldValues): AccountChoice | null {
  const missing = missingFields(provider.settingsFields, settings)
  const unset = accountSettings[provider.id].filter(([setting]) => !Object.hasOwn(settings, setting))
  const [first, ...others] = unset.map(([setting, kind]) => ({ setting, kind }))
  if (!first || !missing.length || !accountLists[provider.id]) return null
  return missing.every(({ name }) => unset.some(([setting]) => setting === name)) ? { first, others } : null
}
