// How many calls a day an ad system lets the operator's app make, over all organizations.
import type { ProviderId } from '@adjoin/contract'
import type { Provider } from '../providers/provider.ts'
import { settingName } from '../providers/vendor-sessions.ts'

export interface DailyCalls {
  /** What the ad system allows. */
  readonly calls: number
  /** What one organization may use, and all together; the rest is kept for checks, renewals and logins. */
  readonly share: number
  readonly most: number
  /** Where the ad system's day begins at midnight. */
  readonly zone: string
  /** Only calls to this host count. */
  readonly host?: string | undefined
}

interface VendorDay {
  /** Published by the vendor for an app with ordinary access. Absent: it publishes none. */
  readonly calls?: number
  readonly zone: string
  readonly host?: string
}

const PACIFIC = 'America/Los_Angeles'
const UTC: VendorDay = { zone: 'UTC' }

/** Quotas by the minute or by the account are the vendor's to hold: its throttling is remembered. */
const days: Partial<Record<ProviderId, VendorDay>> = {
  // Basic access, counted by developer token; Explorer has 2,880, Standard no limit.
  google_ads: { calls: 15_000, zone: PACIFIC },
  campaign_manager_360: { calls: 50_000, zone: PACIFIC },
  // Of reports alone: everything else is counted by the minute.
  display_video_360: { calls: 2_000, zone: PACIFIC, host: 'doubleclickbidmanager.googleapis.com' },
  google_ad_manager: { zone: PACIFIC },
  // Basic access; the higher tiers have more.
  tiktok_ads: { calls: 864_000, zone: 'UTC' },
}

/**
 * Null: none is known, or the operator has none.
 * A twin has no day to use up: there only what was set counts.
 */
export function dailyCallsOf(
  provider: Provider,
  settings: Readonly<Record<string, string | undefined>>,
  twin: string | undefined,
): DailyCalls | null {
  const { calls: published, zone, host } = days[provider.id] ?? UTC
  const set = settings[settingName(provider, 'dailyCalls')]
  const calls = set === undefined ? (twin ? undefined : published) : set === 'none' ? undefined : Number(set)
  if (!calls) return null
  return { calls, share: Math.max(1, Math.floor(calls / 2)), most: Math.max(1, Math.floor(calls * 0.9)), zone, host }
}
