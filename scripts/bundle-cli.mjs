// The command line with everything that it needs in one file of plain JavaScript, for Node 20 and later.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './pack.mjs'

/** Packages that the bundle contains; each of them asks for its license to be passed on. */
const BUNDLED = ['commander', 'uqr', 'zod']

/** Writes `outDir/adjoin.js` (`esm`) or `adjoin.cjs` (`cjs`). */
export async function bundleCli(outDir, format) {
  const { build } = await import(pathToFileURL(createRequire(join(root, 'portal/package.json')).resolve('vite')).href)
  const name = format === 'cjs' ? 'adjoin.cjs' : 'adjoin.js'
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: join(root, 'cli/src/main.ts'),
      outDir,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      rollupOptions: {
        output: { format, entryFileNames: name, codeSplitting: false, ...(format === 'es' && { banner: '#!/usr/bin/env node' }) },
      },
    },
  })
  return join(outDir, name)
}

export function notices() {
  const texts = BUNDLED.map((name) => {
    const folder = join(root, 'node_modules', name)
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = existsSync(folder) && readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
    if (!file) throw new Error(`${name} has no license file: the bundle can't pass it on`)
    return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  })
  return `This package contains the following software.\n\n${texts.join('\n----------------------------------------\n\n')}`
}
