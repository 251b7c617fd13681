// The metrics of all processes on one page. Each series keeps the name of its process as a label: added up here, the
// counters would fall whenever one process is restarted, and Prometheus would take that for new requests.
import type { Member } from './member.ts'

const ANSWER_WITHIN_MS = 2000

let asked = 0

export async function metricsOf(members: readonly Member[]): Promise<string> {
  const pages = await Promise.all(members.map(askProcess))
  return mergePages([workersPage(members.map(({ name, worker, restarts }) => ({ name, up: Boolean(worker), restarts }))), ...pages])
}

/** What only the first process knows. */
export function workersPage(workers: readonly { name: string; up: boolean; restarts: number }[]): string {
  const family = (name: string, type: string, help: string, value: (worker: (typeof workers)[number]) => number) =>
    [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...workers.map((worker) => `${name}{process="${worker.name}"} ${value(worker)}`),
    ].join('\n')
  return [
    family('adjoin_worker_up', 'gauge', 'With WORKERS: 1 if the process is ready', ({ up }) => Number(up)),
    family('adjoin_worker_restarts_total', 'counter', 'With WORKERS: how often the process ended unexpectedly', ({ restarts }) => restarts),
  ].join('\n\n')
}

/** A family of samples may stand on a page only once: those of all processes follow one heading. */
export function mergePages(pages: readonly string[]): string {
  const families = new Map<string, string[]>()
  for (const page of pages)
    for (const block of page.split(/^(?=# HELP )/m)) {
      const [help = '', type = '', ...samples] = block.split('\n').filter(Boolean)
      const family = families.get(help) ?? [help, type]
      family.push(...samples)
      families.set(help, family)
    }
  families.delete('')
  return `${[...families.values()].map((lines) => lines.join('\n')).join('\n\n')}\n`
}

/** Empty for a process that is away or does not answer: adjoin_worker_up and its heartbeat tell of that. */
function askProcess({ worker }: Member): Promise<string> {
  if (!worker?.isConnected()) return Promise.resolve('')
  const id = ++asked
  return new Promise((resolve) => {
    const done = (page: string) => {
      clearTimeout(timer)
      worker.off('message', hear)
      resolve(page)
    }
    const hear = (message: { metrics?: number; page?: string }) => {
      if (message.metrics === id) done(message.page ?? '')
    }
    const timer = setTimeout(done, ANSWER_WITHIN_MS, '')
    worker.on('message', hear)
    worker.send({ metrics: id }, (error) => error && done(''))
  })
}
