import type { Output } from '@adjoin/contract/operations'
import type { Tone } from './design/notice.tsx'

export type Integration = Output<'verifyIntegration'>
export type HealthyIntegration = Output<'getIntegration'>
export type Status = Integration['status']
export type Category = NonNullable<Integration['category']>

export const tones: Record<Status, Tone | 'quiet'> = { active: 'good', error: 'bad', pending: 'info', disabled: 'quiet' }

export const categories: Record<Category, string> = {
  wg: 'Ad networks',
  dsp: 'Demand-side platforms',
  ssp: 'Supply-side platforms and ad servers',
}

const turns: Record<NonNullable<Integration['mustAct']>, string> = {
  client: 'Your client needs to act',
  agency: 'You need to act',
  operator: 'Your Adjoin operator needs to act',
  nobody: 'Retrying automatically',
}

/** In a few words, for a row: what is waited for. */
export function turnOf({ status, mustAct }: Pick<Integration, 'status' | 'mustAct'>): string | undefined {
  if (status === 'pending' && mustAct === 'client') return 'Waiting for your client'
  if (status === 'pending' && mustAct === 'agency') return 'Needs a new link'
  return mustAct ? turns[mustAct] : undefined
}
