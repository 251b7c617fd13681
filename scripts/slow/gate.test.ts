// The gate, tried with planted failures: what is red, what is tried again, what is told.
import { execFile, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../furnishing/until.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Short, since sockets lie below it. */
const folder = mkdtempSync(join(tmpdir(), 'gate-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const { WHOLE_HALF: _, TESTS: __, VITEST_POOL_ID: ___, VITEST_WORKER_ID: ____, VITEST: _____, ...plain } = process.env
const run = (program: string, args: string[], env: Record<string, string> = {}) =>
  new Promise<{ code: number; out: string }>((resolve) =>
    execFile(program, args, { cwd: folder, env: { ...plain, TMPDIR: folder, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, out: stripVTControlCharacters(stdout + stderr) }),
    ),
  )
const HELD_FILE = join(folder, 'held')
const held = () => (existsSync(HELD_FILE) ? readFileSync(HELD_FILE, 'utf8') : '')

/** A project with our runner, reporter and time-outs, and these test files. */
async function playTests(files: Record<string, string>, options = '') {
  const project = mkdtempSync(join(folder, 'project-'))
  rmSync(HELD_FILE, { force: true })
  for (const [name, text] of Object.entries(files))
    writeFileSync(
      join(project, `${name}.test.ts`),
      `import { beforeAll, describe, expect, it } from '${ROOT}node_modules/vitest/dist/index.js'\n${text}`,
    )
  writeFileSync(
    join(project, 'vitest.config.ts'),
    `import { RunReporter } from '${ROOT}scripts/run-reporter.ts'
export default { test: { maxWorkers: 8, setupFiles: ['${ROOT}scripts/lived-time.ts'], expect: { poll: { timeout: 2000 } }, reporters: ['default', new RunReporter(${options})] } }`,
  )
  return run(process.execPath, [join(ROOT, 'scripts/tests.ts'), 'quick', '--root', project], { HELD_FILE, PLAYED: join(project, 'played') })
}

const FLAKY = `import { existsSync, writeFileSync } from 'node:fs'
it('holds late', () => { const first = !existsSync(process.env.PLAYED); writeFileSync(process.env.PLAYED, ''); expect(first, 'at first').toBe(false) })`
const BREAKS = `it('breaks', () => { expect(1).toBe(2) })`
const tries = (out: string) => out.match(/again, alone/g)?.length ?? 0

describe('a file that failed', () => {
  it('and holds twice in a row alone is green, and told with its first failure', async () => {
    const { code, out } = await playTests({ flaky: FLAKY, good: `it('holds', () => {})` })
    expect([code, tries(out)]).toEqual([0, 2])
    expect(held()).toMatch(
      /^held only alone: flaky\.test\.ts\n\nflaky\.test\.ts > holds late\nAssertionError: at first: expected true to be false/,
    )
    expect(held()).toContain('flaky.test.ts:3:')
  })

  it('and fails again alone is red', async () => {
    const { code, out } = await playTests({ broken: BREAKS })
    expect([code, tries(out), held()]).toEqual([1, 1, ''])
    expect(out).toContain('failed: broken.test.ts > breaks\nAssertionError: expected 1 to be 2')
    expect(out).toContain('red, also alone: broken.test.ts')
  })

  it('in a hook, in an import or after its tests counts as well', async () => {
    const { code, out } = await playTests({
      hook: `describe('some', () => { beforeAll(() => { throw new Error('no hook') }); it('holds', () => {}) })`,
      import: `import './nowhere.ts'\nit('holds', () => {})`,
      late: `it('holds', async () => { void Promise.reject(new Error('too late')) })`,
    })
    expect(code).toBe(1)
    for (const told of ['failed: hook.test.ts > some\nError: no hook', 'failed: import.test.ts\n', 'too late']) expect(out).toContain(told)
    expect(tries(out)).toBe(1)
  })

  it('among more than five is red at once, whatever hangs meanwhile', async () => {
    const broken = `${BREAKS}\nit('hangs', () => new Promise(() => {}))`
    const { code, out } = await playTests(Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`broken-${i}`, broken])))
    expect([code, tries(out)]).toEqual([3, 0])
    expect(out).toContain('More than 5 files failed:')
  })
})

