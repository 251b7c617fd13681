#!/usr/bin/env node
// Runs adjoin-admin on a Node that the service runs on: this one, or the project's own.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const LEAST_NODE = 24

if (Number(process.versions.node.split('.')[0]) >= LEAST_NODE) {
  await import('../src/admin/main.ts')
} else {
  const own = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url))
  if (!existsSync(own)) {
    console.error(
      `adjoin-admin needs Node ${LEAST_NODE} or later. Install it, or run \`npm ci\` in the checkout, which installs its own Node.`,
    )
    process.exit(2)
  }
  const { status } = spawnSync(own, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  process.exit(status ?? 1)
}
