#!/usr/bin/env node
// adjoin-admin: what operators do, on the database itself, also while the service runs.
import { ConfigurationError, environmentWithFile, readConfig } from '../config.ts'
import { UsageError } from './command.ts'
import { commands } from './commands.ts'

const [name = 'help', ...args] = process.argv.slice(2)
const command = commands[name]
const usage = () => `Usage: adjoin-admin ${name}${command?.takes ? ` ${command.takes}` : ''}`

const INDENT = 16
const WIDTH = 80

/** Words in lines that fit beside the name of their command. */
const wrapped = (text: string): string =>
  text.replace(new RegExp(`(.{1,${WIDTH - INDENT}})(?: +|$)`, 'g'), `\n${' '.repeat(INDENT)}$1`).trimStart()

async function run(): Promise<number> {
  if (!command) {
    const lines = Object.entries(commands).map(([word, { summary }]) => `  ${word.padEnd(INDENT - 2)}${wrapped(summary)}`)
    const known = ['help', '--help', '-h'].includes(name)
    const text = `Usage: adjoin-admin COMMAND\n\n${lines.join('\n')}\n\nFor one command: adjoin-admin COMMAND --help\nIt reads the same environment and .env file as the service.\n`
    if (!known) process.stderr.write(`adjoin-admin: unknown command \`${name}\`\n\n`)
    ;(known ? process.stdout : process.stderr).write(text)
    return known ? 0 : 2
  }
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(`${usage()}\n\n${command.summary}\n`)
    return 0
  }
  try {
    return await command.run(readConfig(environmentWithFile()), args)
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`adjoin-admin ${name}: ${error.message}\n${usage()}\n`)
      return 2
    }
    process.stderr.write(`${error instanceof ConfigurationError ? error.message : `adjoin-admin ${name}: ${(error as Error).message}`}\n`)
    return 1
  }
}
process.exitCode = await run()
