// A repeat that nobody sees hides a flaw: played here with a test that fails once, and with a step that does.
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'adjoin-repeats-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (program: string, args: string[], env: Record<string, string>) =>
  new Promise<{ code: number; out: string }>((resolve) =>
    execFile(program, args, { cwd: folder, env: { ...process.env, ...env } }, (error, out) =>
      resolve({ code: error ? Number(error.code) : 0, out: stripVTControlCharacters(out) }),
    ),
  )

/** Its vitest runs the tests written here, with our reporter and what CI repeats. */
async function playTests(tests: string, env: Record<string, string> = {}) {
  const project = mkdtempSync(join(folder, 'project-'))
  writeFileSync(join(project, 'some.test.ts'), `import { expect, it } from '${ROOT}node_modules/vitest/dist/index.js'\n${tests}`)
  writeFileSync(
    join(project, 'vitest.config.ts'),
    `import { RepeatsReporter } from '${ROOT}scripts/repeats-reporter.ts'
export default { test: { retry: 2, reporters: ['default', new RepeatsReporter()] } }`,
  )
  return run(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--root', project], { REPEATS_FILE: '', ...env })
}

const FLAKY = `let plays = 0; it('holds late', () => { expect(++plays).toBe(2) })`

it('names a test that passed only when repeated, at the end of its run', async () => {
  const { code, out } = await playTests(`${FLAKY}\nit('holds', () => {})`)
  expect(code).toBe(0)
  expect(out).toMatch(/Passed only when repeated: 1\n {2}some\.test\.ts > holds late \(1 ×\)\s*$/)
})

it('.ci/run names at its very end what failed at first, and what passed only when repeated', async () => {
  const tools = join(folder, 'tools')
  mkdirSync(tools)
  // The check fails once, as a test of it does; the proof holds, and says much.
  writeFileSync(
    join(tools, 'npm'),
    `#!/bin/sh
case "$2" in
  check) if [ -e '${folder}/failed' ]; then exit 0; fi; touch '${folder}/failed'
    echo 'some.test.ts > breaks: failed' >> "$REPEATS_FILE"; exit 1 ;;
  proof) echo 'nothing was lost' ;;
esac
`,
  )
  chmodSync(join(tools, 'npm'), 0o755)
  const { code, out } = await run(join(ROOT, '.ci/run'), [], { PATH: `${tools}${delimiter}${process.env.PATH}` })
  expect(code).toBe(0)
  expect(out).toBe(
    'nothing was lost\n\nFailed or repeated in this run; each of these is a bug:\n  some.test.ts > breaks: failed\n  npm run check: failed, run once more\n',
  )
})

it('leaves for that end what failed, what was repeated, and what could not begin', async () => {
  const file = join(folder, 'repeats')
  writeFileSync(file, '')
  await playTests(`${FLAKY}\nit('breaks', () => { expect(1).toBe(2) })`, { REPEATS_FILE: file })
  await playTests(`throw new Error('cannot begin')`, { REPEATS_FILE: file })
  const { out } = await run('cat', [file], {})
  expect(out.split('\n').filter(Boolean)).toEqual([
    'some.test.ts > holds late: passed only when repeated (1 ×)',
    'some.test.ts > breaks: failed',
    'some.test.ts: cannot begin',
  ])
})
