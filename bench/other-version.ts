// Another commit of this repository in a folder of its own, ready to run, and gone when it is removed.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const HERE = fileURLToPath(new URL('..', import.meta.url))
const WORKSPACES = '@adjoin'

export interface OtherVersion {
  readonly folder: string
  readonly commit: string
  remove(): void
}

const git = (...words: string[]): string => execFileSync('git', ['-C', HERE, ...words], { encoding: 'utf8' }).trim()

export function checkOut(name: string): OtherVersion {
  const commit = git('rev-parse', '--short', '--verify', `${name}^{commit}`)
  const scratch = mkdtempSync(join(tmpdir(), 'adjoin-bench-'))
  const folder = join(scratch, commit)
  git('worktree', 'add', '--detach', '--quiet', folder, commit)
  const remove = () => {
    git('worktree', 'remove', '--force', folder)
    rmSync(scratch, { recursive: true })
  }
  try {
    installIn(folder)
  } catch (error) {
    remove()
    throw error
  }
  return { folder, commit, remove }
}

/** The same dependencies are shared; its own packages are always its own. */
function installIn(folder: string): void {
  const lock = (at: string) => readFileSync(join(at, 'package-lock.json'), 'utf8')
  if (lock(folder) !== lock(HERE)) return void execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' })
  const [from, to] = [HERE, folder].map((at) => join(at, 'node_modules')) as [string, string]
  mkdirSync(join(to, WORKSPACES), { recursive: true })
  for (const name of readdirSync(from)) if (name !== WORKSPACES) symlinkSync(join(from, name), join(to, name))
  // They lead to the folders beside them, wherever those are.
  for (const name of readdirSync(join(from, WORKSPACES)))
    symlinkSync(readlinkSync(join(from, WORKSPACES, name)), join(to, WORKSPACES, name))
}
