// One API process and two behind a balancer, and one to as many as there are cores on one port (WORKERS), on one
// PostgreSQL: how much each adds.
import { availableParallelism } from 'node:os'
import { requestBytes } from './load.ts'
import { type Measure, rounded } from './measure.ts'
import { createBench, type RunningServer } from './setup.ts'
import { compare, type Side } from './sides.ts'
import { fillDatabase } from './tenants.ts'

const CONNECTIONS = 32
const POOL = 10

export async function* replicas(): AsyncIterable<Measure> {
  const bench = await createBench()
  try {
    const tenants = await fillDatabase(bench, { organizations: CONNECTIONS, entries: 1 })
    const [first, second] = [await bench.adjoin({ DATABASE_POOL: String(POOL) }), await bench.adjoin({ DATABASE_POOL: String(POOL) })]
    const requests = tenants.map(({ slug, key }) => [
      requestBytes('GET', `/v1/organizations/${slug}/workspaces/client-1/integrations`, { 'x-api-key': key }),
    ])
    const behind = async (name: string, processes: RunningServer[]) => {
      const ports = processes.map(({ url }) => Number(new URL(url).port))
      const { url } = await bench.beside('balancer.ts', { ports })
      return { name, url, pids: processes.flatMap(({ pids }) => pids), requests }
    }
    const sides = [await behind('one', [first]), await behind('two', [first, second])]
    const counts = [1, 2, 4, 8, 16].filter((count) => count <= Math.max(2, availableParallelism()))
    const together: Side[] = []
    for (const count of counts)
      together.push({ name: `WORKERS=${count}`, requests, ...(await bench.workers(count, { DATABASE_POOL: String(POOL) })) })
    const { of, ratio } = await compare([...sides, ...together], { rounds: 24, seconds: 0.5 })
    for (const { name } of [...sides, ...together]) {
      const { perSecond, cpuMicros, p50 } = of(name)
      yield {
        what: `listIntegrations, ${name.startsWith('W') ? `${name}, with the process that hands connections on` : `${name} behind a balancer`}`,
        numbers: { perSecond: rounded(perSecond), cpuMicros: rounded(cpuMicros), p50: rounded(p50) },
      }
    }
    yield {
      what: 'throughput beside WORKERS=1',
      numbers: Object.fromEntries(together.map(({ name }) => [name, rounded(ratio('perSecond', name, 'WORKERS=1'))])),
    }
    yield {
      what: 'two beside one, where PostgreSQL, balancer and load share the cores with them',
      numbers: { scaling: rounded(ratio('perSecond', 'two', 'one')), cores: availableParallelism() },
    }
  } finally {
    await bench.remove()
  }
}
