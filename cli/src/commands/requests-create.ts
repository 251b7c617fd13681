import { type Body, declaration, type ProviderId, providerIds } from '@adjoin/contract'
import type { Command } from 'commander'
import type { Context, Flags } from '../context.ts'
import { usage } from '../failure.ts'
import { addFlags, flagsOf, split, text, valuesOf } from '../flags.ts'
import { print } from '../output.ts'
import { note, say } from '../terminal.ts'

type CreateRequest = Body<'createConnectRequest'>
type Item = Pick<CreateRequest['items'][number], 'optional'> & Record<string, unknown>

interface ItemFlags {
  optional?: string[]
  setting?: string[]
  accessUntil?: string
  send?: boolean
}

const repeated = (value: string, before: string[] = []) => [...before, value]
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** What is to be connected is named one after the other; the rest is as the API has it. */
export function addRequestsCreate(requests: Command, open: (flags: Flags) => Context): void {
  const bodyFlags = flagsOf(declaration('createConnectRequest').body).filter(({ name }) => name !== 'items')
  const command = requests
    .command('create')
    .description('Ask a client to connect several ad systems with one link')
    .argument('[item...]', 'ad systems such as google_ads, or IDs of integrations to connect again')
    .option('--optional <item>', 'an ad system or integration that the client may decline; repeat for more', repeated)
    .option(
      '--setting <item.name=value>',
      'a setting of an ad system, such as google_ads.customerId=123-456-7890; repeat for more',
      repeated,
    )
    .option('--access-until <date>', 'the day on which access ends automatically, such as 2027-01-31')
    .option('--send', 'email the link to the client now')
  addFlags(command, bodyFlags)
  command
    .addHelpText(
      'after',
      '\nExample:\n  adjoin requests create google_ads meta_ads --optional criteo --title "Your ad accounts" \\\n    --client-email client@brand.example --language de --send',
    )
    .action(async (named: string[], options: ItemFlags & Record<string, unknown>) => {
      const context = open(command.optsWithGlobals())
      const place = { orgSlug: context.org(), workspaceSlug: context.workspace() }
      const body = { ...valuesOf(bodyFlags, options), items: itemsOf(named, options) } as unknown as CreateRequest
      const made = await context.client.createConnectRequest(place, body)
      const request = options.send ? await context.client.sendConnectRequest({ ...place, requestId: made.id }) : made
      if (context.json) return print(request, true)
      note`${options.send ? 'Emailed to the client, with this link' : 'Send this link to your client'} (valid until ${request.expiresAt.slice(0, 16).replace('T', ' ')} UTC):\n\n`
      say`${request.connectUrl ?? ''}\n`
    })
}

function itemsOf(named: readonly string[], { optional = [], setting = [], accessUntil }: ItemFlags): Item[] {
  const all = [...named.map((item) => ({ item, optional: false })), ...optional.map((item) => ({ item, optional: true }))]
  if (!all.length) throw usage('Name at least one ad system, such as google_ads, or the ID of an integration.')
  const settings = setting.map((pair) => {
    const [path, value] = split('setting', pair)
    const at = path.indexOf('.')
    if (at < 1) throw usage(`--setting takes ITEM.NAME=VALUE, not \`${pair}\``)
    return { item: path.slice(0, at), name: path.slice(at + 1), value: text(value) }
  })
  const stray = settings.find(({ item }) => !all.some((one) => one.item === item))
  if (stray) throw usage(`--setting names ${stray.item}, which is not part of the request`)
  return all.map(({ item, optional }) => {
    const own = settings.filter((one) => one.item === item)
    return {
      ...(ID.test(item) ? { integrationId: item } : { provider: providerOf(item) }),
      optional,
      ...(own.length && { settings: Object.fromEntries(own.map(({ name, value }) => [name, value])) }),
      ...(accessUntil && { accessUntil }),
    }
  })
}

function providerOf(item: string): ProviderId {
  const known = providerIds.find((id) => id === item)
  if (!known) throw usage(`${item} is neither an ad system nor the ID of an integration. See \`adjoin providers list\`.`)
  return known
}
