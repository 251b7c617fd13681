import { createInterface } from 'node:readline'

/** From standard input: piped as it is, typed without an echo. Never from the command line, where others can read it. */
export async function readSecret(question: string): Promise<string> {
  if (!process.stdin.isTTY) {
    let text = ''
    for await (const chunk of process.stdin) text += chunk
    return text.trim()
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: true })
  process.stderr.write(question)
  // The terminal interface echoes by writing; while the secret is typed, nothing is written.
  const quiet = lines as unknown as { _writeToOutput: (text: string) => void }
  quiet._writeToOutput = () => {}
  return new Promise((resolve) => {
    lines.question('', (answer) => {
      lines.close()
      process.stderr.write('\n')
      resolve(answer.trim())
    })
  })
}
