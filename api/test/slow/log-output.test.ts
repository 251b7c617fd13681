import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'

const OUTPUT = new URL('../../src/log-output.ts', import.meta.url).href
/** A process of its own that writes to its standard output, and says on the other what was dropped. */
function start(script: string, stdout: number | 'pipe' = 'pipe', within: readonly string[] = []) {
  const [program, ...args] = [
    ...within,
    process.execPath,
    '--input-type=module-typescript',
    '-e',
    `import { createLogOutput } from '${OUTPUT}'\nconst output = createLogOutput(1)\n${UNTIL}\n${script}`,
  ]
  const child = spawn(program!, args, { stdio: ['ignore', stdout, 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}
const line = (level: string, name: string) => `{"level":"${level}","msg":"${name}"}\\n`
const UNTIL = 'const until = async (done) => { while (!done()) await new Promise((go) => setTimeout(go, 5)) }'

it('writes every line, in order, also those that wait when the process ends', async () => {
  const child = start(`for (let i = 0; i < 30_000; i++) output.write('{"level":"info","i":' + i + '}\\n')\nawait 0\nprocess.exit(0)`)
  const lines = (await text(child.stdout!)).trimEnd().split('\n')
  expect(lines.map((written) => JSON.parse(written).i)).toEqual(Array.from({ length: 30_000 }, (_, i) => i))
})

it('drops and counts what a full disk does not take, and the process ends as it should', async () => {
  const script = `for (let i = 1; i <= 3; i++) { output.write('${line('error', 'x')}'); await until(() => output.dropped() === i) }
    output.write('${line('error', 'last')}')`
  const child = start(script, openSync('/dev/full', 'w'))
  const [faults, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')])
  expect([faults, code]).toEqual(['', 0])
})

it('drops and counts what a reader that has gone away does not take', async () => {
  const child = start(`do output.write('${line('warn', 'x')}'); while (await until(() => true), !output.dropped())`)
  child.stdout!.destroy()
  const [faults, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')])
  expect([faults, code]).toEqual(['', 0])
})

it('says how many were dropped as soon as lines arrive again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'adjoin-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'log')
  // A limit on the size of its files stands in for a full disk: past it a write is refused, until the file is emptied.
  const child = start(
    `import { fstatSync, ftruncateSync } from 'node:fs'
     output.write('{"level":"warn","msg":"' + 'a'.repeat(470) + '"}\\n'); await until(() => fstatSync(1).size > 470)
     output.write('${line('warn', 'cut off and lost')}'); await until(() => output.dropped() === 1)
     output.write('${line('warn', 'lost')}'); await until(() => output.dropped() === 2)
     ftruncateSync(1, 0)
     output.write('${line('warn', 'kept')}'); await until(() => fstatSync(1).size > 0)`,
    openSync(file, 'a'),
    ['sh', '-c', `trap '' XFSZ; ulimit -f 1; exec "$@"`, 'sh'],
  )
  await once(child, 'exit')
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  expect(lines.map((written) => JSON.parse(written))).toMatchObject([{ level: 'warn', dropped: 2 }, { msg: 'kept' }])
})
