// What is not in the OpenAPI document, written by `npm run docs`.
import errorList from './generated/errors.json'
import operationTable from './generated/operations.json'
import providerList from './generated/providers.json'

export type Command = {
  words: string
  arguments: string[]
  /** By the name of the parameter or field: the flag, and what it takes. */
  flags: Record<string, [flag: string, kind: 'text' | 'number' | 'boolean' | 'pairs' | 'list']>
}
export type OperationFacts = { command: Command | null; errors: string[] }
export type ErrorFacts = { code: string; status: number; title: string; detail: string | null }
export type ProviderField = {
  name: string
  label: string
  type: string
  required: boolean
  secret: boolean
  options: string[] | null
  default: string | null
  help: string | null
}
export type ProviderFacts = {
  provider: string
  providerName: string
  category: 'wg' | 'dsp' | 'ssp'
  authMethod: 'oauth' | 'credentials'
  connectFields: ProviderField[]
  settingsFields: ProviderField[]
  scopes: string[]
  documentationUrl: string
  version: string | null
  lifetimes: { access: number | null; refresh: number | null; refreshIs: string | null; rotates: boolean; renew: string }
  loginQuota: { logins: number; seconds: number } | null
  appSettings: string[]
  optionalAppSettings: string[]
  dailyCalls: { calls: number; zone: string; host: string | null } | null
  gateway: {
    hosts: string[]
    fence: boolean
    headers: string[]
    paging: { by: string }[]
    examples: { title: string; method: string; path: string; body: unknown; effect: 'read' | 'change' }[]
    versions: string[]
    paths: string[]
    reads: string[]
    closed: string[]
  } | null
  registration: string
  review: string
  quirks: string[]
}

export const operationFacts = operationTable as unknown as Record<string, OperationFacts>
export const errorFacts: ErrorFacts[] = errorList
export const providerFacts = providerList as unknown as ProviderFacts[]

/** An operation that is newer than this page has no facts yet. */
export const factsOf = (operationId: string): OperationFacts => operationFacts[operationId] ?? { command: null, errors: [] }
