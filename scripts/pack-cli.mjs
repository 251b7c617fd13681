// Packs the command line: `npm run pack:cli [-- FOLDER]`.
// The package has no dependencies: what it needs is in its one file.
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { bundleCli, notices, root } from './bundle-cli.mjs'

const target = resolve(process.argv[2] ?? join(root, 'dist'))
const scratch = mkdtempSync(join(tmpdir(), 'adjoin-cli-package-'))

try {
  const { name, version, description, license, repository } = JSON.parse(readFileSync(join(root, 'cli/package.json'), 'utf8'))
  chmodSync(await bundleCli(join(scratch, 'dist'), 'es'), 0o755)
  const manifest = {
    name,
    version,
    description,
    license,
    ...(repository && { repository }),
    type: 'module',
    engines: { node: '>=20' },
    bin: { adjoin: 'dist/adjoin.js' },
    files: ['dist', 'NOTICES'],
    publishConfig: { access: 'public', provenance: true },
  }
  writeFileSync(join(scratch, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  writeFileSync(join(scratch, 'NOTICES'), notices())
  cpSync(join(root, 'docs/cli.md'), join(scratch, 'README.md'))
  cpSync(join(root, 'LICENSE'), join(scratch, 'LICENSE'))
  mkdirSync(target, { recursive: true })
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--pack-destination', target], { cwd: scratch, stdio: ['ignore', 'pipe', 'ignore'] }),
  )
  process.stdout.write(`${join(target, packed.filename)}\n`)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
