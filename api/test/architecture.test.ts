// Who may import whom, read from the import lines themselves.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from './production-tree.ts'
import { productIn, sourcesIn } from './sources.ts'

const MAX_LINES = 250

/** What tests, proofs, benches and screenshots stand on: over the contract, and these files of the service. */
const FURNISHING = ['api/src/db/directory.ts', 'api/src/db/sql.ts', 'api/src/domain/api-key.ts', 'api/src/vault/tokens.ts']

const sources = { contract: productIn('contract/src'), api: productIn('api/src'), portal: productIn('portal/src'), cli: productIn('cli') }
const all = Object.values(sources).flat()

/** `api/src/features/auth/x.ts` → `features`; a file at the top is its own room: `config.ts`. */
const roomOf = (path: string) => path.split('/')[2]!

/**
 * The rooms each room may look into. All know the words they speak with: call, context, refusal, config, log, tracer, under way, waits.
 */
const words = ['call.ts', 'context.ts', 'refusal.ts', 'config.ts', 'log.ts', 'tracer.ts', 'under-way.ts', 'waits.ts']
// biome-ignore format: a table
const may: Record<string, readonly string[]> = {
  'main.ts':    ['run.ts'],
  'run.ts':     ['app.ts', 'config.ts', 'greeting.ts', 'heartbeat.mjs'],
  processes:    ['config.ts', 'db', 'greeting.ts', 'heartbeat.mjs', 'log.ts', 'metrics-port.ts', 'preflight.ts', 'vault'],
  'greeting.ts': ['config.ts'],
  'watch-parts.ts': ['call.ts', 'features', 'jobs', 'log-output.ts', 'metrics.ts'],
  'background.ts': ['call.ts', 'features', 'jobs', 'mail', 'metrics.ts'],
  'app.ts':     ['access', 'background.ts', 'call.ts', 'config.ts', 'db', 'domain', 'features', 'gateway', 'http', 'identity', 'jobs', 'log.ts', 'mail', 'metrics.ts', 'metrics-port.ts', 'preflight.ts', 'providers', 'stand-ins.ts', 'tracer.ts', 'traces', 'vault', 'waits.ts', 'watch-parts.ts'],
  'preflight.ts': ['config.ts', 'metrics-port.ts'],
  'stand-ins.ts': ['call.ts', 'config.ts', 'features', 'sandbox', 'vault'],
  admin:        [...words, 'app.ts', 'audit', 'db', 'domain', 'features', 'jobs', 'providers', 'vault'],
  http:         [...words, 'access', 'agents', 'db', 'domain', 'metrics.ts', 'vault'],
  agents:       [...words, 'domain', 'gateway'],
  access:       [...words, 'db', 'domain', 'vault'],
  features:     [...words, 'access', 'audit', 'db', 'domain', 'gateway', 'identity', 'jobs', 'mail', 'providers', 'redact.ts', 'vault'],
  audit:        [...words, 'db', 'domain', 'vault'],
  jobs:         [...words, 'db', 'vault'],
  mail:         [...words, 'db', 'domain', 'vault'],
  identity:     [...words, 'domain', 'vault'],
  providers:    [...words, 'domain'],
  gateway:      ['domain', 'providers', 'waits.ts'],
  sandbox:      [...words, 'domain', 'providers'],
  vault:        ['db', 'domain'],
  db:           ['context.ts'],
  domain:       [],
  'metrics.ts': ['db'],
  'metrics-port.ts': [],
  'call.ts':    ['config.ts', 'db', 'gateway', 'identity', 'jobs', 'log.ts', 'providers', 'tracer.ts', 'under-way.ts', 'vault'],
  'refusal.ts': [],
  'waits.ts':   [],
  'under-way.ts': [],
  'config.ts':  ['config-reader.ts', 'config-values.ts', 'db', 'domain', 'vault'],
  'config-reader.ts': [],
  'config-values.ts': [],
  'log.ts':     ['config.ts', 'context.ts', 'log-output.ts', 'redact.ts'],
  'log-output.ts': [],
  'context.ts': [],
  'tracer.ts':  ['context.ts'],
  traces:       [...words, 'gateway', 'providers'],
  'redact.ts':  [],
}
/** A shape may be known where the thing itself may not: a rule that judges outcomes is told what they are. */
const mayKnowShapes: Record<string, readonly string[]> = {
  domain: ['providers'],
  db: ['log.ts'],
  vault: [],
  sandbox: ['http'],
}

