// What traces cost: reading the integrations of a workspace by API key without them, with all of them, and with a tenth.
import { seed } from './list.ts'
import { requestBytes } from './load.ts'
import { type Measure, rounded } from './measure.ts'
import { createBench } from './setup.ts'
import { compare } from './sides.ts'

const CONNECTIONS = 16

export async function* traces(): AsyncIterable<Measure> {
  const bench = await createBench()
  try {
    const { path, key } = await bench.prepare((service) => seed(bench, service))
    const collector = await bench.beside('swallow.ts', {})
    const traced = (part: string) => bench.adjoin({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: part })
    const servers = { off: await bench.adjoin(), all: await traced('1'), tenth: await traced('0.1') }
    const requests = Array.from({ length: CONNECTIONS }, () => [requestBytes('GET', path, { 'x-api-key': key })])
    const sides = Object.entries(servers).map(([name, server]) => ({ name, requests, ...server }))
    const { of, ratio } = await compare(sides, { rounds: 24, seconds: 0.5 })
    for (const { name } of sides) {
      const { perSecond, cpuMicros, p50, p99 } = of(name)
      yield {
        what: `traces ${name}`,
        numbers: { perSecond: rounded(perSecond), cpuMicros: rounded(cpuMicros), p50: rounded(p50), p99: rounded(p99) },
      }
    }
    const sent = Number(await (await fetch(`${collector.url}/spans`)).text())
    yield { what: 'spans that the collector got', numbers: { spans: sent }, good: sent > 0 }
    for (const name of ['all', 'tenth'])
      yield {
        what: `traces ${name}, beside none`,
        numbers: { throughput: rounded(ratio('perSecond', name, 'off')), cpu: rounded(ratio('cpuMicros', name, 'off')) },
        bars: { throughput: { least: 0.9 } },
      }
  } finally {
    await bench.remove()
  }
}
