import { Command, CommanderError, type HelpConfiguration, type Option } from 'commander'
import { addAccounts } from './commands/accounts.ts'
import { addApi } from './commands/api.ts'
import { addAuditVerify } from './commands/audit-verify.ts'
import { addCompletion } from './commands/completion.ts'
import { addConnect } from './commands/connect.ts'
import { addEvents } from './commands/events.ts'
import { addLogin } from './commands/login.ts'
import { addMcp } from './commands/mcp.ts'
import { addProfiles } from './commands/profiles.ts'
import { addRequestsCreate } from './commands/requests-create.ts'
import { addStatus } from './commands/status.ts'
import { addUsage } from './commands/usage.ts'
import { addUse } from './commands/use.ts'
import { addWebhooksListen } from './commands/webhooks-listen.ts'
import { type Context, contextOf, type Flags, type KeyPlace, VERSION } from './context.ts'
import { type Credential, EXIT, exitOf, explain } from './failure.ts'
import { SWITCH, withSwitchValues } from './flags.ts'
import { addGenerated, takesOrganization } from './generated.ts'
import { note } from './terminal.ts'

export interface Program {
  readonly command: Command
  /** The exit code. */
  run(args: string[]): Promise<number>
}

export function createProgram(env: NodeJS.ProcessEnv): Program {
  const command = new Command('adjoin')
  let url = ''
  let credential: Credential | undefined
  let keyPlace: KeyPlace | undefined
  const open = (flags: Flags): Context => {
    const context = contextOf(flags, env, keyPlace)
    url = context.url
    credential = context.credential
    return context
  }
  command
    .description('Adjoin: connect every ad system')
    .option('--org <slug>', 'organization (ADJOIN_ORG)')
    .option('--workspace <slug>', 'workspace (ADJOIN_WORKSPACE)')
    .option('--url <address>', 'address of the service (ADJOIN_URL)')
    .option('--json', 'print JSON, for programs')
    .option('--template <text>', 'print a line for each entry, such as "{{.id}} {{.name}}"')
    .option('--jq <filter>', 'filter the JSON with jq, such as ".integrations[].id"')
    .option('--profile <name>', 'saved login to use (ADJOIN_PROFILE)')
    .version(VERSION)
    .configureHelp(HELP)
    .addHelpText(
      'after',
      '\nGet started:\n  adjoin login\n  adjoin use AGENCY/CLIENT\n  adjoin connect google_ads --name "Search"\n  adjoin status\n\nCredentials come from `adjoin login`, ADJOIN_API_KEY or ADJOIN_TOKEN.',
    )
    .exitOverride()
    // A key belongs to one organization, so nobody has to name it.
    .hook('preAction', async (_, action) => {
      const flags = action.optsWithGlobals<Flags>()
      if (!env.ADJOIN_API_KEY || flags.org || env.ADJOIN_ORG || !takesOrganization(pathOf(action))) return
      const { organization, workspaceSlug } = await open(flags).client.getCurrentApiKey()
      keyPlace = { org: organization.slug, workspace: workspaceSlug ?? undefined }
    })
  addLogin(command, open, env)
  addUse(command, open)
  addProfiles(command, env)
  addStatus(command, open)
  addConnect(command, open)
  addApi(command, open)
  addUsage(command, open)
  addAccounts(command, open)
  addEvents(command, open)
  addMcp(command, open)
  addGenerated(command, open)
  addAuditVerify(command.commands.find((known) => known.name() === 'audit')!)
  addWebhooksListen(command.commands.find((known) => known.name() === 'webhooks')!, open, env)
  addRequestsCreate(command.commands.find((known) => known.name() === 'requests')!, open)
  addCompletion(command, open, env)
  applyToSubcommands(command)
  const switches = new Set(optionsOf(command).flatMap(({ long, flags }) => (long && SWITCH.test(flags) ? [long] : [])))

  const run = async (args: string[]): Promise<number> => {
    try {
      if (!args.length) command.outputHelp()
      else await command.parseAsync(withSwitchValues(args, switches), { from: 'user' })
      return Number(process.exitCode ?? 0)
    } catch (error) {
      // Commander has already printed it.
      if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage
      note`${explain(error, url, credential)}\n`
      return exitOf(error)
    }
  }
  return { command, run }
}

const optionsOf = (command: Command): Option[] => [...command.options, ...command.commands.flatMap(optionsOf)]
const pathOf = (command: Command): string => (command.parent ? `${pathOf(command.parent)} ${command.name()}`.trim() : '')

/** Help text wraps even where long option names leave little room for it. */
const HELP: HelpConfiguration = {
  showGlobalOptions: true,
  sortSubcommands: false,
  minWidthToWrap: 20,
  optionTerm: ({ flags }) => flags.replace(SWITCH, ''),
  // Arguments are in the command's own help.
  subcommandTerm: (child) => child.name(),
  optionDescription: ({ description, mandatory, argChoices, defaultValue, negate }) =>
    [
      description,
      argChoices && `{${argChoices.join(' | ')}}`,
      defaultValue !== undefined && !negate && `(default ${defaultValue})`,
      mandatory && '(required)',
    ]
      .filter(Boolean)
      .join(' '),
}

/** Subcommands throw instead of ending the process, and format help like the program itself. */
function applyToSubcommands(command: Command): void {
  for (const child of command.commands) {
    child.exitOverride().configureHelp(HELP)
    applyToSubcommands(child)
  }
}
