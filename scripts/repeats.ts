import { appendFileSync } from 'node:fs'

/** For the end of a run of several programs (.ci/run): what failed, or held only when it was played again. */
export function noteRepeat(line: string): void {
  const file = process.env.REPEATS_FILE
  if (file) appendFileSync(file, `${line.replace(/\s+/g, ' ').slice(0, 300)}\n`)
}
