// Packs one package for npm: what all have in common. Bare Node 20 is enough.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Into the folder that the command names, or `dist`. `build` fills an empty folder
 * and answers what its package.json has of its own, from that of the workspace.
 */
export async function pack(workspace, readme, build) {
  const target = resolve(process.argv[2] ?? join(root, 'dist'))
  const scratch = mkdtempSync(join(tmpdir(), `adjoin-${workspace}-package-`))
  try {
    const source = JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'))
    const { name, version, description, license, repository } = source
    const manifest = {
      name,
      version,
      description,
      license,
      ...(repository && { repository }),
      type: 'module',
      engines: { node: '>=20' },
      ...(await build(scratch, source)),
      publishConfig: { access: 'public', provenance: true },
    }
    writeFileSync(join(scratch, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
    cpSync(join(root, readme), join(scratch, 'README.md'))
    cpSync(join(root, 'LICENSE'), join(scratch, 'LICENSE'))
    mkdirSync(target, { recursive: true })
    const [packed] = JSON.parse(
      execFileSync('npm', ['pack', '--json', '--pack-destination', target], { cwd: scratch, stdio: ['ignore', 'pipe', 'ignore'] }),
    )
    process.stdout.write(`${join(target, packed.filename)}\n`)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
