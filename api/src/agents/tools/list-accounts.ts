import * as z from 'zod'
import { IntegrationRef, NOTICE, Notice, paramsOf, tool } from '../tool.ts'

const Account = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.string(),
  parentId: z.string().nullable(),
  currency: z.string().nullable(),
  timeZone: z.string().nullable(),
  status: z.string().nullable(),
  allowed: z.boolean().describe('Whether calls may name it'),
})

export const listAccounts = tool({
  name: 'list_accounts',
  title: 'List accounts',
  description:
    'Lists the ad accounts that an integration reaches, with their IDs, currencies and time zones, as last listed by Adjoin. Use it before ' +
    'read_ad_system to put the right account ID into a path or query. Where `listed` is false, the account is in the settings that find_integrations shows.',
  input: z.strictObject({
    integration: IntegrationRef,
    search: z.string().max(100).optional().describe('Words in the name or ID'),
    offset: z.int().min(0).max(10_000).default(0).describe('How many to skip: `nextOffset` of the previous page'),
    limit: z.int().min(1).max(200).default(50),
  }),
  output: z.object({
    notice: Notice,
    accounts: z.array(Account),
    total: z.int(),
    nextOffset: z.int().nullable(),
    listed: z.boolean(),
    complete: z.boolean(),
    refreshedAt: z.string().nullable(),
  }),
  operations: ['listIntegrationAccounts'],
  openWorld: false,
  async run({ integration, search = '', offset, limit }, asking) {
    const { accounts, listed, complete, refreshedAt } = await asking.ask('listIntegrationAccounts', { params: paramsOf(integration) })
    const words = search.toLowerCase()
    const matching = accounts.filter(({ id, name }) => name.toLowerCase().includes(words) || id.toLowerCase().includes(words))
    const until = offset + limit
    return {
      notice: NOTICE,
      accounts: matching.slice(offset, until).map(({ inFence, ...account }) => ({ ...account, allowed: inFence })),
      total: matching.length,
      nextOffset: until < matching.length ? until : null,
      listed,
      complete,
      refreshedAt,
    }
  },
})
