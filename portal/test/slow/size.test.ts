import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { languages } from '../../src/connect/languages.ts'

const DIST = join(import.meta.dirname, '../../dist')

/** What the page itself names: its script, what that imports at once, and its style sheet. */
const loadedBy = (html: string): string[] => [
  ...new Set([...html.matchAll(/(?:src|href)="\/assets\/([^"]+\.(?:js|css))"/g)].map(([, file]) => file!)),
]

const textOf = (file: string) => readFileSync(join(DIST, 'assets', file), 'utf8')

/** A file and whatever it imports before it runs. */
function closureOf(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found
  found.add(file)
  for (const [, next] of textOf(file).matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)) closureOf(next!, found)
  return found
}

/** KB of brotli, by file. */
const sizesOf = (files: Iterable<string>): [string, number][] =>
  [...new Set(files)].map((file) => [file, brotliCompressSync(textOf(file)).length / 1024])

function expectWithin(files: Iterable<string>, budget: number): void {
  const sizes = sizesOf(files)
  expect(sizes.filter(([file]) => file.endsWith('.js'))).not.toEqual([])
  expect(
    sizes.reduce((sum, [, size]) => sum + size, 0),
    JSON.stringify(sizes),
  ).toBeLessThan(budget)
}

const named = (page: string) => loadedBy(readFileSync(join(DIST, page), 'utf8'))

test('the portal loads at most 190 KB of script and style before it can be used', () => expectWithin(named('index.html'), 190))

const assets = readdirSync(join(DIST, 'assets'))
const chunk = (name: string) => assets.find((file) => file.startsWith(`${name}-`) && file.endsWith('.js'))!

test.each(['connect-page', 'request-page', 'result-page', 'receipt-page', 'stop-page'])(
  'a client’s %s loads at most 80 KB with the longest of its languages, and no other',
  (page) => {
    const own = [...named('connect.html'), ...closureOf(chunk(page))]
    const catalogues = Object.keys(languages).map((language) => chunk(language))
    expect(own.filter((file) => catalogues.includes(file))).toEqual([])
    const [longest] = sizesOf(catalogues).sort(([, one], [, other]) => other - one)
    expectWithin([...own, ...closureOf(longest![0])], 80)
  },
)
