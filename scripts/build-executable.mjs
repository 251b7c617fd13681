// Builds the command line as one file that needs no Node: `npm run build:executable [-- FILE]`.
// It is for the machine that builds it: this Node's own binary, with the bundle inside (Node's single executable applications).
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { bundleCli } from './bundle-cli.mjs'
import { root } from './pack.mjs'

/** Node's own tool to put a blob into a binary. Fetched when it is needed: nothing else here needs it. */
const POSTJECT = 'postject@1.0.0-alpha.6'
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

const [major] = process.versions.node.split('.').map(Number)
if (major < 22) {
  console.error(`A single executable needs Node 22 or later to be built; this is ${process.version}.`)
  process.exit(2)
}

const target = resolve(process.argv[2] ?? join(root, 'dist', process.platform === 'win32' ? 'adjoin.exe' : 'adjoin'))
const scratch = mkdtempSync(join(tmpdir(), 'adjoin-executable-'))
const run = (command, args) => execFileSync(command, args, { stdio: 'pipe' }) // an error holds what was said

try {
  const main = await bundleCli(scratch, 'cjs')
  const blob = join(scratch, 'adjoin.blob')
  const config = join(scratch, 'sea.json')
  writeFileSync(config, JSON.stringify({ main, output: blob, disableExperimentalSEAWarning: true, useCodeCache: true }))
  run(process.execPath, ['--experimental-sea-config', config])
  mkdirSync(dirname(target), { recursive: true })
  const part = `${target}.part`
  rmSync(part, { force: true })
  copyFileSync(process.execPath, part)
  chmodSync(part, 0o755)
  const mac = process.platform === 'darwin'
  if (mac) run('codesign', ['--remove-signature', part])
  run('npx', [
    '--yes',
    POSTJECT,
    part,
    'NODE_SEA_BLOB',
    blob,
    '--sentinel-fuse',
    FUSE,
    ...(mac ? ['--macho-segment-name', 'NODE_SEA'] : []),
  ])
  if (mac) run('codesign', ['--sign', '-', part])
  renameSync(part, target)
  process.stdout.write(`${target}\n`)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
