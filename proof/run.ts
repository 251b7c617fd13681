// `npm run proof`: a run of proof/main.ts that leaves nothing behind. With --gate, the proofs that each release must pass,
// in the small size; what failed is tried again alone.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { holdAlone, notedFailures } from '../scripts/second-try.ts'
import { swept } from '../scripts/swept.ts'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))
/** The others take longer, or judge times: they are run by hand. */
const GATE = ['crash', 'calls', 'races', 'secrets', 'input', 'attacks']

async function gate(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'adjoin-failed-'))
  const run = async (names: readonly string[], as: string) => {
    const FAILED_FILE = join(folder, as)
    return { code: await swept([MAIN, ...names, '--size', 'small'], { FAILED_FILE }), failed: notedFailures(FAILED_FILE) }
  }
  const { code, failed } = await run(GATE, 'all')
  const good =
    code === 0 || (code === 1 && failed.size > 0 && (await holdAlone(failed, async (name, turn) => (await run([name], turn)).code === 0)))
  rmSync(folder, { recursive: true })
  return good ? 0 : code || 1
}

const args = process.argv.slice(2)
process.exit(args.join() === '--gate' ? await gate() : await swept([MAIN, ...args]))
