import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { Context, Flags } from '../context.ts'
import { paint, print, table } from '../output.ts'

export function addStatus(program: Command, open: (flags: Flags) => Context): void {
  program
    .command('status')
    .description('Health of all integrations at a glance')
    .option('--watch', 'look again every ten seconds')
    .option('--every <seconds>', 'how often to look with --watch', '10')
    .addHelpText('after', '\nExamples:\n  adjoin status\n  adjoin status --workspace client-a --watch')
    .action(async (options: { watch?: boolean; every: string }, command: Command) => {
      const flags = command.optsWithGlobals<Flags>()
      const context = open(flags)
      for (;;) {
        const rows = await look(context, flags.workspace)
        if (options.watch && process.stdout.isTTY) process.stdout.write('\u001b[2J\u001b[H')
        if (context.json) print({ integrations: rows }, true)
        else process.stdout.write(`${shown(rows)}\n`)
        if (!options.watch) return
        await sleep(Math.max(1, Number(options.every) || 10) * 1000)
      }
    })
}

type Row = Awaited<ReturnType<typeof look>>[number]

/** Of one workspace when a flag names it, else of every workspace that can be seen. */
async function look(context: Context, only: string | undefined) {
  const orgSlug = context.org()
  const slugs = only ? [only] : (await context.client.listWorkspaces({ orgSlug })).workspaces.map(({ slug }) => slug)
  const lists = await Promise.all(
    slugs.map(async (workspaceSlug) =>
      (await context.client.listIntegrations({ orgSlug, workspaceSlug })).integrations.map((one) => ({ workspace: workspaceSlug, ...one })),
    ),
  )
  return lists.flat()
}

function shown(rows: Row[]): string {
  if (!rows.length) return paint('dim', 'no integrations yet: adjoin connect PROVIDER --name NAME')
  const counts = ['active', 'pending', 'error', 'disabled'].map(
    (status) => `${rows.filter((row) => row.status === status).length} ${status}`,
  )
  const columns = ['workspace', 'name', 'provider', 'status', 'connectedAccount', 'statusCheckedAt', 'attention']
  const lines = rows.map((row) => ({ ...row, attention: row.statusDetail ?? row.lastError }))
  return `${counts.join(' · ')}\n\n${table(lines, columns)}`
}
