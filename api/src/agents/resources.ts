// What agents may read besides: the catalogue of ad systems, and who may do what.
import { access } from '@adjoin/contract'
import type { Asking } from './tool.ts'

export interface Resource {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
  read(asking: Asking): Promise<string>
}

export const resources: readonly Resource[] = [
  {
    uri: 'adjoin://providers',
    name: 'providers',
    title: 'Ad systems',
    description: 'The ad systems that can be connected: their ids, how clients connect them, and whether calls can be made.',
    mimeType: 'application/json',
    async read(asking) {
      const { providers } = await asking.ask('listProviders', {})
      return JSON.stringify(
        providers.map(({ provider, providerName, category, authMethod, available, documentationUrl, gateway }) => ({
          provider,
          name: providerName,
          category,
          authMethod,
          available,
          callable: gateway !== null,
          documentation: documentationUrl,
        })),
      )
    },
  },
  {
    uri: 'adjoin://access',
    name: 'access',
    title: 'Who may do what',
    description: 'The least role that each kind of credential needs for each operation of Adjoin; `-`: that kind is not accepted.',
    mimeType: 'application/json',
    async read(asking) {
      await asking.ask('listProviders', {}) // for everybody who may read anything at all
      return JSON.stringify(access)
    },
  },
]
