import { Argument, type Command } from 'commander'
import { say } from '../terminal.ts'

/** Every command with its options and what may stand behind them, as the shells want to know them. */
interface Node {
  readonly path: string
  readonly children: { name: string; text: string }[]
  readonly options: { name: string; takes: boolean; choices: readonly string[] }[]
  /** Values of the first argument. */
  readonly choices: readonly string[]
}

function nodes(command: Command, path = ''): Node[] {
  const options = command.options.flatMap(({ long, required, argChoices }) =>
    long ? [{ name: long, takes: required, choices: argChoices ?? [] }] : [],
  )
  const own = {
    path,
    children: command.commands.map((child) => ({ name: child.name(), text: child.description() })),
    options,
    choices: command.registeredArguments[0]?.argChoices ?? [],
  }
  return [own, ...command.commands.flatMap((child) => nodes(child, `${path} ${child.name()}`.trim()))]
}

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('Shell completion for bash, zsh or fish')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      '\nExamples:\n  source <(adjoin completion bash)\n  adjoin completion zsh > ~/.zfunc/_adjoin\n  adjoin completion fish > ~/.config/fish/completions/adjoin.fish',
    )
    .action((shell: string) => {
      say`${{ safe: SHELLS[shell as keyof typeof SHELLS](nodes(program)) }}`
    })
}

const GLOBAL = '--org --workspace --url --json --help'

/** Options whose value is the next word: it is no command, whatever it looks like. */
const taking = (all: Node[]) => [...new Set(all.flatMap(({ options }) => options.filter(({ takes }) => takes).map(({ name }) => name)))]

function bash(all: Node[]): string {
  const cases = all.map(
    ({ path, children, options, choices }) =>
      `    "${path}") words="${[...children.map(({ name }) => name), ...choices, ...options.map(({ name }) => name), GLOBAL].join(' ')}" ;;`,
  )
  const values = all.flatMap(({ path, options }) =>
    options.filter(({ choices }) => choices.length).map(({ name, choices }) => `    "${path} ${name}") words="${choices.join(' ')}" ;;`),
  )
  return `_adjoin() {
  local path="" word words="" skip="" last="\${COMP_WORDS[COMP_CWORD-1]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ -n $skip ]]; then skip=""; continue; fi
    case "$word" in
    ${taking(all).join('|')}) skip=1; continue ;;
    -*) continue ;;
    esac
    case "\${path:+$path }$word" in
    ${all.flatMap(({ path }) => (path ? [`"${path}"`] : [])).join('|')}) path="\${path:+$path }$word" ;;
    esac
  done
  if [[ -n $skip ]]; then
    case "$path $last" in
${values.join('\n')}
    esac
    # Anything else behind an option is for the person to say; files are offered for what takes one.
    if [[ -z $words ]]; then COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")); return; fi
  else
    case "$path" in
${cases.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _adjoin adjoin
`
}

/** zsh can run bash's completions. */
const zsh = (all: Node[]) => `#compdef adjoin\nautoload -U +X bashcompinit && bashcompinit\n${bash(all)}`

function fish(all: Node[]): string {
  const lines = all.flatMap(({ path, children, options, choices }) => {
    const words = path.split(' ').filter(Boolean)
    const seen = words.length ? words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ') : '__fish_use_subcommand'
    const known = children.map(({ name }) => name).join(' ')
    const fresh = words.length && known ? `${seen}; and not __fish_seen_subcommand_from ${known}` : seen
    return [
      ...children.map(({ name, text }) => `complete -c adjoin -f -n '${fresh}' -a ${name} -d '${text.replaceAll("'", '’')}'`),
      ...(choices.length ? [`complete -c adjoin -f -n '${seen}' -a '${choices.join(' ')}'`] : []),
      ...options.map(({ name, takes, choices }) => {
        const values = choices.length ? ` -xa '${choices.join(' ')}'` : takes ? ' -r' : ''
        return `complete -c adjoin -n '${seen}' -l ${name.replace(/^--/, '')}${values}`
      }),
    ]
  })
  return `${lines.join('\n')}\n`
}

const SHELLS = { bash, zsh, fish }
