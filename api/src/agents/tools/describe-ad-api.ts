import { type ProviderId, providerIds } from '@adjoin/contract'
import * as z from 'zod'
import { readablePathsOf } from '../../gateway/describe.ts'
import { quirks } from '../quirks.ts'
import { tool } from '../tool.ts'

const Example = z.object({
  title: z.string(),
  method: z.string(),
  path: z.string(),
  body: z.record(z.string(), z.unknown()).nullable(),
})

export const describeAdApi = tool({
  name: 'describe_ad_api',
  title: 'Describe an ad system’s API',
  description:
    'Explains how to read one ad system with read_ad_system: calls to try first, paths that read, headers, paging, units of money, limits. ' +
    'Call it once before you read a system for the first time. It says nothing about your accounts: see list_accounts for those.',
  input: z.strictObject({ provider: z.enum(providerIds) }),
  output: z.object({
    provider: z.string(),
    name: z.string(),
    callable: z.boolean().describe('false: no calls can be made to this ad system'),
    documentation: z.string(),
    hosts: z.array(z.string()).describe('The first is used unless a path begins with another'),
    versions: z.array(z.string()).describe('What {version} in a path can be'),
    examples: z.array(Example).describe('Replace the account 1234567890 with one of yours'),
    quirks: z.array(z.string()),
    limits: z.string(),
    headers: z.array(z.string()),
    paging: z.array(z.record(z.string(), z.unknown())),
    getPaths: z.array(z.string()).describe('GET reads on these; below a line with @, only on that host'),
    otherReads: z.array(z.string()).describe('These only read, although they are not GET; every other call is a change, and refused'),
  }),
  operations: ['getProvider'],
  openWorld: false,
  async run({ provider }, asking) {
    const { providerName, documentationUrl, gateway } = await asking.ask('getProvider', { params: { provider } })
    const written = readablePathsOf(provider as ProviderId)
    return {
      provider,
      name: providerName,
      callable: gateway !== null,
      documentation: documentationUrl,
      hosts: gateway?.hosts ?? [],
      versions: [...(written?.versions ?? [])],
      examples: (gateway?.examples ?? []).map(({ title, method, path, body }) => ({ title, method, path, body })),
      quirks: [...quirks[provider as ProviderId].quirks],
      limits: quirks[provider as ProviderId].limits,
      headers: gateway?.headers ?? [],
      paging: gateway?.paging ?? [],
      getPaths: [...(written?.paths ?? [])],
      otherReads: [...(written?.reads ?? [])],
    }
  },
})
