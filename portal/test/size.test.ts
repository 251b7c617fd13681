import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'

const DIST = join(import.meta.dirname, '../dist')

/** What the page itself names: its script, what that imports at once, and its style sheet. */
const loadedBy = (html: string): string[] => [
  ...new Set([...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, file]) => file!)),
]

/** KB of brotli, by file. */
const sizesOf = (page: string): [string, number][] =>
  loadedBy(readFileSync(join(DIST, page), 'utf8')).map((file) => [file, brotliCompressSync(readFileSync(join(DIST, file))).length / 1024])

test.each([
  ['index.html', 190],
  ['connect.html', 80],
])('%s loads at most %i KB of script and style before it can be used', (page, budget) => {
  const sizes = sizesOf(page)
  expect(sizes.filter(([file]) => file.endsWith('.js'))).not.toEqual([])
  expect(
    sizes.reduce((sum, [, size]) => sum + size, 0),
    JSON.stringify(sizes),
  ).toBeLessThan(budget)
})
