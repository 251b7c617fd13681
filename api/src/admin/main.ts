#!/usr/bin/env node
// adjoin-admin: what operators do, on the database itself, also while the service runs.
import { ConfigurationError, environmentWithFile, readConfig } from '../config.ts'
import { commands } from './commands.ts'

const [name = 'help', ...args] = process.argv.slice(2)
const command = commands[name]
if (!command || name === 'help' || args.includes('--help')) {
  const lines = Object.entries(commands).map(([word, { summary }]) => `  ${word.padEnd(12)}${summary}`)
  process.stdout.write(`adjoin-admin COMMAND\n\n${lines.join('\n')}\n\nIt reads the same environment and .env as the service.\n`)
  process.exit(command || name === 'help' ? 0 : 2)
}
try {
  process.exitCode = await command.run(readConfig(environmentWithFile()), args)
} catch (error) {
  process.stderr.write(`${error instanceof ConfigurationError ? error.message : `adjoin-admin ${name}: ${(error as Error).message}`}\n`)
  process.exitCode = 1
}
