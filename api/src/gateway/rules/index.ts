// The tables of all ad systems: adding a system does not compile until it has a row here, if only null.
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
import { pubmatic } from './pubmatic.ts'
import { redditAds } from './reddit-ads.ts'
import type { GatewayRules } from './rules.ts'
import { snapchatAds } from './snapchat-ads.ts'
import { stackadapt } from './stackadapt.ts'
import { theTradeDesk } from './the-trade-desk.ts'
import { tiktokAds } from './tiktok-ads.ts'
import { xandr } from './xandr.ts'

/** Null: what this system would do with a call cannot be judged, so none is sent. */
export const gatewayRules: Record<ProviderId, GatewayRules | null> = {
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
