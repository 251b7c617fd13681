#!/usr/bin/env node
// Runs the command line on a Node that reads TypeScript: this one, or the project's own.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
// Whole: what an older Node lacks would end it here, before it can say what to do.
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major > 22 || (major === 22 && minor >= 18)) {
  module.enableCompileCache()
  await import('../src/main.ts')
} else {
  const own = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url))
  if (!existsSync(own)) {
    console.error('adjoin needs Node 22.18 or later. Install it, or run `npm ci` in the checkout, which installs its own Node.')
    process.exit(2)
  }
  const { status } = spawnSync(own, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  process.exit(status ?? 7)
}
