import { createProgram } from './program.ts'

process.stdout.on('error', () => process.exit(0)) // `adjoin … | head` is no failure
process.exitCode = await createProgram(process.env).run(process.argv.slice(2))
