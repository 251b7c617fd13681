import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files share a worker, and in it the modules, since reading them takes longer than most files do. A worker
 * of its own gets a file that imports what begins and ends with one file, and one that weighs its process.
 */
const OWN_WORKER = /from '\.{1,2}\/(data-folders|identity-world)\.ts'|process\.memoryUsage\(/
const exclude = ['**/node_modules/**', '**/dist/**']

/** What a half has says the folder: `slow` is slow, `derived` is a sample in the quick half and whole in the slow one. */
const halves: Record<string, (path: string) => boolean> = {
  quick: (path) => !path.includes('/slow/'),
  slow: (path) => /\/(slow|derived)\//.test(path),
}

/** The test files of a half, or without one all there are. */
export const testFiles = (half = process.env.TESTS): string[] =>
  globSync('**/*.test.ts', { cwd: fileURLToPath(new URL('..', import.meta.url)), exclude }).filter(halves[half ?? ''] ?? (() => true))

const files = testFiles()
const alone = files.filter((path) => OWN_WORKER.test(readFileSync(path, 'utf8')))

export const fileSets = {
  alone: { include: alone, exclude },
  shared: { include: files, exclude: [...exclude, ...alone] },
}

/**
 * With a browser a file takes a minute, elsewhere seconds: one that began last would keep all waiting.
 * A worker is handed on only between files of one set that follow one another.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => (moduleId.includes('/portal/test/') ? 0 : project.name === 'alone' ? 1 : 2)
    return (await super.sort(specifications)).toSorted((a, b) => rank(a) - rank(b))
  }
}
