// Packs the command line: `npm run pack:cli [-- FOLDER]`.
// The package has no dependencies: what it needs is in its one file.
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleCli, notices } from './bundle-cli.mjs'
import { pack } from './pack.mjs'

await pack('cli', 'docs/cli.md', async (folder) => {
  chmodSync(await bundleCli(join(folder, 'dist'), 'es'), 0o755)
  writeFileSync(join(folder, 'NOTICES'), notices())
  return { bin: { adjoin: 'dist/adjoin.js' }, files: ['dist', 'NOTICES'] }
})
