import type { Output } from '@adjoin/contract/operations'
import type { Words } from './words/en.ts'

export type Link = Output<'getConnectLink'>
export type AskedProvider = Omit<Link['provider'], 'gateway'>
export type RequestedItem = NonNullable<Output<'getPublicConnectRequest'>['request']>['items'][number]
export type Receipt = Output<'getReceipt'>
export type ConnectOutcome = Output<'submitConnectCredentials'>

/** The fields with their help in the client's language; their labels stay as the ad system writes them. */
export const helpful = ({ provider, connectFields }: AskedProvider, { help }: Words): AskedProvider['connectFields'] =>
  connectFields.map((field) => ({ ...field, help: (help as Record<string, string>)[`${provider}.${field.name}`] ?? field.help }))

/** Whom to turn to: the person, if there still is one, and the organization. */
export const whoAsks = ({ requester, organization }: Pick<Link, 'requester' | 'organization'>, { page }: Words): string =>
  requester ? page.at(requester.name, organization.name) : organization.name
