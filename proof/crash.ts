// kill -9 of the service, of its PostgreSQL and of both, at random moments under write load. Every acknowledged write must be there, once.
import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ProblemError } from '@adjoin/contract'
import { verifyExport } from './chain.ts'
import type { Finding, Size } from './finding.ts'
import { createService, type Service, signUp } from './service.ts'

const SIZES = { small: { kills: 6, writes: 5000 }, full: { kills: 100, writes: 100_000 } }
const WRITERS = 16
const READY_WITHIN_MS = 5000

/** Each write renames a workspace to a name that was never used before: its audit entry is its receipt. */
class Ledger {
  readonly acknowledged = new Set<string>()
  readonly tried = new Set<string>()
}

export async function* crash(size: Size): AsyncGenerator<Finding> {
  const { kills, writes } = SIZES[size]
  const service = await createService()
  try {
    service.start()
    yield { tried: 'a first start on an empty folder', found: `ready in ${await service.ready()} ms` }
    const { client, token, slug } = await signUp(service.url, 'proof')
    for (let i = 0; i < WRITERS; i++) await client.createWorkspace({ orgSlug: slug }, { name: `w${i}`, slug: `w${i}` })

    const ledger = new Ledger()
    const load = { going: true }
    const writers = Array.from({ length: WRITERS }, (_, i) => write(service.url, token, slug, `w${i}`, ledger, load))
    const times: number[] = []
    for (let kill = 0; kill < kills || ledger.acknowledged.size < writes; kill++) {
      // Between kills enough is written that none of them comes at a quiet moment.
      const goal = Math.min(writes, Math.ceil(((kill + 1) * writes) / kills))
      while (ledger.acknowledged.size < goal) await sleep(20)
      if (kill >= kills) break
      await sleep(randomInt(50))
      times.push(await strike(service, kill))
      if (size === 'full' && kill % 10 === 9) yield { tried: `${kill + 1} kills`, found: `${ledger.acknowledged.size} writes acknowledged` }
    }
    load.going = false
    await Promise.all(writers)

    const slowest = Math.max(...times)
    yield {
      tried: `${kills} kills of the service, its PostgreSQL and both, by turns`,
      found: `ready again in ${slowest} ms at the most, ${median(times)} ms in the middle`,
      good: slowest <= READY_WITHIN_MS,
    }
    yield* reckon(service, token, slug, ledger)
  } finally {
    await service.remove()
  }
}

async function strike(service: Service, turn: number): Promise<number> {
  const [server, database] = [turn % 3 !== 1, turn % 3 !== 0]
  if (database) service.killDatabase()
  if (server) service.kill('SIGKILL')
  await sleep(5)
  if (server) service.start()
  else await unready(service)
  return service.ready()
}

/** The service has to notice first that its database is gone; until then `/health` may still say yes. */
async function unready(service: Service): Promise<void> {
  for (const until = Date.now() + 500; Date.now() < until; ) {
    const answer = await fetch(`${service.url}/health`).catch(() => undefined)
    if (answer?.status !== 200) return
  }
}

/** Repeats each write, with its Idempotency-Key, until it is known to have been carried out. */
async function write(url: string, token: string, slug: string, workspace: string, ledger: Ledger, load: { going: boolean }): Promise<void> {
  for (let i = 0; load.going; i++) {
    const name = `${workspace}-${i}`
    const key = randomUUID()
    ledger.tried.add(name)
    while (!(await tryOnce(url, token, `${slug}/workspaces/${workspace}`, name, key))) await sleep(50)
    ledger.acknowledged.add(name)
  }
}

async function tryOnce(url: string, token: string, path: string, name: string, key: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/v1/organizations/${path}`, {
      method: 'PATCH',
      body: JSON.stringify({ name }),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'idempotency-key': key },
      signal: AbortSignal.timeout(10_000),
    })
    const body = (await answer.json()) as { code?: string }
    if (answer.status === 200) return true
    if (body.code === 'answer_lost') return true // it says so itself: carried out, answer lost
    if (answer.status === 503 || answer.status === 409) return false
    throw new Error(`unexpected answer ${answer.status}: ${JSON.stringify(body)}`)
  } catch (error) {
    if (error instanceof ProblemError || (error as Error).message.startsWith('unexpected answer')) throw error
    return false // the connection died with the service
  }
}

async function* reckon(service: Service, token: string, slug: string, ledger: Ledger): AsyncGenerator<Finding> {
  const { entries, verdict } = await verifyExport(service.url, token, slug)
  const renames = entries.flatMap(({ action, changes }) => (action === 'workspace.updated' ? changes.map(({ to }) => String(to)) : []))
  const counted = new Map<string, number>()
  for (const name of renames) counted.set(name, (counted.get(name) ?? 0) + 1)
  const lost = [...ledger.acknowledged].filter((name) => !counted.has(name))
  const doubled = [...counted].filter(([, times]) => times > 1)
  const strangers = [...counted.keys()].filter((name) => !ledger.tried.has(name))
  yield {
    tried: `${ledger.acknowledged.size} acknowledged writes`,
    found: `${lost.length} lost, ${doubled.length} doubled`,
    good: lost.length + doubled.length === 0,
  }
  yield {
    tried: `${renames.length} audit entries`,
    found: strangers.length ? `${strangers.length} for writes nobody made` : 'each for a write that was made',
    good: strangers.length === 0,
  }
  yield { tried: `the hash chain of ${entries.length} entries`, found: verdict.text, good: verdict.good }

  const response = await fetch(`${service.url}/v1/organizations/${slug}/workspaces`, { headers: { authorization: `Bearer ${token}` } })
  const { workspaces } = (await response.json()) as { workspaces: { slug: string; name: string }[] }
  const last = new Map<string, string>()
  for (const name of renames) last.set(name.split('-')[0]!, name)
  const astray = workspaces.filter(({ slug: of, name }) => last.get(of) !== name)
  yield {
    tried: `${workspaces.length} workspaces`,
    found: astray.length ? `${astray.length} differ from their last entry` : 'each as its last entry says',
    good: astray.length === 0,
  }
}

const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!
