import type { Command } from 'commander'
import type { Context, Flags } from '../context.ts'
import { CommandFailure, EXIT } from '../failure.ts'
import { bridge } from '../mcp-bridge.ts'
import { note, say, sayJson } from '../terminal.ts'

/** The service's tools for an agent that starts programs instead of opening addresses. */
export function addMcp(program: Command, open: (flags: Flags) => Context): void {
  program
    .command('mcp')
    .description('Serve Adjoin to an AI agent (MCP over standard input and output)')
    .option('--print-config', 'print the settings for common clients and exit')
    .addHelpText(
      'after',
      '\nUses your login, or ADJOIN_API_KEY. Agents can read, but can’t change anything.\n\nExamples:\n  adjoin mcp --print-config\n  ADJOIN_API_KEY=adj_… adjoin mcp --url https://adjoin.agency.example',
    )
    .action(async ({ printConfig }: { printConfig?: boolean }, command: Command) => {
      const context = open(command.optsWithGlobals())
      if (printConfig) return printConfigs(context)
      if (!context.signedIn) throw new CommandFailure(EXIT.auth, 'Not signed in. Run `adjoin login`, or set ADJOIN_API_KEY.')
      if (process.stdin.isTTY) note`Waiting for an MCP client on standard input. To set one up: adjoin mcp --print-config\n`
      await bridge({ url: context.url, headers: context.headers, input: process.stdin, write: (message) => sayJson(message) })
    })
}

/** Never the credential itself: settings are copied, shared and committed. */
function printConfigs({ url, json }: Context): void {
  const stdio = { command: 'adjoin', args: ['mcp', '--url', url] }
  const http = { type: 'http', url: `${url}/mcp`, headers: { 'x-api-key': 'YOUR_KEY' } }
  const configs = [
    { title: 'Claude Desktop, Claude Code, Cursor and others (mcpServers)', config: { mcpServers: { adjoin: stdio } } },
    { title: 'VS Code (mcp.json)', config: { servers: { adjoin: { type: 'stdio', ...stdio } } } },
    { title: 'Clients that connect to an address, with an API key', config: { mcpServers: { adjoin: http } } },
  ]
  if (json) sayJson(configs, 2)
  else
    for (const { title, config } of configs) {
      say`# ${title}\n`
      sayJson(config, 2)
      say`\n`
    }
  note`The first two use your login (adjoin login), or ADJOIN_API_KEY. For the third, create a key in the portal: API keys, New key, For an agent.\n`
}
