// The source files of a folder, with what they import, read from the import lines themselves.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface Source {
  readonly path: string
  readonly text: string
  /** Files of this repository, and packages by name. Types alone bind nobody at run time. */
  readonly imports: { readonly to: string; readonly typeOnly: boolean }[]
}

export const sourcesIn = (folder: string): Source[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:tsx?|mjs)$/.test(entry.name) && !/node_modules|\/dist/.test(entry.parentPath))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const text = readFileSync(path, 'utf8')
      const statements = [
        ...text.matchAll(/^(?:import|export)\s+(type\s)?[^;'"]*?from\s+'([^']+)'/gm),
        ...text.matchAll(/()import\('([^']+)'\)/g),
        ...text.matchAll(/^import\s+()'([^']+)'/gm),
      ]
      const imports = statements.map(([, type, to]) => ({
        to: to!.startsWith('.') ? relative(ROOT, join(dirname(path), to!)) : to!,
        typeOnly: type !== undefined && type !== '',
      }))
      return { path: relative(ROOT, path), text, imports }
    })

/** Without tests. */
export const productIn = (folder: string): Source[] =>
  sourcesIn(folder).filter(({ path }) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
