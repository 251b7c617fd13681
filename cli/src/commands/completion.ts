import { Argument, type Command } from 'commander'
import { bash } from '../completion/bash.ts'
import { fish } from '../completion/fish.ts'
import { type Kind, kinds, treeOf } from '../completion/tree.ts'
import { candidates } from '../completion/values.ts'
import { zsh } from '../completion/zsh.ts'
import type { Context, Flags } from '../context.ts'
import { say } from '../terminal.ts'

const SHELLS = { bash, zsh, fish }
type ValueKind = Exclude<Kind, 'files'>

export function addCompletion(program: Command, open: (flags: Flags) => Context, env: NodeJS.ProcessEnv): void {
  const completion = program
    .command('completion')
    .description('Shell completion for bash, zsh or fish')
    .addArgument(new Argument('<shell>', 'the shell to complete in').choices(Object.keys(SHELLS)))
    .addHelpText(
      'after',
      '\nExamples:\n  source <(adjoin completion bash)\n  source <(adjoin completion zsh)\n  adjoin completion fish > ~/.config/fish/completions/adjoin.fish',
    )
    .action((shell: keyof typeof SHELLS) => say`${{ safe: SHELLS[shell](treeOf(program)) }}`)
  completion
    .command('values', { hidden: true })
    .description('Print the values of a kind that the service knows, for the completion scripts')
    .addArgument(new Argument('<kind>').choices(kinds.filter((kind) => kind !== 'files')))
    .argument('[typed]', 'what was typed so far', '')
    .action(async (kind: ValueKind, typed: string, _: object, command: Command) => {
      for (const { value, text } of await candidates(kind, typed, open(command.optsWithGlobals()), env)) say`${value}\t${text}\n`
    })
}