describe('in the service', () => {
  it('every room looks only where it may', () => {
    const strangers = sources.api.flatMap(({ path, imports }) =>
      imports
        .filter(({ to }) => to.startsWith('api/src/') && roomOf(to) !== roomOf(path))
        .filter(
          ({ to, typeOnly }) =>
            !may[roomOf(path)]?.includes(roomOf(to)) && !(typeOnly && mayKnowShapes[roomOf(path)]?.includes(roomOf(to))),
        )
        .map(({ to }) => `${path} imports ${to}`),
    )
    expect(strangers).toEqual([])
  })

  it('nothing reaches into another workspace but through the contract', () => {
    const outside = sources.api.flatMap(({ path, imports }) =>
      imports
        .filter(({ to }) => /^(\.\.|portal|cli|contract\/|furnishing|scripts|proof)/.test(to))
        .map(({ to }) => `${path} imports ${to}`),
    )
    expect(outside).toEqual([])
  })

  it('only the configuration reads the environment', () => {
    const readers = sources.api.filter(({ text }) => text.includes('process.env')).map(({ path }) => path)
    expect(readers).toEqual(['api/src/config.ts'])
  })

  it('nothing prints but through the log, save where people are spoken to', () => {
    const speakers = sources.api
      .filter(({ text }) => /\bconsole\.(log|info|warn|error|debug)\(|process\.std(out|err)\.write/.test(text))
      .map(({ path }) => path)
    expect(
      speakers.filter((path) => !['api/src/run.ts', 'api/src/processes/primary.ts'].includes(path) && !path.startsWith('api/src/admin/')),
    ).toEqual([])
  })

  it('rules have no clock, no chance and no input', () => {
    const impure = sources.api
      .filter(({ path }) => roomOf(path) === 'domain')
      .filter(
        ({ text, imports }) =>
          /Date\.now|new Date\(\)|Math\.random/.test(text) || imports.some(({ to }) => /^node:(fs|net|http|timers)/.test(to)),
      )
    expect(impure.map(({ path }) => path)).toEqual([])
  })

  it('how long a session lives is said once', () => {
    const speakers = sources.api.filter(({ text }) => /interval '7 days'|IDLE_DAYS|last_used_at [<>]/.test(text)).map(({ path }) => path)
    expect(speakers).toEqual(['api/src/access/session-life.ts'])
  })

  it('SQL is spoken only where the database is known', () => {
    const speakers = new Set(
      sources.api.filter(({ imports }) => imports.some(({ to }) => to === 'api/src/db/sql.ts')).map(({ path }) => roomOf(path)),
    )
    for (const room of ['providers', 'identity', 'domain', 'sandbox']) expect(speakers).not.toContain(room)
  })

  it('one group of verbs uses another’s only through files that say what they are: rows, states and actions, never verbs', () => {
    const verbs = sources.api
      .filter(({ path }) => /\/features\/[^/]+\/index\.ts$/.test(path))
      .flatMap(({ path, imports }) => imports.map(({ to }) => ({ group: dirname(path), to })))
      .filter(({ to, group }) => to.startsWith(group))
    const handlers = new Set(verbs.map(({ to }) => to))
    const crossing = sources.api
      .filter(({ path }) => path.startsWith('api/src/features/') && !path.endsWith('index.ts'))
      .flatMap(({ path, imports }) =>
        imports.filter(({ to }) => handlers.has(to) && dirname(to) !== dirname(path)).map(({ to }) => `${path} imports the verb ${to}`),
      )
    expect(crossing).toEqual([])
  })
})

describe('the other workspaces', () => {
  it('the contract knows nothing but itself and zod', () => {
    const strangers = sources.contract.flatMap(({ path, imports }) =>
      imports.filter(({ to }) => to !== 'zod' && !to.startsWith('contract/src/')).map(({ to }) => `${path} imports ${to}`),
    )
    expect(strangers).toEqual([])
  })

  it('portal and command line know the contract and nothing of the service', () => {
    const strangers = [...sources.portal, ...sources.cli].flatMap(({ path, imports }) =>
      imports.filter(({ to }) => /^(api|furnishing|scripts|proof)\/|^@adjoin\/api/.test(to)).map(({ to }) => `${path} imports ${to}`),
    )
    expect(strangers).toEqual([])
  })
})

describe('furnishing', () => {
  it('knows the contract, and of the service how SQL is spoken and how keys and tokens are made', () => {
    const strangers = sourcesIn('furnishing').flatMap(({ path, imports }) =>
      imports
        .filter(({ to }) => !/^(node:|@adjoin\/contract|furnishing\/)/.test(to) && !FURNISHING.includes(to))
        .map(({ to }) => `${path} imports ${to}`),
    )
    expect(strangers).toEqual([])
  })
})

/**
 * Every circle of imports, each told once: a way from a file back to itself.
 * Types count too, since a reader follows them as well.
 */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const found = new Set<string>()
  const done = new Set<string>()
  const visit = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) {
      const circle = way.slice(way.indexOf(file))
      const first = circle.indexOf([...circle].sort()[0]!)
      found.add([...circle.slice(first), ...circle.slice(0, first + 1)].join(' → '))
    } else if (!done.has(file)) for (const next of graph.get(file) ?? []) visit(next, [...way, file])
    done.add(file)
  }
  for (const file of graph.keys()) visit(file, [])
  return [...found].sort()
}

