import type { Handler } from '../../call.ts'
import { descriptor, findProvider, providers } from '../../providers/index.ts'
import { refuse } from '../../refusal.ts'

export const listProviders: Handler<'listProviders'> = async ({ parts }) => ({
  providers: providers.map((provider) => descriptor(provider, parts.vendorSessions.available(provider))),
})

export const getProvider: Handler<'getProvider'> = async ({ parts, params }) => {
  const provider = findProvider(params.provider) ?? refuse('not_found')
  return descriptor(provider, parts.vendorSessions.available(provider))
}
