import type { Handler } from '../../call.ts'
import { findProvider, providers } from '../../providers/index.ts'
import { refuse } from '../../refusal.ts'
import { describeProvider } from './provider-description.ts'

export const listProviders: Handler<'listProviders'> = async ({ parts }) => ({
  providers: providers.map((provider) => describeProvider(parts, provider)),
})

export const getProvider: Handler<'getProvider'> = async ({ parts, params }) =>
  describeProvider(parts, findProvider(params.provider) ?? refuse('not_found'))
