import { createProgram } from './program.ts'

process.stdout.on('error', () => process.exit(0)) // `adjoin … | head` is no failure
// Without a top-level await: a single executable is a CommonJS module.
void createProgram(process.env)
  .run(process.argv.slice(2))
  .then((code) => {
    process.exitCode = code
  })
