import type { ConnectItem, ConnectRequest } from './request-words.ts'

const later = 'Ad system was temporarily unavailable'
const ours = 'Adjoin is not set up for it'

/** Why an attempt failed, in a few words for those who asked. What the client read about it is longer, and comes from the service. */
const reasons: Record<string, string> = {
  consent_denied: 'Didn’t allow access',
  consent_expired: 'Signing in took too long',
  grant_revoked: 'Access was revoked',
  access_refused: 'Access was rejected',
  login_refused: 'Credentials were rejected',
  login_blocked: 'User is blocked at the ad system',
  password_expired: 'Password has expired',
  wrong_login_kind: 'Wrong sign-in type',
  wrong_region: 'Wrong region',
  wrong_account: 'Used a different account',
  scope_missing: 'Didn’t grant all permissions',
  no_account: 'User has no ad account',
  account_closed: 'Account is closed or not enabled',
  permission_missing: 'User is missing a permission',
  api_not_enabled: 'API access is turned off',
  account_unreachable: 'User has no access to the account',
  setting_missing: 'A setting is missing',
  ...{ app_misconfigured: ours, app_not_approved: ours, api_version_ended: ours, odd_answer: ours, address_refused: ours },
  ...{ throttled: later, outage: later, timeout: later, network: later, busy: later, settling: later },
  login_locked: 'Login is locked for a few minutes',
}

const unfinished: Record<NonNullable<ConnectItem['missing']>, string> = {
  account: 'Connected, account not chosen',
  settings: 'Connected, a setting is missing',
  access: 'Connected, access must be given again',
  verification: 'Connected, not verified yet',
}

/** Where a client is with an item that is not done; null for one that is. */
export function stuckOn({
  status,
  reason,
  missing,
  startedAt,
}: Pick<ConnectItem, 'status' | 'reason' | 'missing' | 'startedAt'>): string | null {
  if (status === 'failed') return (reason && reasons[reason]) || 'The last attempt failed'
  if (status === 'unfinished' && missing) return unfinished[missing]
  if (status !== 'pending') return null
  return startedAt ? 'Started, not finished' : 'Not started'
}

export type SystemFunnel = {
  provider: string
  providerName: string
  asked: number
  started: number
  connected: number
  declined: number
  /** What holds clients up, most frequent first. */
  stuck: [why: string, count: number][]
}

/** How far clients get with each ad system; where most are stuck comes first. Canceled requests say nothing about it. */
export function funnelOf(requests: Pick<ConnectRequest, 'status' | 'items'>[]): SystemFunnel[] {
  const items = requests.flatMap(({ status, items }) => (status === 'canceled' ? [] : items))
  const funnels = [...Map.groupBy(items, ({ provider }) => provider)].map(([provider, own]): SystemFunnel => {
    const why = Map.groupBy(
      own.flatMap((item) => stuckOn(item) ?? []),
      (words) => words,
    )
    const count = (fits: (item: ConnectItem) => boolean) => own.filter(fits).length
    return {
      provider,
      providerName: own[0]!.providerName,
      asked: own.length,
      started: count(({ startedAt, completedAt, status }) => (startedAt ?? completedAt) !== null || status === 'unfinished'),
      connected: count(({ status }) => status === 'connected'),
      declined: count(({ status }) => status === 'declined'),
      stuck: [...why].map(([words, each]): [string, number] => [words, each.length]).toSorted((a, b) => b[1] - a[1]),
    }
  })
  const held = ({ stuck }: SystemFunnel) => stuck.reduce((sum, [, count]) => sum + count, 0)
  return funnels.toSorted((a, b) => held(b) - held(a) || a.providerName.localeCompare(b.providerName))
}
