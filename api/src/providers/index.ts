/** The catalogue: one line per ad system. */
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
export const providers: readonly Provider[] = [
  googleAds,
  metaAds,
  microsoftAds,
  amazonAds,
  tiktokAds,
  linkedinAds,
  pinterestAds,
  snapchatAds,
  redditAds,
  displayVideo360,
  theTradeDesk,
  criteo,
  stackadapt,
  adform,
  googleAdManager,
  campaignManager360,
  xandr,
  magnite,
  pubmatic,
  freewheel,
]

const byId = new Map(providers.map((provider) => [provider.id, provider]))

/** Undefined for one that is not, or no longer, in the catalogue. */
export const findProvider = (id: string): Provider | undefined => byId.get(id)

export type Descriptor = {
  provider: string
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
export function descriptor(provider: Provider, available: boolean): Descriptor {
  const shown = ({ tidy: _, ...field }: Field) => field
  return {
    provider: provider.id,
    providerName: provider.name,
    category: provider.category,
    authMethod: provider.authMethod,
    available,
    connectFields: provider.connectFields.map(shown),
    settingsFields: provider.settingsFields.map(shown),
    scopes: [...provider.scopes],
    documentationUrl: provider.documentationUrl,
  }
}
