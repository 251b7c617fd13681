// Makes clients from the OpenAPI document with the generators that people use, and compiles what comes out: `npm run generators`.
// Fetched by npx, at exact versions; nothing of them is installed here.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const document = join(root, 'docs/openapi.json')
const scratch = mkdtempSync(join(tmpdir(), 'adjoin-generators-'))

/** What npx brings, and the command line that writes into the folder `out`. */
const GENERATORS = {
  'openapi-typescript': [['openapi-typescript@7.13.0'], ['openapi-typescript', document, '--output', 'out/schema.ts']],
  // Without a TypeScript of its own it takes the newest, which has no API for programs.
  '@hey-api/openapi-ts': [
    ['@hey-api/openapi-ts@0.99.0', 'typescript@5.9.3'],
    ['openapi-ts', '--input', document, '--output', 'out'],
  ],
  orval: [['orval@8.38.0'], ['orval', '--client', 'fetch', '--input', document, '--output', 'out/client.ts']],
}

const COMPILER_OPTIONS = {
  strict: true,
  noUncheckedIndexedAccess: true,
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  types: [],
  noEmit: true,
}

function check(name, [packages, command]) {
  const folder = join(scratch, name.replace(/\W+/g, '-'))
  mkdirSync(folder)
  const run = (program, args) => execFileSync(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' })
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['out'] }))
  try {
    run('npx', ['--yes', ...packages.flatMap((one) => ['--package', one]), '--', ...command])
    run(join(root, 'node_modules/.bin/tsc'), ['--project', '.'])
    return true
  } catch (error) {
    console.error(`${error.stdout ?? ''}${error.stderr ?? ''}`.trim() || error.message)
    return false
  }
}

try {
  for (const [name, generator] of Object.entries(GENERATORS)) {
    const compiles = check(name, generator)
    console.log(`${generator[0][0]}: ${compiles ? 'its client compiles' : 'FAILED'}`)
    if (!compiles) process.exitCode = 1
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
