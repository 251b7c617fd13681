// Which half of the tests a file is in, by its folder: `npm test` is quick because nothing in it starts a process.
import { describe, expect, it } from 'vitest'
import { testFiles } from '../../scripts/test-order.ts'
import { type Source, sourcesIn } from './sources.ts'

/** A server or a standby of their own, which takes them a second or two; and what a person does in a browser, which most breaks meet. */
const STARTERS = [
  'api/test/connect.test.ts',
  'api/test/database-hosts.test.ts',
  'api/test/must-act.test.ts',
  'api/test/pool.test.ts',
  'api/test/transaction.test.ts',
  'portal/test/choose-account.test.ts',
  'portal/test/connect.test.ts',
  'portal/test/first-steps.test.ts',
  'portal/test/freeze.test.ts',
  'portal/test/keys.test.ts',
  'portal/test/onboarding.test.ts',
  'portal/test/one-link.test.ts',
  'portal/test/sessions.test.ts',
  'portal/test/story.test.ts',
  'proof/failover/programs.test.ts',
]

const STARTS = ['node:child_process', 'api/test/temporary-server.ts']

const sources = new Map(
  ['contract', 'api', 'portal', 'cli', 'scripts', 'proof', 'furnishing'].flatMap(sourcesIn).map((source) => [source.path, source]),
)
const belongsToTests = (path: string) => /^(api\/test|portal\/(test|scripts)|cli\/test|scripts|furnishing|proof)\//.test(path)

/** By itself, or by what it imports of the tests: the product’s own files start nothing until they are told to. */
function startsProcess({ imports }: Source, seen = new Set<string>()): boolean {
  return imports.some(({ to, typeOnly }) => {
    if (typeOnly || seen.has(to)) return false
    seen.add(to)
    return STARTS.includes(to) || (belongsToTests(to) && sources.has(to) && startsProcess(sources.get(to)!, seen))
  })
}

describe('every test file', () => {
  const [quick, slow] = [testFiles('quick'), testFiles('slow')]

  it('is in one half, or sampled in the quick one and whole in the slow one', () => {
    const twice = quick.filter((path) => slow.includes(path))
    expect(twice.filter((path) => !path.includes('/derived/'))).toEqual([])
    expect(twice.length).toBeGreaterThan(5)
    expect([...new Set([...quick, ...slow])].toSorted()).toEqual(testFiles('').toSorted())
  })

  it('that starts a process lies below slow/, or is named here', () => {
    const starters = quick.filter((path) => !path.includes('/derived/') && startsProcess(sources.get(path)!))
    expect(starters.toSorted()).toEqual(STARTERS)
  })

  it('below derived/ takes its sample', () => {
    const whole = quick.filter((path) => path.includes('/derived/') && !sources.get(path)!.text.includes('/sampled.ts'))
    expect(whole).toEqual([])
  })
})
