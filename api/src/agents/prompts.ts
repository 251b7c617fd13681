// What people ask agents for most, written once so that it is asked well.
import * as z from 'zod'

export interface Prompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: false }[]
  text(given: Readonly<Record<string, string>>): string
}

const client = { name: 'client', description: 'Only this client: words in its name', required: false } as const

/** Typed by the person who uses the prompt. */
export const Given = z.record(z.string().max(64), z.string().max(200)).default({})

const only = (given: Readonly<Record<string, string>>) =>
  given.client ? ` Only for the client named ${JSON.stringify(given.client)}.` : ''

export const prompts: readonly Prompt[] = [
  {
    name: 'what_needs_attention',
    title: 'What needs attention',
    description: 'Which integrations are broken or about to expire, and who must do what.',
    arguments: [client],
    text: (given) =>
      `Find out which integrations need attention.${only(given)} Use find_integrations with status error, then with status pending, then with ` +
      'expiringWithinDays 14. For each that is in error, use integration_health. Then list them by who must act: the client, us, the operator. ' +
      'For each, say since when, what is wrong and the one next step. Leave out what is retried automatically, except as a count.',
  },
  {
    name: 'weekly_spend',
    title: 'Weekly spend over all clients',
    description: 'What every client spent in the last seven full days, by ad system.',
    arguments: [client],
    text: (given) =>
      `Report what was spent in the last seven full days.${only(given)} Use find_integrations with status active, all pages. For each ad system, ` +
      'use describe_ad_api once, then list_accounts and read_ad_system for the spend of each account. Mind the units of money, the currencies ' +
      'and the time zones; never add different currencies. Give a table by client and ad system, and name every integration that you could not read and why.',
  },
]
