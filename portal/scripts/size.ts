import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** Script and style that a page loads before it can be used, in KB of brotli: printed by every build, and held to a budget. */
export const held = (budgets: Record<string, number>): Plugin => ({
  name: 'held-to-size',
  apply: 'build',
  writeBundle(options) {
    const folder = options.dir ?? 'dist'
    const over = Object.entries(budgets).flatMap(([page, budget]) => {
      const files = loadedBy(readFileSync(join(folder, page), 'utf8'))
      const sizes = files.map((file) => [file, brotliCompressSync(readFileSync(join(folder, file))).length / 1024] as const)
      const total = sizes.reduce((sum, [, size]) => sum + size, 0)
      for (const [file, size] of sizes) console.log(`  ${size.toFixed(1).padStart(6)} KB  ${file}`)
      console.log(`${page}: ${total.toFixed(1)} KB of ${budget} KB (brotli, script and style)`)
      return total > budget ? [`${page} is ${total.toFixed(1)} KB, over its budget of ${budget} KB`] : []
    })
    if (over.length) throw new Error(over.join('\n'))
  },
})

/** What the page itself names: its script, what that imports at once, and its style sheet. */
export const loadedBy = (html: string): string[] => [
  ...new Set([...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, file]) => file!)),
]