describe('a run', () => {
  it('in which nothing moves is ended, and says what was running', async () => {
    const { code, out } = await playTests({ blocked: `it('blocks its thread', () => { for (;;); })` }, '{ silentS: 4 }')
    expect([code, tries(out)]).toEqual([3, 0])
    expect(out).toContain('Nothing has begun or ended for 4 s. Running were:\n  blocked.test.ts')
  })

  it('that stood still for a while does not hold it against a poll', async () => {
    const stands = `import { spawn } from 'node:child_process'
it('waits', async () => {
  let done = false
  spawn('sh', ['-c', 'kill -STOP ' + process.pid + '; sleep 3; kill -CONT ' + process.pid + '; sleep 0.5']).on('exit', () => { done = true })
  await expect.poll(() => done).toBe(true)
})`
    const { code, out } = await playTests({ stands })
    expect([code, tries(out)], out).toEqual([0, 0])
  })
})

describe('what a run leaves behind', () => {
  const runs = () => readdirSync(folder).filter((name) => name.startsWith('adjoin-run-'))
  const lives = (pid: number) => {
    try {
      process.kill(pid, 0)
      return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
    } catch {
      return false
    }
  }
  /** A program that starts another one in a group of its own, says its id, and then does as it is told. */
  const leaving = (then: string) => `const { spawn } = require('node:child_process')
    const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' })
    left.unref(); console.log('left ' + left.pid); ${then}`
  const swept = (program: string) => [
    '--input-type=module',
    '-e',
    `import { swept } from '${ROOT}scripts/swept.ts'; process.exit(await swept(['-e', ${JSON.stringify(program)}]))`,
  ]
  const leftBy = (out: string) => Number(/left (\d+)/.exec(out)?.[1])

  it('is ended with it, and its folder goes', async () => {
    const { code, out } = await run(process.execPath, swept(leaving('process.exitCode = 7')))
    expect([code, lives(leftBy(out)), runs()]).toEqual([7, false, []])
  })

  it('is swept by the next one if it was killed, while a living run is left alone', async () => {
    const start = () => {
      const child = spawn(process.execPath, swept(leaving('setInterval(() => {}, 1000)')), {
        cwd: folder,
        env: { ...plain, TMPDIR: folder },
      })
      onTestFinished(() => void child.kill('SIGKILL'))
      let out = ''
      child.stdout.on('data', (bytes) => {
        out += bytes
      })
      return { child, left: () => until(() => leftBy(out), Boolean, 'the process that is left') }
    }
    const [killed, living] = [start(), start()]
    const [dead, alive] = [await killed.left(), await living.left()]
    killed.child.kill('SIGKILL')
    await until(() => killed.child.signalCode, Boolean, 'the end of the killed run')
    expect(lives(dead)).toBe(true)
    await run(process.execPath, swept(''))
    expect([lives(dead), lives(alive), runs().length]).toEqual([false, true, 1])
    living.child.kill('SIGTERM')
    await until(
      () => living.child.exitCode,
      (code) => code !== null,
      'the end of the living run',
    )
    expect([living.child.exitCode, lives(alive), runs()]).toEqual([130, false, []])
  })
})

describe('.ci/run', () => {
  /** Its npm says what it is asked, and fails where it is told to; nothing is installed. */
  async function gate(failing = '') {
    const tools = mkdtempSync(join(folder, 'tools-'))
    mkdirSync(join(tools, '.ci'))
    writeFileSync(join(tools, '.ci/run'), readFileSync(join(ROOT, '.ci/run')))
    writeFileSync(join(tools, '.ci/tools'), '#!/bin/sh\n')
    writeFileSync(join(tools, 'npm'), `#!/bin/sh\necho "npm $*"\necho "held only alone: $*" >> "$HELD_FILE"\n[ "$*" != '${failing}' ]\n`)
    for (const name of ['.ci/run', '.ci/tools', 'npm']) chmodSync(join(tools, name), 0o755)
    const { code, out } = await run(join(tools, '.ci/run'), [], { PATH: `${tools}${delimiter}${process.env.PATH}` })
    return { code, asked: out.match(/^npm .*/gm), end: out.slice(out.indexOf('Each of these')).replace(/\d+ s/g, 'N s') }
  }

  it('goes through its steps in the order of cost, and tells at its end what held only alone', async () => {
    const { code, asked, end } = await gate()
    expect([code, asked]).toEqual([0, ['npm run words', 'npm test', 'npm run test:slow', 'npm run proof -- --gate']])
    expect(end).toMatch(/^Each of these is a bug[^\n]+\n\nheld only alone: run words\nheld only alone: test\n/)
    expect(end).toMatch(/\ntools N s · words N s · quick N s · slow N s · proofs N s · green in N s\n$/)
  })

  it('ends with the first red one', async () => {
    const { code, asked, end } = await gate('test')
    expect([code, asked]).toEqual([1, ['npm run words', 'npm test']])
    expect(end).toMatch(/quick RED after N s\n$/)
  })
})
