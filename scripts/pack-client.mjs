// Builds the contract with its client as plain JavaScript and declarations,
// and packs it: `npm run pack:client [-- FOLDER]`.
// The package depends on zod alone; the client itself does not load even that.
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withComments } from './client-comments.mjs'
import { pack, root } from './pack.mjs'

await pack('contract', 'docs/client.md', (folder, { dependencies }) => {
  // Without Node's types: what compiles here runs in a browser, too.
  const compilerOptions = {
    rootDir: join(root, 'contract/src'),
    outDir: join(folder, 'dist'),
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
  const project = join(folder, 'tsconfig.json')
  const include = [join(root, 'contract/src')]
  writeFileSync(project, JSON.stringify({ compilerOptions, include, exclude: [join(root, 'contract/src/*.test.ts')] }))
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', project], { stdio: ['ignore', 'inherit', 'inherit'] })
  rmSync(project)

  const client = join(folder, 'dist/client.d.ts')
  const openApi = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8'))
  writeFileSync(client, withComments(readFileSync(client, 'utf8'), openApi))

  const entry = (file) => ({ types: `./dist/${file}.d.ts`, default: `./dist/${file}.js` })
  return {
    sideEffects: false,
    files: ['dist'],
    exports: { '.': entry('index'), './*': entry('*') },
    types: './dist/index.d.ts',
    dependencies,
  }
})
