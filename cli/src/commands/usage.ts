import type { Output } from '@adjoin/contract'
import { type Command, Option } from 'commander'
import type { Context, Flags } from '../context.ts'
import { print, usageCounts } from '../output.ts'
import { table } from '../table.ts'
import { paint, say } from '../terminal.ts'

interface UsageFlags {
  from?: string
  to?: string
  by?: 'hour' | 'day'
}

type Quota = NonNullable<Output<'getIntegrationUsage'>['quota']>

const AT_ONCE = 8

/** How much a workspace is called, or one of its integrations: `integrations usage` in short. */
export function addUsage(program: Command, open: (flags: Flags) => Context): void {
  program
    .command('usage')
    .description('Show how much integrations were called: all of the workspace, or one of them')
    .argument('[integration]', 'ID of the integration (default: all of the workspace)')
    .option('--from <time>', 'default: 7 days ago')
    .option('--to <time>', 'default: now')
    .addOption(new Option('--by <unit>', 'with an integration: one line for each').choices(['hour', 'day']))
    .addHelpText('after', '\nExamples:\n  adjoin usage\n  adjoin usage 2c9f… --by hour --from 2026-11-14T00:00:00Z')
    .action(async (id: string | undefined, { from, to, by }: UsageFlags, command: Command) => {
      const context = open(command.optsWithGlobals())
      const place = { orgSlug: context.org(), workspaceSlug: context.workspace() }
      const span = { ...(from && { from }), ...(to && { to }) }
      if (id) {
        const usage = await context.client.getIntegrationUsage({ ...place, id, ...span, ...(by && { by }) })
        print(usage, context.json)
        if (usage.quota && !context.json) say`${quotaSentence(usage.quota)}\n`
        return
      }
      const { integrations } = await context.client.listIntegrations(place)
      const rows: { id: string; name: string; provider: string; reads: number; changes: number; failed: number; quota: Quota | null }[] = []
      for (let i = 0; i < integrations.length; i += AT_ONCE)
        rows.push(
          ...(await Promise.all(
            integrations.slice(i, i + AT_ONCE).map(async ({ id, name, provider }) => {
              const { usage, quota } = await context.client.getIntegrationUsage({ ...place, id, ...span })
              return { id, name, provider, ...usageCounts(usage), quota }
            }),
          )),
        )
      if (context.json) return print({ integrations: rows }, true)
      say`${rows.length ? table(rows, ['name', 'provider', 'reads', 'changes', 'failed']) : paint('dim', 'No integrations.')}\n`
      // One for all integrations with an ad system.
      const quotas = new Map(rows.flatMap(({ provider, quota }) => (quota ? [[provider, quota] as const] : [])))
      for (const [provider, quota] of quotas) say`${provider}: ${quotaSentence(quota)}\n`
    })
}

const quotaSentence = ({ calls, used, left, endsAt }: Quota): string =>
  `Today, your organization has used ${used} of its ${calls} calls to this ad system; ${left} are left until ${endsAt.slice(0, 16).replace('T', ' ')} UTC.`
