// The suites that are derived from the tables of the contract, on a cluster instead of one PostgreSQL.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Finding, Size } from '../finding.ts'
import { removeScratch, scratchFolder } from '../scratch.ts'
import type { CitusCluster } from './cluster.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const SUITES: Record<Size, readonly string[]> = {
  small: ['slow/tenant-statements', 'story'],
  full: [
    'slow/tenant-statements',
    'derived/access-matrix',
    'audit',
    'tenancy',
    'story',
    'integrations',
    'api-keys',
    'api-key-rotation',
    'slow/key-powers',
    'invitations',
    'connect-flow',
    'connect-requests',
    'webhooks',
    'sweep',
  ],
}

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[]
}

export async function* suites(cluster: CitusCluster, size: Size): AsyncGenerator<Finding> {
  const folder = scratchFolder('suites')
  const report = join(folder, 'report.json')
  const files = SUITES[size].map((name) => `api/test/${name}.test.ts`)
  const nodes = [cluster.coordinator, ...cluster.workers].map(({ url }) => url)
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...files, '--reporter=json', `--outputFile=${report}`, '--maxWorkers=1']
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, CI: 'true', CITUS_NODES: nodes.join(',') },
    stdio: 'ignore',
  })
  await once(child, 'exit')
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  removeScratch(folder)
  const failed = testResults.flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === 'failed'))
  yield {
    tried: `${SUITES[size].join(', ')}: their tests, on a coordinator and two workers`,
    found: [
      `${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} left out`,
      ...failed.slice(0, 10).map(({ fullName }) => fullName),
    ].join('; '),
    good: numFailedTests === 0 && numPassedTests > 0,
  }
}
