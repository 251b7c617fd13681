// What is said about a field, found by where the field is.
import { descriptions } from './descriptions.ts'
import { integrationDescriptions } from './integration-descriptions.ts'
import { integrationSamples, samples } from './samples.ts'

/** `['AuditEntry', 'actor', 'type']`: a schema or operation, then the names of the fields down to this one. */
export type Place = readonly [root: string, ...names: string[]]

/** Schemas that have all fields of another one. */
const EXTENDED: Readonly<Record<string, string>> = {
  MintedApiKey: 'ApiKey',
  CurrentApiKey: 'ApiKey',
  LinkedIntegration: 'Integration',
  IntegrationWithHealth: 'Integration',
  FoundIntegration: 'Integration',
  WebhookWithSecret: 'Webhook',
  PublicInvitation: 'Invitation',
  ConnectProvider: 'Provider',
}

/** The keys that a place is looked up by, the most exact first. */
const keysOf = ([root, ...names]: Place): string[] => {
  const roots = EXTENDED[root] ? [root, EXTENDED[root]] : [root]
  return [...roots.map((one) => [one, ...names].join('.')), names.slice(-2).join('.'), names.at(-1)!]
}

const allDescriptions = { ...descriptions, ...integrationDescriptions }
const allSamples = { ...samples, ...integrationSamples }

export const descriptionOf = (place: Place): string | undefined => allDescriptions[keysOf(place).find((key) => key in allDescriptions)!]

/** Undefined: none is known. A sample may be undefined itself, which leaves the field out. */
export function sampleOf(place: Place): { readonly value: unknown } | undefined {
  const key = keysOf(place).find((one) => one in allSamples)
  return key === undefined ? undefined : { value: allSamples[key] }
}

/** For the test that looks for words about fields that are gone. */
export const described = { descriptions: allDescriptions, samples: allSamples }
