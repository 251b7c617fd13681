import { openToAll, quotas, shares } from '@adjoin/contract'
import type { Caller, Person } from '../../call.ts'
import { refuse } from '../../refusal.ts'

export type SharedQuota = keyof typeof shares

const WORDS = {
  liveApiKeys: { place: 'An organization', things: 'live API keys', room: 'Revoke one you no longer use' },
  pendingInvitations: { place: 'An organization', things: 'pending invitations', room: 'Cancel one' },
  integrations: { place: 'A workspace', things: 'integrations', room: 'Delete one you no longer use' },
} as const

/** `count` includes the one that is being made. The last tenth is for admins of the place. */
export function refuseBeyondQuota(quota: keyof typeof WORDS, count: number, admin: boolean, room: string = WORDS[quota].room): void {
  const { place, things } = WORDS[quota]
  const most = `${place} can have at most ${quotas[quota]} ${things}`
  if (count > quotas[quota]) refuse('quota_reached', { detail: `${most}. ${room}.` })
  if (!admin && count > openToAll(quota)) {
    const kept = quotas[quota] - openToAll(quota)
    refuse('quota_reached', { detail: `${most}, and the last ${kept} are reserved for admins. ${room}, or ask an admin.` })
  }
}

/** Nobody takes more than a share of what all need; `count` includes the one that is being made. */
export function refuseBeyondShare(quota: SharedQuota, count: number, whose: Pick<Person, 'id' | 'email'>, caller: Caller): void {
  if (count <= shares[quota]) return
  const who = caller.class === 'session' && caller.user.id === whose.id ? 'You have' : `${whose.email} has`
  const room = quota === 'pendingInvitations' ? `${WORDS[quota].room}, or ask a colleague to send the invitation` : WORDS[quota].room
  refuse('quota_reached', { detail: `${who} ${count - 1} ${WORDS[quota].things}, the maximum per person. ${room}.` })
}
