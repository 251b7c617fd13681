import type { Output } from '@adjoin/contract/operations'
import type { Tone } from './design/notice.tsx'

export type Integration = Output<'getIntegration'>
export type Status = Integration['status']
export type Category = NonNullable<Integration['category']>

export const tones: Record<Status, Tone | 'quiet'> = { active: 'good', error: 'bad', pending: 'info', disabled: 'quiet' }

export const categories: Record<Category, string> = { wg: 'Ad networks', dsp: 'Demand side', ssp: 'Supply side and ad servers' }

export type Actor = 'client' | 'agency' | 'operator' | 'nobody'
type Told = Pick<Integration, 'status' | 'statusDetail' | 'lastError' | 'connectLink'>

/** Whose turn it is. The service says so in its sentence; while nothing is connected, the link tells. */
export function whoActs({ status, statusDetail, lastError, connectLink }: Told): Actor | undefined {
  if (status === 'disabled') return undefined
  if (status === 'error') return (/[Tt]he (client|agency|operator) must/.exec(statusDetail ?? '')?.[1] as Actor) ?? 'agency'
  if (lastError) return 'nobody'
  if (status === 'pending') return connectLink && !connectLink.expired ? 'client' : 'agency'
  return undefined
}

const turns: Record<Actor, string> = {
  client: 'The client must act',
  agency: 'You must act',
  operator: 'The operator must act',
  nobody: 'Tried again by itself',
}

/** In a few words, for a row: what is waited for. */
export function turnOf(integration: Told): string | undefined {
  const actor = whoActs(integration)
  if (integration.status !== 'pending' || actor === 'nobody') return actor && turns[actor]
  return actor === 'client' ? 'Waits for the client' : 'Needs a new link'
}

type Filters = { status?: string | undefined; provider?: string | undefined; search?: string | undefined }

/** What a row is found by: its name, its system, its account, and what is wrong with it. */
export const matchesFilters = (integration: Integration, { status, provider, search }: Filters): boolean =>
  (!status || integration.status === status) &&
  (!provider || integration.provider === provider) &&
  (!search || wordsOf(integration).includes(search.toLowerCase()))

const wordsOf = ({ name, providerName, connectedAccount, statusDetail, lastError }: Integration) =>
  [name, providerName, connectedAccount, statusDetail, lastError].filter(Boolean).join(' ').toLowerCase()
