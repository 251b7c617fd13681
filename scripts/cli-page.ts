// docs/cli.md: how the command line is used, and every command with its arguments and flags.
import type { Command, Option } from 'commander'
import { EXIT } from '../cli/src/failure.ts'
import { SWITCH } from '../cli/src/flags.ts'
import { createProgram } from '../cli/src/program.ts'

const { command: program } = createProgram({ HOME: '/nowhere' })

const HEAD = `
\`adjoin\` does everything that the API does. It is one package without dependencies for Node 20 or later (\`npm run pack:cli\`, then \`npm install --global\` with the file), or a single executable that needs no Node (\`npm run build:executable\`).

\`\`\`
adjoin login                       # approve in the browser
adjoin use agency/client-a         # your default organization and workspace
adjoin status                      # what is wrong, and who must act
\`\`\`

## Credentials and places

\`adjoin login\` saves a session in \`~/.config/adjoin/config.json\`, readable only by you. Programs set \`ADJOIN_API_KEY\`; a key belongs to one organization, so no \`adjoin use\` is needed. After a key was
replaced, each run with the old one says on standard error until when it works.

| flag | environment | |
| --- | --- | --- |
| \`--url\` | \`ADJOIN_URL\` | address of the service |
| \`--org\`, \`--workspace\` | \`ADJOIN_ORG\`, \`ADJOIN_WORKSPACE\` | their slugs |
| \`--profile\` | \`ADJOIN_PROFILE\` | which saved login to use: \`adjoin login --profile staging --url …\`, then \`adjoin status --profile staging\`; \`adjoin profiles\` lists them |
| | \`ADJOIN_API_KEY\`, \`ADJOIN_TOKEN\` | a key, or the token of a session |
| | \`NO_COLOR\` | no colors |

A flag wins over the environment, and the environment over what was saved.

## Output

On a terminal, tables fit its width: what is empty or less important is left out first, then long names are shortened, and where that is not enough, each row becomes a record. IDs are never cut. A pipe gets
the whole table. Programs use \`--json\`, \`--template\` for a line per entry, or \`--jq\` for a filter, which the jq of the machine runs:

\`\`\`
adjoin integrations list --template '{{.id}}\\t{{.name}}\\t{{.status}}'
adjoin status --jq '.integrations[] | select(.status == "error")'
\`\`\`

| exit code | |
| --- | --- |
| 0 | done |
| ${EXIT.attention} | only with \`--exit-code\`: something needs attention |
| ${EXIT.usage} | the command line is wrong |
| ${EXIT.auth} | not signed in, or not allowed |
| ${EXIT.notFound} | not found |
| ${EXIT.conflict} | conflict with the current state; a trail that is not intact |
| ${EXIT.limited} | too many requests |
| ${EXIT.server} | the service failed, or can’t be reached |
| ${EXIT.adSystem} | refused by the ad system |

## Completion

Commands, flags and their values, and the slugs and IDs that the service knows, also found by name:

\`\`\`
source <(adjoin completion bash)                                            # in ~/.bashrc
source <(adjoin completion zsh)                                             # in ~/.zshrc, after compinit
adjoin completion fish > ~/.config/fish/completions/adjoin.fish
\`\`\`
`

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ')
const code = (text: string) => `\`${text.replaceAll('|', '\\|')}\``

function row({ flags, description, mandatory, argChoices }: Option): string {
  const choices = argChoices ? `: ${argChoices.map(code).join(', ')}` : ''
  const required = mandatory && !description.includes('(required)') ? ' (required)' : ''
  return `| ${code(flags.replace(SWITCH, ''))} | ${cell(description)}${required}${choices} |`
}

function helpOf(command: Command): string {
  let text = ''
  command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => 100 })
  command.outputHelp()
  return /Examples?:\n((?: {2}.*\n?)+)/.exec(text)?.[1]?.replace(/^ {2}/gm, '').trimEnd() ?? ''
}

function sections(command: Command, path: string): string[] {
  const children = command.commands.filter((child) => !(child as Command & { _hidden?: boolean })._hidden)
  const own = `${path} ${command.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`)).join(' ')}`.trim()
  if (children.length) return children.flatMap((child) => sections(child, `${path} ${child.name()}`))
  const given = command.registeredArguments.map((one) => `| ${code(one.name())} | ${cell(one.description)} |`)
  const rows = [...given, ...command.options.map(row)]
  const example = helpOf(command)
  return [
    `### ${own.replaceAll('<', '&lt;')}\n\n${cell(command.description())}\n${example && `\n\`\`\`\n${example}\n\`\`\`\n`}${
      rows.length ? `\n| | |\n| --- | --- |\n${rows.join('\n')}\n` : ''
    }`,
  ]
}

export const cliPage = (head: (title: string, text: string) => string): string =>
  `${head('The command line', HEAD.trim())}## Commands\n\n${sections(program, 'adjoin').join('\n')}`
