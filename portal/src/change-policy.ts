import type { Output } from '@adjoin/contract/operations'
import { client, type IntegrationParams } from './api.ts'

type CallPolicy = Output<'getIntegration'>['callPolicy']

/**
 * A policy is always sent whole. The half that is not changed is sent as it is now, not as it was when the page was read:
 * whoever changes the mode must not undo the limit to accounts that somebody has set meanwhile.
 */
export async function changePolicy(place: IntegrationParams, change: Partial<CallPolicy>): Promise<unknown> {
  const { callPolicy } = await client.getIntegration(place)
  return client.setIntegrationCallPolicy(place, { ...callPolicy, ...change })
}
