// `npm run conformance`: the protocol's own suite against `/mcp`, in both revisions. It brings its client from the registry.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { signUpAgency } from '../furnishing/front-door.ts'
import { removeScratch, scratchFolder } from './scratch.ts'
import { createService } from './service.ts'

const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12'

/**
 * What applies to a server that keeps nothing and whose tools are its own. Left out are scenarios that call tools, resources and prompts
 * of the suite's own (`test_…`), and those of features that this server doesn't declare: completion, logging, sampling, elicitation,
 * subscriptions, tasks; and several streams of one session in the older revision, since there are no sessions.
 */
const SCENARIOS: Record<string, readonly string[]> = {
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list', 'dns-rebinding-protection'],
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'resources-list',
    'prompts-list',
    'sep-2164-resource-not-found',
    'dns-rebinding-protection',
    'caching',
    'http-header-validation',
    'server-sse-multiple-streams',
  ],
}

/** Checks that need tools of the suite's own (`test_…`), or streams of news, which would be state: nobody gets one. */
const NOT_APPLICABLE = [
  'server-stateless:sep-2575-server-rejects-undeclared-capability',
  'server-stateless:sep-2575-missing-capability-http-400',
  'server-stateless:sep-2575-http-server-no-independent-requests-on-stream',
  'server-stateless:sep-2575-server-no-log-without-loglevel',
  'server-stateless:sep-2575-server-sends-subscription-ack',
  'server-stateless:sep-2575-server-tags-subscription-id',
]

/** The suite sends no credential: this adds one, and passes everything else on as it came. */
async function frontWithKey() {
  const behind = { port: 0, key: '' }
  const server = createServer((asked, answer) => {
    const { port, key } = behind
    const headers = { ...asked.headers, 'x-api-key': key }
    const passed = forward({ port, path: asked.url, method: asked.method, headers }, (got) => {
      answer.writeHead(got.statusCode!, got.headers)
      got.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    asked.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, behind, close: () => server.close() }
}

const folder = scratchFolder('conformance')
const baseline = join(folder, 'baseline.yaml')
writeFileSync(baseline, ['server:', ...NOT_APPLICABLE.map((check) => `  - ${check}`), ''].join('\n'))

const run = (url: string, revision: string, scenario: string) =>
  new Promise<{ passed: boolean; said: string }>((resolve) => {
    const args = [
      '--yes',
      SUITE,
      'server',
      '--url',
      url,
      '--scenario',
      scenario,
      '--spec-version',
      revision,
      '--expected-failures',
      baseline,
    ]
    const child = spawn('npx', args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        said += chunk
      })
    child.on('close', (code) => resolve({ passed: code === 0, said }))
  })

const front = await frontWithKey()
const service = await createService({ PUBLIC_URL: front.url })
let failed = 0
try {
  service.start()
  await service.ready(120_000)
  const { client, slug: orgSlug } = await signUpAgency(service.url, 'conformance')
  const { key } = await client.createApiKey({ orgSlug }, { name: 'conformance', level: 'organization', role: 'viewer' })
  Object.assign(front.behind, { port: Number(new URL(service.url).port), key })
  for (const [revision, scenarios] of Object.entries(SCENARIOS))
    for (const scenario of scenarios) {
      const { passed, said } = await run(`${front.url}/mcp`, revision, scenario)
      console.log(`${passed ? '✓' : '✗'} ${revision} ${scenario}`)
      if (passed) continue
      failed++
      console.log(said)
    }
} finally {
  front.close()
  await service.remove()
  removeScratch(folder)
}
process.exit(failed ? 1 : 0)
