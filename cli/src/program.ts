import { Command, CommanderError } from 'commander'
import { addAccounts } from './commands/accounts.ts'
import { addApi } from './commands/api.ts'
import { addAuditVerify } from './commands/audit-verify.ts'
import { addCompletion } from './commands/completion.ts'
import { addConnect } from './commands/connect.ts'
import { addEvents } from './commands/events.ts'
import { addLogin } from './commands/login.ts'
import { addRequestsCreate } from './commands/requests-create.ts'
import { addStatus } from './commands/status.ts'
import { addUsage } from './commands/usage.ts'
import { addUse } from './commands/use.ts'
import { addWebhooksListen } from './commands/webhooks-listen.ts'
import { type Context, contextOf, type Flags } from './context.ts'
import { EXIT, exitOf, explain } from './failure.ts'
import { addGenerated } from './generated.ts'
import { note } from './terminal.ts'

export interface Program {
  readonly command: Command
  /** The exit code. */
  run(args: string[]): Promise<number>
}

export function createProgram(env: NodeJS.ProcessEnv): Program {
  const command = new Command('adjoin')
  let url = ''
  let signedIn = false
  const open = (flags: Flags): Context => {
    const context = contextOf(flags, env)
    url = context.url
    signedIn = context.signedIn
    return context
  }
  command
    .description('Adjoin: connect every ad system')
    .option('--org <slug>', 'organization (ADJOIN_ORG)')
    .option('--workspace <slug>', 'workspace (ADJOIN_WORKSPACE)')
    .option('--url <address>', 'address of the service (ADJOIN_URL)')
    .option('--json', 'print JSON, for programs')
    .version('0.1.0')
    .configureHelp(HELP)
    .addHelpText(
      'after',
      '\nGet started:\n  adjoin login\n  adjoin use AGENCY/CLIENT\n  adjoin connect google_ads --name "Search"\n  adjoin status\n\nCredentials come from `adjoin login`, ADJOIN_API_KEY or ADJOIN_TOKEN.',
    )
    .exitOverride()
  addLogin(command, open, env)
  addUse(command, open, env)
  addStatus(command, open)
  addConnect(command, open)
  addApi(command, open)
  addUsage(command, open)
  addAccounts(command, open)
  addEvents(command, open)
  addGenerated(command, open)
  addAuditVerify(command.commands.find((known) => known.name() === 'audit')!)
  addWebhooksListen(command.commands.find((known) => known.name() === 'webhooks')!, open, env)
  addRequestsCreate(command.commands.find((known) => known.name() === 'requests')!, open)
  addCompletion(command)
  inherit(command)

  const run = async (args: string[]): Promise<number> => {
    try {
      if (!args.length) command.outputHelp()
      else await command.parseAsync(args, { from: 'user' })
      return Number(process.exitCode ?? 0)
    } catch (error) {
      // Commander has said it.
      if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage
      note`${explain(error, url, signedIn)}\n`
      return exitOf(error)
    }
  }
  return { command, run }
}

/** Wrapped also where long names leave little room. */
const HELP = { showGlobalOptions: true, sortSubcommands: false, minWidthToWrap: 20 }

/** Sub-commands throw instead of ending the process, as the program itself does. */
function inherit(command: Command): void {
  for (const child of command.commands) {
    child.exitOverride().configureHelp(HELP)
    inherit(child)
  }
}
