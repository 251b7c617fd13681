import type { Command } from 'commander'
import type { Context, Flags } from '../context.ts'
import { usage } from '../failure.ts'
import { say } from '../terminal.ts'

export function addUse(program: Command, open: (flags: Flags) => Context): void {
  program
    .command('use')
    .description('Set the default organization and workspace')
    .argument('<org/workspace>', 'their slugs; the workspace is optional')
    .addHelpText('after', '\nExamples:\n  adjoin use agency\n  adjoin use agency/client-a')
    .action(async (place: string, _: object, command: Command) => {
      const [org, workspace, ...rest] = place.split('/')
      if (!org || rest.length) throw usage('Name an organization, or an organization and a workspace: adjoin use ORG/WORKSPACE')
      const { client, saved } = open(command.optsWithGlobals())
      // Asked before it is remembered: a typo is told now, not with the next command.
      if (workspace) await client.getWorkspace({ orgSlug: org, workspaceSlug: workspace })
      else await client.getOrganization({ orgSlug: org })
      saved.save({ org, workspace })
      say`Using ${place}.\n`
    })
}
