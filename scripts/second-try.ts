// A gate of eight thousand tests meets the one in ten thousand that a busy machine breaks: what failed among others is tried
// once more, alone. What holds twice in a row then does not stop a release; it is told at the end, with its failure.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/** So many may be tried again in one step; where more failed, something is broken. */
export const MOST_FAILED = 5

/** Keeps a failure for whoever started this program, if they asked for it. */
export function noteFailure(what: string, text: string): void {
  if (process.env.FAILED_FILE) appendFileSync(process.env.FAILED_FILE, `${JSON.stringify([what, text])}\n`)
}

/** What was kept there: each thing that failed, with its first failure. */
export function notedFailures(file: string): Map<string, string> {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  return new Map(lines.map((line) => JSON.parse(line) as [string, string]).toReversed())
}

/** Tries what failed again, each alone and twice in a row; is the step good after all? */
export async function holdAlone(
  failed: ReadonlyMap<string, string>,
  passes: (what: string, turn: string) => Promise<boolean>,
): Promise<boolean> {
  if (failed.size > MOST_FAILED) return false
  for (const what of failed.keys())
    for (const turn of ['first', 'second']) {
      console.log(`\nagain, alone, for the ${turn} time: ${what}`)
      if (await passes(what, turn)) continue
      console.log(`\nred, also alone: ${what}`)
      return false
    }
  for (const [what, text] of failed) {
    const told = `held only alone: ${what}\n\n${text}\n`
    console.log(`\n${told}`)
    if (process.env.HELD_FILE) appendFileSync(process.env.HELD_FILE, `${told}\n`)
  }
  return true
}
