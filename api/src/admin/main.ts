#!/usr/bin/env node
// adjoin-admin: what operators do, on the database itself, also while the service runs.
import { ConfigurationError, environmentWithFile, readConfig } from '../config.ts'
import { commands, UsageError } from './commands.ts'

const [name = 'help', ...args] = process.argv.slice(2)
const command = commands[name]
const usage = () => `adjoin-admin ${name}${command?.takes ? ` ${command.takes}` : ''}`

async function run(): Promise<number> {
  if (!command) {
    const lines = Object.entries(commands).map(([word, { summary }]) => `  ${word.padEnd(14)}${summary}`)
    const known = ['help', '--help', '-h'].includes(name)
    const text = `adjoin-admin COMMAND\n\n${lines.join('\n')}\n\nIt reads the same environment and .env as the service.\n`
    if (!known) process.stderr.write(`adjoin-admin: there is no command \`${name}\`\n\n`)
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
      process.stderr.write(`adjoin-admin ${name}: ${error.message}\nUsage: ${usage()}\n`)
      return 2
    }
    process.stderr.write(`${error instanceof ConfigurationError ? error.message : `adjoin-admin ${name}: ${(error as Error).message}`}\n`)
    return 1
  }
}
process.exitCode = await run()
