import type { Command } from 'commander'
import { usage } from '../failure.ts'

/** Every command with its options, as the shells want to know them. */
interface Node {
  readonly path: string
  readonly children: { name: string; text: string }[]
  readonly options: string[]
}

function nodes(command: Command, path = ''): Node[] {
  const options = command.options.map(({ long }) => long).filter((long): long is string => long !== undefined)
  const own = { path, children: command.commands.map((child) => ({ name: child.name(), text: child.description() })), options }
  return [own, ...command.commands.flatMap((child) => nodes(child, `${path} ${child.name()}`.trim()))]
}

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('Shell completion for bash, zsh or fish')
    .argument('<shell>')
    .addHelpText(
      'after',
      '\nExamples:\n  source <(adjoin completion bash)\n  adjoin completion zsh > ~/.zfunc/_adjoin\n  adjoin completion fish > ~/.config/fish/completions/adjoin.fish',
    )
    .action((shell: string) => {
      const script = { bash, zsh, fish }[shell]
      if (!script) throw usage('The shells are bash, zsh and fish.')
      process.stdout.write(script(nodes(program)))
    })
}

const GLOBAL = '--org --workspace --url --json --help'

function bash(all: Node[]): string {
  const cases = all.map(
    ({ path, children, options }) => `    "${path}") words="${[...children.map(({ name }) => name), ...options, GLOBAL].join(' ')}" ;;`,
  )
  return `_adjoin() {
  local path="" word words
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do [[ $word == -* ]] || path="\${path:+$path }$word"; done
  while :; do
    case "$path" in
${cases.join('\n')}
    *) if [[ $path == *" "* ]]; then path="\${path% *}"; continue; else words="${GLOBAL}"; fi ;;
    esac
    break
  done
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _adjoin adjoin
`
}

/** zsh can run bash's completions. */
const zsh = (all: Node[]) => `#compdef adjoin\nautoload -U +X bashcompinit && bashcompinit\n${bash(all)}`

function fish(all: Node[]): string {
  const lines = all.flatMap(({ path, children, options }) => {
    const seen = path ? `__fish_seen_subcommand_from ${path.split(' ').at(-1)}` : '__fish_use_subcommand'
    return [
      ...children.map(({ name, text }) => `complete -c adjoin -f -n '${seen}' -a ${name} -d '${text.replaceAll("'", '’')}'`),
      ...options.map((option) => `complete -c adjoin -n '${seen}' -l ${option.replace(/^--/, '')}`),
    ]
  })
  return `${lines.join('\n')}\n`
}
