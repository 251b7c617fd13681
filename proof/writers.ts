// Writers that repeat every write, with its Idempotency-Key, until it is known to have been carried out,
// and the books against which their audit entries are compared at the end.
import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@adjoin/contract'
import { ask, type HttpAnswer } from './ask.ts'
import { verifyExport } from './chain.ts'
import type { Finding } from './finding.ts'

/** Each write renames a workspace to a name that was never used before: its audit entry is its receipt. */
export interface WriteLedger {
  readonly acknowledged: Set<string>
  readonly tried: Set<string>
}

/** `ending`: new writes are no longer made, those that wait are settled. `over`: nothing matters any more. */
export interface LoadState {
  phase: 'going' | 'ending' | 'over'
}

export interface WriterTenant {
  readonly client: Client
  readonly token: string
  readonly slug: string
}

export interface Writer {
  /** Whom it asks; another one each time, if there are several. */
  readonly url: () => string
  readonly tenant: WriterTenant
  /** Its slug holds no hyphen: what comes before one in a written name. */
  readonly workspace: string
  readonly ledger: WriteLedger
  readonly load: LoadState
  readonly pauseMs?: number
  /** Sees every answer, undefined if there was none; told what is neither success nor 503, it goes on. */
  readonly note?: (answer: HttpAnswer | undefined, began: number) => void
  readonly patienceMs?: number
}

/** A service that died in the middle of a request leaves its Idempotency-Key taken for a while. */
const SETTLED_WITHIN_MS = 300_000
const agent = new Agent({ keepAlive: true })

interface Write {
  readonly name: string
  readonly key: string
  /** Not before: its key is still taken by a request that died, or the service is away. */
  readonly next: number
}

/** One that has to wait does not keep the others. */
export async function write(writer: Writer): Promise<void> {
  const { workspace, ledger, load, pauseMs = 0 } = writer
  let waiting: Write[] = []
  let stopped = 0
  for (let i = 0; load.phase === 'going' || (load.phase === 'ending' && waiting.length); i++) {
    stopped ||= load.phase === 'going' ? 0 : Date.now()
    if (stopped && Date.now() - stopped > SETTLED_WITHIN_MS) throw new Error(`${waiting.length} writes of ${workspace} were never settled`)
    const due = waiting.find(({ next }) => next <= Date.now())
    if (!due && load.phase !== 'going') {
      await sleep(50)
      continue
    }
    const { name, key } = due ?? { name: `${workspace}-${i}`, key: randomUUID() }
    ledger.tried.add(name)
    const outcome = await tryOnce(writer, name, key)
    waiting = waiting.filter((one) => one !== due)
    if (outcome === 'done') ledger.acknowledged.add(name)
    else waiting.push({ name, key, next: Date.now() + (outcome === 'taken' ? 1000 : 0) })
    if (outcome === 'away') await sleep(100)
    else if (pauseMs) await sleep(pauseMs)
  }
}

async function tryOnce(writer: Writer, name: string, key: string): Promise<'done' | 'taken' | 'away'> {
  const { url, tenant, workspace, note, patienceMs = 10_000 } = writer
  const began = performance.now()
  const answer = await ask(`${url()}/v1/organizations/${tenant.slug}/workspaces/${workspace}`, {
    method: 'PATCH',
    body: { name },
    headers: { authorization: `Bearer ${tenant.token}`, 'idempotency-key': key },
    agent,
    withinMs: patienceMs,
  }).catch(() => undefined)
  note?.(answer, began)
  // The connection died with the service, or its database is not back yet.
  if (!answer || answer.status === 503) return 'away'
  if (answer.status === 200) return 'done'
  const { code } = JSON.parse(answer.body) as { code?: string }
  if (code === 'answer_lost') return 'done' // it says so itself: carried out, answer lost
  if (code === 'request_running') return 'taken'
  if (note) return 'away'
  throw new Error(`unexpected answer ${answer.status}: ${answer.body}`)
}

/** When every writer has ended: is each acknowledged write there, once, and nothing else? */
export async function* reconcileWrites(url: string, tenants: readonly WriterTenant[], ledger: WriteLedger): AsyncGenerator<Finding> {
  const [counted, last] = [new Map<string, number>(), new Map<string, string>()]
  let entriesInAll = 0
  let workspacesInAll = 0
  const verdicts: string[] = []
  const astray: string[] = []
  for (const { client, token, slug } of tenants) {
    const { entries, verdict } = await verifyExport(url, token, slug)
    entriesInAll += entries.length
    if (!verdict.good) verdicts.push(`${slug}: ${verdict.text}`)
    for (const { action, changes } of entries)
      for (const name of action === 'workspace.updated' ? changes.map(({ to }) => String(to)) : []) {
        counted.set(name, (counted.get(name) ?? 0) + 1)
        last.set(name.split('-')[0]!, name)
      }
    const { workspaces } = await client.listWorkspaces({ orgSlug: slug })
    workspacesInAll += workspaces.length
    astray.push(...workspaces.filter((one) => last.get(one.slug) !== one.name).map((one) => one.slug))
  }
  const lost = [...ledger.acknowledged].filter((name) => !counted.has(name))
  const doubled = [...counted].filter(([, times]) => times > 1)
  const strangers = [...counted.keys()].filter((name) => !ledger.acknowledged.has(name))
  yield {
    tried: `${ledger.acknowledged.size} acknowledged writes of ${ledger.tried.size} tried`,
    found: `${lost.length} lost, ${doubled.length} doubled`,
    good: lost.length + doubled.length === 0 && ledger.acknowledged.size === ledger.tried.size,
  }
  yield {
    tried: `${[...counted.values()].reduce((sum, times) => sum + times, 0)} audit entries of changes`,
    found: strangers.length ? `${strangers.length} for writes that nobody was told of` : 'one for each of them',
    good: strangers.length === 0,
  }
  yield {
    tried: `the hash chains of ${tenants.length} organizations, ${entriesInAll} entries`,
    found: verdicts.join('; ') || 'intact',
    good: verdicts.length === 0,
  }
  yield {
    tried: `${workspacesInAll} workspaces`,
    found: astray.length ? `${astray.join(', ')} differ from their last entry` : 'each as its last entry says',
    good: astray.length === 0,
  }
}
