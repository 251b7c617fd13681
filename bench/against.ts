// `--against COMMIT`: this version and another one by turns on the same machine (A B B A …), each with its own bench.
// Every figure is the middle one of the rounds, and so is the ratio of the two: what else the machine does hits both.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bar, type Measure, rounded } from './measure.ts'
import { HERE, type OtherVersion } from './other-version.ts'
import { median } from './sides.ts'

/** What is compared; of a version that has no such bench, it is left out. */
export const AGAINST = ['list', 'write', 'proxy']
const ROUNDS = 5
/** The figures that both versions are held against each other by; what they take of the machine and of time is a figure only. */
const BARS: Readonly<Record<string, Bar>> = { perSecond: { least: 0.98 }, megabytesPerSecond: { least: 0.98 } }
const FIGURES = [...Object.keys(BARS), 'cpuMicros']
/** The sides that are the service, not what it is measured beside. */
const OURS = /\b(?:adjoin|logging)\b/

type Lines = ReadonlyMap<string, Measure['numbers']>

export async function* against(bench: string, other: OtherVersion, rounds = ROUNDS): AsyncIterable<Measure> {
  const ran = { here: [] as Lines[], there: [] as Lines[] }
  const folders = { here: HERE, there: other.folder }
  for (let round = 0; round < rounds; round++)
    for (const side of round % 2 ? (['there', 'here'] as const) : (['here', 'there'] as const))
      ran[side].push(await run(folders[side], bench))
  for (const [what, numbers] of ran.here[0]!) {
    const names = FIGURES.filter((name) => name in numbers && ran.there.every((lines) => lines.get(what)?.[name] !== undefined))
    for (const name of names) {
      const [here, there] = [ran.here, ran.there].map((all) => all.map((lines) => lines.get(what)![name]!)) as [number[], number[]]
      const ratio = rounded(median(here.map((value, round) => value / there[round]!)))
      const shown = { here: rounded(median(here)), [other.commit]: rounded(median(there)), ratio }
      yield { what: `${what}, ${name}`, numbers: shown, ...(BARS[name] && { bars: { ratio: BARS[name] } }) }
    }
  }
}

/** In a process and a folder of its own. A bar that it misses there is not what is asked here. */
async function run(folder: string, bench: string): Promise<Lines> {
  const scratch = mkdtempSync(join(tmpdir(), 'adjoin-figures-'))
  const file = join(scratch, 'figures.json')
  try {
    const child = spawn(process.execPath, ['bench/main.ts', bench, '--json', file], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
    await once(child, 'exit')
    const { measured } = JSON.parse(readFileSync(file, 'utf8') || '{"measured":[]}') as { measured: Measure[] }
    if (!measured.length || measured.some(({ what }) => what === 'to the end')) throw new Error(`${bench} ended early in ${folder}`)
    return new Map(measured.filter(({ what }) => OURS.test(what)).map(({ what, numbers }) => [what, numbers]))
  } finally {
    rmSync(scratch, { recursive: true })
  }
}
