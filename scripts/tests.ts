// `npm test` and `npm run test:slow`: one half of the tests; then each file that failed once more, alone.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { holdAlone, notedFailures } from './second-try.ts'
import { swept } from './swept.ts'

const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const [half, ...args] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'adjoin-failed-'))

async function run(name: string, more: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const FAILED_FILE = join(folder, name)
  const code = await swept([VITEST, 'run', ...args, ...more], { ...env, TESTS: half, FAILED_FILE })
  return { code, failed: notedFailures(FAILED_FILE) }
}

// Told files, or what a test may be named, are no whole half.
const { code, failed } = await run('all', [], args.length ? {} : { WHOLE_HALF: 'yes' })
// A run that failed without a file that did, was ended early or interrupted is not tried again.
const good =
  code === 0 ||
  (code === 1 &&
    failed.size > 0 &&
    (await holdAlone(
      failed,
      async (file, turn) => (await run(`${turn} ${file.replaceAll('/', ' ')}`, [file, '--maxWorkers=1'])).code === 0,
    )))
rmSync(folder, { recursive: true })
process.exit(good ? 0 : code || 1)
