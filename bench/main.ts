// `npm run bench -- NAME… [--json FILE]`: how fast, and in how much memory. Each line prints what was measured.
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { checks } from './checks.ts'
import type { Measure } from './measure.ts'

const benches: Record<string, () => AsyncIterable<Measure>> = { checks }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' }, help: { type: 'boolean', default: false } },
})
const unknown = positionals.filter((name) => !(name in benches))
if (values.help || unknown.length) {
  console.error(`npm run bench -- [${Object.keys(benches).join(' | ')}] [--json FILE]`)
  process.exit(values.help ? 0 : 2)
}

const measured: (Measure & { bench: string })[] = []
for (const bench of positionals.length ? positionals : Object.keys(benches)) {
  console.log(`\n${bench} (Node ${process.versions.node}, ${availableParallelism()} cores)`)
  for await (const measure of benches[bench]!()) {
    measured.push({ bench, ...measure })
    const numbers = Object.entries(measure.numbers).map(([name, number]) => `${name} ${number}`)
    console.log(`  ${measure.good === undefined ? '·' : measure.good ? '✓' : '✗'} ${measure.what}: ${numbers.join(', ')}`)
  }
}
if (values.json) writeFileSync(values.json, `${JSON.stringify(measured, null, 2)}\n`)
process.exit(measured.some(({ good }) => good === false) ? 1 : 0)