describe('imports', () => {
  it('never lead back to where they began, in any folder of the repository', () => {
    const files = ['contract', 'api', 'portal', 'cli', 'furnishing', 'proof', 'bench', 'scripts'].flatMap(sourcesIn)
    expect(circles(new Map(files.map(({ path, imports }) => [path, imports.map(({ to }) => to)])))).toEqual([])
  })

  it('that do are found', () => {
    const graph = new Map([
      ['a', ['b', 'd']],
      ['b', ['c']],
      ['c', ['a', 'd']],
      ['d', ['d']],
    ])
    expect(circles(graph)).toEqual(['a → b → c → a', 'd → d'])
  })
})

it('the dependencies of the API are those that decision 7 gives a reason for', () => {
  const decision = readFileSync(join(ROOT, 'docs/decisions/0007-dependencies.md'), 'utf8')
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'api/package.json'), 'utf8')) as { dependencies: object }
  const named = [...decision.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name!)
  expect(named.toSorted()).toEqual(Object.keys(dependencies).toSorted())
  expect(decision).toContain('The API has nineteen direct dependencies')
  expect(named).toHaveLength(19)
})

describe('every source file', () => {
  it(`has at most ${MAX_LINES} lines`, () => {
    const long = all.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 })).filter(({ lines }) => lines > MAX_LINES)
    expect(long).toEqual([])
  })

  it('is finished: nothing to be done, nothing suppressed without a reason', () => {
    const words = new RegExp(['TO', 'DO|FIX', 'ME|XX', 'X|@ts-', 'ignore'].join(''))
    expect(all.filter(({ text }) => words.test(text)).map(({ path }) => path)).toEqual([])
    const unexplained = /biome-ignore [\w/]+(?:\s*$|:\s*$)|@ts-expect-error\s*$/m
    expect(all.filter(({ text }) => unexplained.test(text)).map(({ path }) => path)).toEqual([])
  })

  it('is named in kebab-case, after what it is', () => {
    const odd = all.filter(
      ({ path }) =>
        !/^[a-z0-9]+(-[a-z0-9]+)*(\.d)?\.tsx?$/.test(path.split('/').at(-1)!) ||
        /(^|\/)(utils?|helpers?|common|service|manager)(\.tsx?$|\/)/.test(path),
    )
    expect(odd.map(({ path }) => path)).toEqual([])
  })
})
