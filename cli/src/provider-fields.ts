// The fields that a provider asks for:
// given by flags, asked for on a terminal, secret ones never on the command line.
import type { Output } from '@adjoin/contract'
import { usage } from './failure.ts'
import { literal, pairs, split } from './flags.ts'
import { readLine, readSecret } from './secret.ts'
import { note } from './terminal.ts'

type ProviderOutput = Pick<Output<'getProvider'>, 'providerName' | 'connectFields'>

export async function providerFields(
  { providerName, connectFields }: ProviderOutput,
  list: readonly string[] = [],
  terminal = process.stdin.isTTY === true,
): Promise<Record<string, string>> {
  for (const [name, value] of list.map((pair) => split('field', pair)))
    if (literal(value) && connectFields.find((field) => field.name === name)?.secret)
      throw usage(
        `${name} is a secret, and others can read a command line in the process list and the shell history. Leave it out to be prompted, or use ${name}=@FILE, or ${name}=- for standard input.`,
      )
  const values = pairs('field', list)
  if (!terminal) return values
  const missing = connectFields.filter(({ name }) => !(name in values))
  if (missing.length) note`${providerName} asks for:\n`
  for (const { name, label, secret, required, options, default: fallback, help } of missing) {
    if (help) note`  ${help}\n`
    const hints = [options?.join(' | '), fallback && `default ${fallback}`, !required && 'optional'].filter(Boolean)
    const question = `${label}${hints.length ? ` (${hints.join('; ')})` : ''}: `
    const answer = secret ? await readSecret(question) : await readLine(question)
    if (answer || fallback) values[name] = answer || fallback!
  }
  return values
}
