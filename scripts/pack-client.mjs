// Builds the contract with its client as plain JavaScript and declarations,
// and packs it: `npm run pack:client [-- FOLDER]`.
// Bare Node 20 is enough. The package depends on zod alone; the client itself does not load even that.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withComments } from './client-comments.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = resolve(process.argv[2] ?? join(root, 'dist'))
const scratch = mkdtempSync(join(tmpdir(), 'adjoin-client-'))

try {
  const { name, version, description, license, repository, dependencies } = JSON.parse(
    readFileSync(join(root, 'contract/package.json'), 'utf8'),
  )
  // Without Node's types: what compiles here runs in a browser, too.
  const compilerOptions = {
    rootDir: join(root, 'contract/src'),
    outDir: join(scratch, 'dist'),
    target: 'es2022',
    lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
    module: 'nodenext',
    types: [],
    strict: true,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
  }
  const project = join(scratch, 'tsconfig.json')
  const include = [join(root, 'contract/src')]
  writeFileSync(project, JSON.stringify({ compilerOptions, include, exclude: [join(root, 'contract/src/*.test.ts')] }))
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', project], { stdio: ['ignore', 'inherit', 'inherit'] })

  const client = join(scratch, 'dist/client.d.ts')
  const openApi = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8'))
  writeFileSync(client, withComments(readFileSync(client, 'utf8'), openApi))

  const entry = (file) => ({ types: `./dist/${file}.d.ts`, default: `./dist/${file}.js` })
  const manifest = {
    name,
    version,
    description,
    license,
    ...(repository && { repository }),
    type: 'module',
    engines: { node: '>=20' },
    sideEffects: false,
    files: ['dist'],
    exports: { '.': entry('index'), './*': entry('*') },
    types: './dist/index.d.ts',
    dependencies,
    publishConfig: { access: 'public', provenance: true },
  }
  writeFileSync(join(scratch, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  cpSync(join(root, 'docs/client.md'), join(scratch, 'README.md'))
  cpSync(join(root, 'LICENSE'), join(scratch, 'LICENSE'))
  rmSync(project)
  mkdirSync(target, { recursive: true })
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--pack-destination', target], { cwd: scratch, stdio: ['ignore', 'pipe', 'ignore'] }),
  )
  process.stdout.write(`${join(target, packed.filename)}\n`)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
