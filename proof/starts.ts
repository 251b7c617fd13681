// `npm start` from a fresh checkout on the machines people have:
// does it start, stop and start again, or say in a sentence why it can't?
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Finding, Size } from './finding.ts'
import { type Checkout, createCheckout, type StartedProgram } from './starts/checkout.ts'

interface Case {
  readonly name: string
  readonly folder?: string
  readonly env?: Readonly<Record<string, string>>
  /** An npm command that somebody ran in the checkout before. */
  readonly before?: readonly string[]
  readonly asNobody?: true
  /** It must not start, and say this. */
  readonly says?: RegExp
}

const ODD_PATH = 'Büro Zürich (neu)'
const MISSING_SETTING = /DATABASE_URL is required in production/

const cases: Record<Size, readonly Case[]> = {
  small: [
    {
      name: `NODE_ENV=development, ignore-scripts, not root, in "${ODD_PATH}"`,
      folder: ODD_PATH,
      env: { NODE_ENV: 'development', npm_config_ignore_scripts: 'true' },
      asNobody: true,
    },
  ],
  full: [
    { name: 'plain' },
    { name: 'NODE_ENV=development', env: { NODE_ENV: 'development' } },
    { name: 'NODE_ENV=production', env: { NODE_ENV: 'production' }, says: MISSING_SETTING },
    { name: 'ignore-scripts', env: { npm_config_ignore_scripts: 'true' } },
    { name: 'npm with omit and engine-strict', env: { npm_config_omit: 'dev optional', npm_config_engine_strict: 'true' } },
    { name: 'after npm ci --omit=dev --ignore-scripts', before: ['ci', '--omit=dev', '--ignore-scripts'] },
    { name: `in "${ODD_PATH}"`, folder: ODD_PATH },
    { name: 'not root', asNobody: true },
    {
      name: 'NODE_ENV=production, ignore-scripts',
      env: { NODE_ENV: 'production', npm_config_ignore_scripts: 'true' },
      says: MISSING_SETTING,
    },
  ],
}

export async function* starts(size: Size): AsyncIterable<Finding> {
  for (const one of cases[size]) {
    const checkout = await createCheckout(one.folder, one.asNobody)
    try {
      if (one.before) await checkout.npm([...one.before])
      const program = await checkout.start(one.env)
      yield one.says ? mustRefuse(one.name, program, one.says) : mustStart(one.name, program)
      if (one === cases[size][0]) yield* startAgain(checkout)
    } finally {
      await checkout.remove()
    }
  }
}

/** What else is tried in a checkout that has started before. */
async function* startAgain(checkout: Checkout): AsyncIterable<Finding> {
  const second = await checkout.start()
  yield { ...mustStart('a second start', second), good: second.fault === undefined && !second.output.includes('installing') }

  const busy = createServer((_, response) => response.writeHead(404).end())
  await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve))
  const { port } = busy.address() as AddressInfo
  yield mustRefuse('a busy port', await checkout.start({ PORT: String(port) }), new RegExp(`Port ${port} is already in use`))
  busy.closeAllConnections()
  await new Promise((resolve) => busy.close(resolve))

  yield mustRefuse('then NODE_ENV=production', await checkout.start({ NODE_ENV: 'production' }), MISSING_SETTING)

  for (const [name, program] of [
    ['adjoin', 'cli/bin/adjoin.mjs'],
    ['adjoin-admin', 'api/bin/adjoin-admin.mjs'],
  ] as const) {
    const { code, output } = await checkout.run(['node', program, '--help'])
    const good = code === 0 && output.startsWith(`Usage: ${name} `)
    yield { tried: `${name} on the machine’s own Node`, found: output.split('\n', 1)[0]!, good }
  }
}

function mustStart(tried: string, { fault, seconds, code }: StartedProgram): Finding {
  if (fault) return { tried, found: fault, good: false }
  return { tried, found: `ready after ${seconds} s, and exited with ${code}`, good: code === 0 }
}

function mustRefuse(tried: string, { code, output }: StartedProgram, says: RegExp): Finding {
  const line = output.split('\n').find((text) => says.test(text))
  return { tried, found: line?.trim() ?? `said something else:\n${output.slice(-2000)}`, good: line !== undefined && code === 1 }
}
