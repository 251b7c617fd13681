// What the world may know of the gateway to an ad system.
import type { CallEffect, Paging, ProviderId } from '@adjoin/contract'
import { accountSettings } from '../providers/accounts/settings.ts'
import { type Example, examples } from './examples.ts'
import { fences } from './fences/index.ts'
import { judge } from './judge.ts'
import { paging } from './paging.ts'
import { gatewayRules } from './rules/index.ts'
import type { GatewayRules } from './rules/rules.ts'
import { readBody, readQuery } from './vendor-request.ts'

export interface GatewayDescription {
  hosts: string[]
  fence: boolean
  headers: string[]
  paging: Paging[]
  accountSettings: { setting: string; kind: string }[]
  examples: (Example & { effect: CallEffect })[]
}

function described(provider: ProviderId, rules: GatewayRules): GatewayDescription {
  const reached = (host: string) => rules.allow.some((row) => row.host === undefined || row.host === host)
  return {
    hosts: rules.hosts.map(({ host }) => host).filter(reached),
    fence: fences[provider] !== null,
    headers: [...rules.headers],
    paging: [...paging[provider]],
    accountSettings: accountSettings[provider].map(([setting, kind]) => ({ setting, kind })),
    examples: examples[provider].map((example) => ({ ...example, effect: effectOf(rules, example) })),
  }
}

/** As the rules judge it: an example that they refuse is a mistake in one of the two tables. */
function effectOf(rules: GatewayRules, { method, path, body }: Example): CallEffect {
  const [target = '', query = ''] = path.split('?')
  const open = rules.hosts.map(({ host }) => host)
  const named = open.find((host) => target.startsWith(`${host}/`))
  const bytes = body ? Buffer.from(JSON.stringify(body)) : new Uint8Array()
  const request = {
    method,
    path: named ? target.slice(named.length) : `/${target}`,
    query: readQuery(query),
    headers: {},
    body: readBody(bytes, 'application/json'),
  }
  const judgement = judge(rules, request, { open, named })
  if ('refused' in judgement) throw new Error(`the gateway refuses its own example ${method} ${path}: ${judgement.refused}`)
  return judgement.effect
}

const descriptions = new Map(
  (Object.entries(gatewayRules) as [ProviderId, GatewayRules | null][]).map(([id, rules]) => [id, rules && described(id, rules)]),
)

/** Null where no call can be made. */
export const gatewayOf = (provider: ProviderId): GatewayDescription | null => descriptions.get(provider) ?? null

/** What can be read there: paths that are open to GET, and others that read although they are no GET. */
export const readablePathsOf = (provider: ProviderId): GatewayRules['written'] | null => gatewayRules[provider]?.written ?? null
