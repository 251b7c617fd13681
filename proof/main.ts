// `npm run proof -- NAME --size small|full`: what the service survives. Each line prints what was tried and what was found; any loss fails.
import { parseArgs } from 'node:util'
import { crash } from './crash.ts'
import type { Finding, Options, Size } from './finding.ts'
import { input } from './input.ts'
import { pages } from './pages.ts'
import { races } from './races.ts'
import { rolling } from './rolling.ts'

const proofs: Record<string, (size: Size, options: Options) => AsyncIterable<Finding>> = { crash, pages, races, rolling, input }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { size: { type: 'string', default: 'small' }, seed: { type: 'string' }, help: { type: 'boolean', default: false } },
})
const unknown = positionals.filter((name) => !(name in proofs))
if (values.help || unknown.length || !['small', 'full'].includes(values.size) || !/^\d{1,9}$/.test(values.seed ?? '1')) {
  console.error(`npm run proof -- [${Object.keys(proofs).join(' | ')}] [--size small | full] [--seed NUMBER]`)
  process.exit(values.help ? 0 : 2)
}

const options: Options = values.seed === undefined ? {} : { seed: Number(values.seed) }
let failed = 0
for (const name of positionals.length ? positionals : Object.keys(proofs)) {
  console.log(`\n${name} (${values.size})`)
  for await (const { tried, found, good } of proofs[name]!(values.size as Size, options)) {
    if (good === false) failed++
    console.log(`  ${good === undefined ? '·' : good ? '✓' : '✗'} ${tried}: ${found}`)
  }
}
console.log(failed ? `\n${failed} proofs failed` : '\nnothing was lost')
process.exit(failed ? 1 : 0)
