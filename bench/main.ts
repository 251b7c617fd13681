// `npm run bench -- NAME… [--json FILE]`:
// how fast, and in how much memory, beside a bar. A missed bar fails the run.
// `--against COMMIT [--rounds N]`: how fast beside another version of the service.
import { execFileSync } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { AGAINST, against } from './against.ts'
import { audit } from './audit.ts'
import { checks } from './checks.ts'
import { events } from './events.ts'
import { growth } from './growth.ts'
import { list } from './list.ts'
import { mails } from './mails.ts'
import { mcp } from './mcp.ts'
import { type Measure, reaches, shown } from './measure.ts'
import { members } from './members.ts'
import { checkOut } from './other-version.ts'
import { overview } from './overview.ts'
import { proxy } from './proxy.ts'
import { replicas } from './replicas.ts'
import { room } from './room.ts'
import { start } from './start.ts'
import { traces } from './traces.ts'
import { write } from './write.ts'

const benches: Record<string, () => AsyncIterable<Measure>> = {
  list,
  members,
  write,
  proxy,
  mcp,
  audit,
  growth,
  overview,
  checks,
  start,
  replicas,
  mails,
  room,
  events,
  traces,
}

function tellUsage(exit: number): never {
  console.error(`npm run bench -- [${Object.keys(benches).join(' | ')}] [--json FILE] [--against COMMIT [--rounds N]]`)
  process.exit(exit)
}

function read() {
  try {
    const text = { type: 'string' } as const
    const options = { json: text, against: text, rounds: text, help: { type: 'boolean', default: false } } as const
    return parseArgs({ allowPositionals: true, options })
  } catch {
    return tellUsage(2)
  }
}

const { values, positionals } = read()
const rounds = values.rounds === undefined ? undefined : Number(values.rounds)
const isMistaken =
  positionals.some((name) => !Object.hasOwn(benches, name)) ||
  (rounds !== undefined && !(values.against !== undefined && Number.isInteger(rounds) && rounds > 0))
if (values.help || isMistaken) tellUsage(values.help ? 0 : 2)
// Whether it can be written is better told now than after ten minutes.
if (values.json) appendFileSync(values.json, '')

const mark = (good: boolean | undefined) => (good === undefined ? '·' : good ? '✓' : '✗')
const measured: (Measure & { bench: string })[] = []
const other = values.against === undefined ? undefined : checkOut(values.against)
const every = other ? AGAINST : Object.keys(benches)
for (const bench of positionals.length ? positionals : every) {
  console.log(`\n${bench}${other ? ` against ${other.commit}` : ''} (Node ${process.versions.node}, ${availableParallelism()} cores)`)
  try {
    for await (const measure of other ? against(bench, other, rounds) : benches[bench]!()) tell(bench, measure)
  } catch (error) {
    console.error(error) // it could not be carried out: the others still can
    tell(bench, { what: 'to the end', numbers: {}, good: false })
  }
}

other?.remove()

function tell(bench: string, measure: Measure): void {
  measured.push({ bench, ...measure })
  const numbers = Object.entries(measure.numbers).map(([name, number]) => `${name} ${number}`)
  console.log(`  ${mark(reaches(measure))} ${measure.what}: ${numbers.join(', ')}`)
}

const rows = measured.flatMap(({ bench, what, numbers, bars = {} }) =>
  Object.entries(bars).map(([name, bar]) => [
    mark(reaches({ what, numbers, bars: { [name]: bar } })),
    bench,
    `${what}: ${name}`,
    String(numbers[name]),
    shown(bar),
  ]),
)
// What is judged by itself has no bar to stand beside, but must not be missing where it failed.
for (const { bench, what, good } of measured) if (good === false) rows.push([mark(false), bench, what, '', ''])
const widths = rows.reduce((most, row) => row.map((cell, i) => Math.max(cell.length, most[i] ?? 0)), [] as number[])
console.log(`\n${rows.map((row) => row.map((cell, i) => cell.padEnd(widths[i]!)).join('  ')).join('\n')}`)

if (values.json) {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? process.arch}, ${process.platform}, Node ${process.versions.node}`
  writeFileSync(values.json, `${JSON.stringify({ at: new Date().toISOString(), commit, machine, measured }, null, 2)}\n`)
}
process.exit(measured.some((measure) => reaches(measure) === false) ? 1 : 0)
