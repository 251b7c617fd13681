// `npm run proof -- NAME --size small|full`: what the service survives.
// Each line prints what was tried and what was found; any loss fails.
import { parseArgs } from 'node:util'
import { noteFailure } from '../scripts/second-try.ts'
import { attacks } from './attacks/index.ts'
import { calls } from './calls.ts'
import { citus } from './citus/index.ts'
import { crash } from './crash.ts'
import { events } from './events.ts'
import { failover } from './failover.ts'
import { faults } from './faults/index.ts'
import type { Finding, Options, Size } from './finding.ts'
import { input } from './input.ts'
import { watchMachine } from './machine.ts'
import { pages } from './pages.ts'
import { races } from './races.ts'
import { rolling } from './rolling.ts'
import { secrets } from './secrets.ts'
import { soak } from './soak.ts'
import { starts } from './starts.ts'

const proofs: Record<string, (size: Size, options: Options) => AsyncIterable<Finding>> = {
  crash,
  calls,
  failover,
  faults,
  pages,
  races,
  rolling,
  soak,
  input,
  secrets,
  attacks,
  starts,
  events,
  citus,
}

function tellUsage(exit: number): never {
  console.error(
    `npm run proof -- [${Object.keys(proofs).join(' | ')}] [--size small | full] [--seed NUMBER] [--minutes NUMBER]\n       npm run proof -- --gate`,
  )
  process.exit(exit)
}

function read() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        size: { type: 'string', default: 'small' },
        seed: { type: 'string' },
        minutes: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    })
  } catch {
    return tellUsage(2)
  }
}

const { values, positionals } = read()
const unknown = positionals.filter((name) => !Object.hasOwn(proofs, name))
const isNumber = (text = '1') => /^\d{1,9}$/.test(text)
const isCount = (text = '1') => isNumber(text) && Number(text) > 0
if (values.help || unknown.length || !['small', 'full'].includes(values.size) || !isNumber(values.seed) || !isCount(values.minutes))
  tellUsage(values.help ? 0 : 2)

const options: Options = {
  ...(values.seed !== undefined && { seed: Number(values.seed) }),
  ...(values.minutes !== undefined && { minutes: Number(values.minutes) }),
}
const show = ({ tried, found, good }: Finding) => console.log(`  ${good === undefined ? '·' : good ? '✓' : '✗'} ${tried}: ${found}`)

/** Does everything hold that it tries? */
async function holds(name: string): Promise<boolean> {
  console.log(`\n${name} (${values.size})`)
  const [began, taken] = [performance.now(), watchMachine()]
  const wrong: string[] = []
  try {
    for await (const finding of proofs[name]!(values.size as Size, options)) {
      if (finding.good === false) wrong.push(`${finding.tried}: ${finding.found}`)
      show(finding)
    }
  } catch (error) {
    // It could not be carried out: the others still can.
    const found = (error as Error).stack ?? String(error)
    wrong.push(`to the end: ${found}`)
    show({ tried: 'to the end', found, good: false })
  }
  const percent = Math.round((taken() ?? 0) * 100)
  const note = percent ? `; others took ${percent} % of the machine` : ''
  console.log(`  · ${Math.round((performance.now() - began) / 1000)} s${note}`)
  if (wrong.length) noteFailure(name, wrong.join('\n'))
  return !wrong.length
}

const failed: string[] = []
for (const name of positionals.length ? positionals : Object.keys(proofs)) if (!(await holds(name))) failed.push(name)
console.log(failed.length ? `\nfailed: ${failed.join(', ')}` : '\nnothing was lost')
process.exit(failed.length ? 1 : 0)
