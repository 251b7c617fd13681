import type { Command } from 'commander'
import { accountTable } from '../account-tree.ts'
import type { Context, Flags } from '../context.ts'
import { print } from '../output.ts'
import { note, paint, say } from '../terminal.ts'

export function addAccounts(program: Command, open: (flags: Flags) => Context): void {
  program
    .command('accounts')
    .description('List the accounts that an integration reaches at its ad system')
    .argument('<integration>', 'ID of the integration (adjoin integrations list)')
    .option('--refresh', 'ask the ad system now')
    .addHelpText('after', '\nExamples:\n  adjoin accounts 2c9f…\n  adjoin accounts 2c9f… --refresh --json')
    .action(async (id: string, options: { refresh?: boolean }, command: Command) => {
      const context = open(command.optsWithGlobals())
      const at = { orgSlug: context.org(), workspaceSlug: context.workspace(), id }
      const { client } = context
      const answer = options.refresh ? await client.refreshIntegrationAccounts(at) : await client.listIntegrationAccounts(at)
      if (context.json) return print(answer, true)
      const { accounts, listed, complete, refreshedAt } = answer
      if (!listed) return say`This ad system has no list of accounts. Its account is the one in the integration’s settings.\n`
      if (!refreshedAt) return say`Not listed yet. To ask the ad system now: adjoin accounts ${id} --refresh\n`
      if (!accounts.length) return say`${paint('dim', 'No accounts.')}\n`
      say`${accountTable(accounts)}\n`
      if (accounts.some(({ inFence }) => !inFence)) note`Calls can’t use the accounts in gray (adjoin integrations policy).\n`
      if (!complete) note`These are the first ${accounts.length}; there are more.\n`
    })
}
