// Who lists accounts, and how: adding an ad system does not compile until it says so here.
import type { ProviderId } from '@adjoin/contract'
import { listAdform } from './adform.ts'
import { listAmazonAds } from './amazon-ads.ts'
import { listCampaignManager360 } from './campaign-manager-360.ts'
import { listCriteo } from './criteo.ts'
import { listDisplayVideo360 } from './display-video-360.ts'
import { listGoogleAdManager } from './google-ad-manager.ts'
import { listGoogleAds } from './google-ads.ts'
import { listLinkedinAds } from './linkedin-ads.ts'
import type { ListAccounts } from './list.ts'
import { listMetaAds } from './meta-ads.ts'
import { listMicrosoftAds } from './microsoft-ads.ts'
import { listPinterestAds } from './pinterest-ads.ts'
import { listRedditAds } from './reddit-ads.ts'
import { listSnapchatAds } from './snapchat-ads.ts'
import { listStackadapt } from './stackadapt.ts'
import { listTheTradeDesk } from './the-trade-desk.ts'
import { listTiktokAds } from './tiktok-ads.ts'
import { listXandr } from './xandr.ts'

/** Null: the system has no list that is known for sure, so the account is what the settings say. */
export const accountLists: Record<ProviderId, ListAccounts | null> = {
  google_ads: listGoogleAds,
  meta_ads: listMetaAds,
  microsoft_ads: listMicrosoftAds,
  amazon_ads: listAmazonAds,
  tiktok_ads: listTiktokAds,
  linkedin_ads: listLinkedinAds,
  pinterest_ads: listPinterestAds,
  snapchat_ads: listSnapchatAds,
  reddit_ads: listRedditAds,
  display_video_360: listDisplayVideo360,
  the_trade_desk: listTheTradeDesk,
  criteo: listCriteo,
  stackadapt: listStackadapt,
  adform: listAdform,
  google_ad_manager: listGoogleAdManager,
  campaign_manager_360: listCampaignManager360,
  xandr: listXandr,
  magnite: null,
  pubmatic: null,
  freewheel: null,
}
