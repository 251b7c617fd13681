// What /version says of the program that is running.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../../config.ts'

export interface BuildInfo {
  readonly version: string
  readonly commit: string
  readonly builtAt: string | null
}

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

export function buildInfo({ build: { commit, builtAt } }: Pick<Config, 'build'>): BuildInfo {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  return { version, commit: commit ?? commitOf(join(ROOT, '.git')), builtAt: builtAt ?? null }
}

/** The commit of a checkout, for development; a build sets COMMIT. */
function commitOf(gitDir: string): string {
  try {
    const head = readFileSync(`${gitDir}/HEAD`, 'utf8').trim()
    const ref = /^ref: (.+)$/.exec(head)?.[1]
    return ref ? readFileSync(`${gitDir}/${ref}`, 'utf8').trim() : head
  } catch {
    return 'unknown'
  }
}
