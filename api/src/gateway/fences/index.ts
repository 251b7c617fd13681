// Where calls can be limited to certain accounts: adding a system does not compile until it has a row here, if only null.
import type { ProviderId } from '@adjoin/contract'
import { amazonAdsFence } from './amazon-ads.ts'
import { campaignManager360Fence } from './campaign-manager-360.ts'
import { criteoFence } from './criteo.ts'
import { displayVideo360Fence } from './display-video-360.ts'
import type { Fence } from './fence.ts'
import { googleAdManagerFence } from './google-ad-manager.ts'
import { googleAdsFence } from './google-ads.ts'
import { linkedinAdsFence } from './linkedin-ads.ts'
import { magniteFence } from './magnite.ts'
import { metaAdsFence } from './meta-ads.ts'
import { microsoftAdsFence } from './microsoft-ads.ts'
import { pinterestAdsFence } from './pinterest-ads.ts'
import { pubmaticFence } from './pubmatic.ts'
import { redditAdsFence } from './reddit-ads.ts'
import { snapchatAdsFence } from './snapchat-ads.ts'
import { theTradeDeskFence } from './the-trade-desk.ts'
import { tiktokAdsFence } from './tiktok-ads.ts'

/** Null: requests to this system need not name their account, so no fence would hold. */
export const fences: Record<ProviderId, Fence | null> = {
  google_ads: googleAdsFence,
  meta_ads: metaAdsFence,
  microsoft_ads: microsoftAdsFence,
  amazon_ads: amazonAdsFence,
  tiktok_ads: tiktokAdsFence,
  linkedin_ads: linkedinAdsFence,
  pinterest_ads: pinterestAdsFence,
  snapchat_ads: snapchatAdsFence,
  reddit_ads: redditAdsFence,
  display_video_360: displayVideo360Fence,
  the_trade_desk: theTradeDeskFence,
  criteo: criteoFence,
  stackadapt: null,
  adform: null,
  google_ad_manager: googleAdManagerFence,
  campaign_manager_360: campaignManager360Fence,
  xandr: null,
  magnite: magniteFence,
  pubmatic: pubmaticFence,
  freewheel: null,
}
