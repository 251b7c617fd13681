import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { note, withoutControls } from './terminal.ts'

/**
 * From standard input: piped as it is, typed without an echo.
 * Never from the command line, where others can read it.
 */
export async function readSecret(question: string): Promise<string> {
  if (!process.stdin.isTTY) {
    let text = ''
    for await (const chunk of process.stdin) text += chunk
    return text.trim()
  }
  return ask(question, true)
}

/** Empty where `signal` ends it before somebody has answered. */
export const readLine = (question: string, signal?: AbortSignal): Promise<string> =>
  ask(question, false, signal).catch((error: unknown) => {
    if (!signal?.aborted) throw error
    note`\n`
    return ''
  })

/** What is typed is echoed by writing it: where nothing is written, nothing can be read over a shoulder. */
const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() })

async function ask(question: string, hidden: boolean, signal?: AbortSignal): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: hidden ? nowhere() : process.stderr, terminal: true })
  lines.on('SIGINT', () => process.exit(130)) // Ctrl-C ends the command, as it does everywhere
  if (hidden) note`${question}`
  try {
    return (await lines.question(hidden ? '' : withoutControls(question), signal ? { signal } : {})).trim()
  } finally {
    lines.close()
    if (hidden) note`\n`
  }
}
