/** The catalogue: one line per ad system. */
import type { ProviderId } from '@adjoin/contract'
import { adform } from './adform.ts'
import { amazonAds } from './amazon-ads.ts'
import { campaignManager360 } from './campaign-manager-360.ts'
import { criteo } from './criteo.ts'
import { displayVideo360 } from './display-video-360.ts'
import { freewheel } from './freewheel.ts'
import { googleAdManager } from './google-ad-manager.ts'
import { googleAds } from './google-ads.ts'
import { linkedinAds } from './linkedin-ads.ts'
import { magnite } from './magnite.ts'
import { metaAds } from './meta-ads.ts'
import { microsoftAds } from './microsoft-ads.ts'
import { pinterestAds } from './pinterest-ads.ts'
import type { Field, Provider } from './provider.ts'
import { pubmatic } from './pubmatic.ts'
import { redditAds } from './reddit-ads.ts'
import { snapchatAds } from './snapchat-ads.ts'
import { stackadapt } from './stackadapt.ts'
import { theTradeDesk } from './the-trade-desk.ts'
import { tiktokAds } from './tiktok-ads.ts'
import { xandr } from './xandr.ts'

// biome-ignore format: one line per system, in the order people see
const catalogue: Record<ProviderId, Provider> = {
  google_ads: googleAds,
  meta_ads: metaAds,
  microsoft_ads: microsoftAds,
  amazon_ads: amazonAds,
  tiktok_ads: tiktokAds,
  linkedin_ads: linkedinAds,
  pinterest_ads: pinterestAds,
  snapchat_ads: snapchatAds,
  reddit_ads: redditAds,
  display_video_360: displayVideo360,
  the_trade_desk: theTradeDesk,
  criteo: criteo,
  stackadapt: stackadapt,
  adform: adform,
  google_ad_manager: googleAdManager,
  campaign_manager_360: campaignManager360,
  xandr: xandr,
  magnite: magnite,
  pubmatic: pubmatic,
  freewheel: freewheel,
}

export const providers: readonly Provider[] = Object.values(catalogue)

/** Undefined for one that is not, or no longer, in the catalogue. */
export const findProvider = (id: string): Provider | undefined => (Object.hasOwn(catalogue, id) ? catalogue[id as ProviderId] : undefined)

export type Descriptor = {
  provider: ProviderId
  providerName: string
  category: Provider['category']
  authMethod: Provider['authMethod']
  available: boolean
  connectFields: Omit<Field, 'tidy'>[]
  settingsFields: Omit<Field, 'tidy'>[]
  scopes: string[]
  documentationUrl: string
}

/** What the world may know of a provider. */
const shown = ({ tidy: _, ...field }: Field) => field
/** Without what only we use of it. */
export const shownFields = (fields: readonly Field[]) => fields.map(shown)

export function descriptor(provider: Provider, available: boolean): Descriptor {
  return {
    provider: provider.id,
    providerName: provider.name,
    category: provider.category,
    authMethod: provider.authMethod,
    available,
    connectFields: shownFields(provider.connectFields),
    settingsFields: shownFields(provider.settingsFields),
    scopes: [...provider.scopes],
    documentationUrl: provider.documentationUrl,
  }
}
