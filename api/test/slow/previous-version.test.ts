// The version before this one on this one's schema, as it is during an upgrade, and after going back:
// the earlier code, given the migrations of today, plays its own story, and what it does with clients and their links.
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const MIGRATIONS = 'api/src/db/migrations'
const CORE = ['story', 'workspaces', 'integrations', 'connect-callback'].map((name) => `api/test/${name}.test.ts`)
const WORKSPACES = ['contract', 'api', 'portal', 'cli']

const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

/** A commit whose newest migration was renumbered before it was released never ran anywhere. */
const isOnToday = (commit: string): boolean =>
  git('ls-tree', '--name-only', '-r', commit, MIGRATIONS)
    .split('\n')
    .every((path) => existsSync(join(ROOT, path)))

/** The last release, or, before the first one, whatever ran before the newest migration. Undefined in a copy without history. */
function previousVersion(): string | undefined {
  try {
    const release = git('tag', '--list', 'v*', '--sort=-version:refname', '--no-contains', 'HEAD').split('\n')[0]
    if (release) return release
    const newest = readdirSync(join(ROOT, MIGRATIONS)).sort().at(-1)!
    const added = git('log', '--diff-filter=A', '-1', '--format=%H', '--', join(MIGRATIONS, newest))
    return added ? git('rev-list', `${added}^`).split('\n').find(isOnToday) : git('rev-parse', 'HEAD')
  } catch {
    return undefined
  }
}

/** The earlier tree in a folder of its own, with the packages that are installed here and its own workspaces. */
function checkOut(version: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'adjoin-previous-'))
  const archive = execFileSync('git', ['archive', version], { cwd: ROOT, maxBuffer: 1 << 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  mkdirSync(join(folder, 'node_modules/@adjoin'), { recursive: true })
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '@adjoin') symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  for (const name of WORKSPACES) symlinkSync(join(folder, name), join(folder, 'node_modules/@adjoin', name))
  cpSync(join(ROOT, MIGRATIONS), join(folder, MIGRATIONS), { recursive: true })
  return folder
}

const version = previousVersion()

/** Not blocking: a test process that stands still for a minute does not answer those who run it. */
const run = (folder: string, args: string[], env: NodeJS.ProcessEnv) =>
  new Promise<{ passed: boolean; output: string }>((resolve) => {
    execFile(process.execPath, args, { cwd: folder, env, maxBuffer: 1 << 30 }, (error, stdout, stderr) =>
      resolve({ passed: !error, output: `${stdout}\n${stderr}` }),
    )
  })

/** A run of its own within this one. */
const LIMIT = { timeout: 600_000 }

test.runIf(version)('the version before this one plays its story on the schema of this one', LIMIT, async () => {
  const folder = checkOut(version!)
  try {
    const missing = CORE.filter((path) => !existsSync(join(folder, path)))
    expect(missing, `${version} has these under other names: name them here`).toEqual([])
    // Which half of the tests this is, and where failures are noted, is no matter of that version.
    const {
      VITEST: _,
      VITEST_POOL_ID: __,
      VITEST_WORKER_ID: ___,
      TESTS: ____,
      FAILED_FILE: _____,
      WHOLE_HALF: ______,
      ...env
    } = process.env
    // A test of back then that a busy machine can fail cannot be mended any more; what the schema breaks fails each time.
    const vitest = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--retry=5', ...CORE]
    const { passed, output } = await run(folder, vitest, env)
    expect(passed, `${version} on the schema of today:\n${output}`).toBe(true)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
