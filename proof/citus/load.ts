// Every organization writes and reads all the time. Each write renames a workspace to a name that was never used before:
// its audit entry is its receipt. What was not acknowledged is repeated with its Idempotency-Key.
import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SignedIn } from '../../furnishing/front-door.ts'
import { ask } from '../ask.ts'
import { verifyExport } from '../chain.ts'
import type { Finding } from '../finding.ts'

export interface LoadTenant extends SignedIn {
  readonly slug: string
  readonly workspace: string
  readonly key: string
}

/** What was answered with anything but 200. */
export interface Failure {
  readonly slug: string
  readonly what: string
}

const agent = new Agent({ keepAlive: true })
const SETTLED_WITHIN_MS = 90_000

export interface Load {
  readonly failures: readonly Failure[]
  /** The longest that anybody waited for a 200, in milliseconds. */
  slowest(): number
  /** No new writes; those that wait are settled. */
  end(): Promise<void>
  /** Is every acknowledged write there, once, on an intact trail? */
  reconcile(url: string): Promise<Finding>
}

export function startLoad(urls: readonly string[], tenants: readonly LoadTenant[]): Load {
  const acknowledged = new Set<string>()
  const failures: Failure[] = []
  let [going, reads, slowest] = [true, 0, 0]

  const once = async (slug: string, url: string, init: Omit<Parameters<typeof ask>[1], 'agent'>): Promise<boolean> => {
    const began = performance.now()
    const answer = await ask(url, { ...init, agent, withinMs: 15_000 }).catch((error: Error) => error)
    const code = answer instanceof Error ? answer.message : (/"code":"(\w+)"/.exec(answer.body)?.[1] ?? String(answer.status))
    const done = !(answer instanceof Error) && (answer.status === 200 || code === 'answer_lost')
    if (done) slowest = Math.max(slowest, performance.now() - began)
    else if (code !== 'request_running') failures.push({ slug, what: code })
    return done
  }
  const write = async (url: string, { slug, workspace, token }: LoadTenant) => {
    const path = `${url}/v1/organizations/${slug}/workspaces/${workspace}`
    for (let i = 0; going; i++) {
      const name = `${workspace}-${run}-${i}`
      const headers = { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() }
      for (const until = Date.now() + SETTLED_WITHIN_MS; ; await sleep(200)) {
        if (await once(slug, path, { method: 'PATCH', headers, body: { name } })) break
        if (Date.now() > until) throw new Error(`a write of ${slug} was never settled`)
      }
      acknowledged.add(name)
    }
  }
  const read = async (url: string, { slug, workspace, key }: LoadTenant) => {
    const path = `${url}/v1/organizations/${slug}/workspaces/${workspace}/integrations`
    for (; going; await sleep(20)) {
      if (await once(slug, path, { headers: { 'x-api-key': key } })) reads++
      else await sleep(200)
    }
  }
  const run = randomUUID().slice(0, 8)
  const running = tenants.flatMap((tenant, i) => [write(urls[i % urls.length]!, tenant), read(urls[(i + 1) % urls.length]!, tenant)])
  for (const one of running) one.catch(() => {}) // `end` hears of it

  return {
    failures,
    slowest: () => slowest,
    end: async () => {
      going = false
      await Promise.all(running)
    },
    reconcile: async (url) => {
      const counted = new Map<string, number>()
      const broken: string[] = []
      for (const { token, slug } of tenants) {
        const { entries, verdict } = await verifyExport(url, token, slug)
        if (!verdict.good) broken.push(`${slug}: ${verdict.text}`)
        for (const { action, changes } of entries)
          if (action === 'workspace.updated') for (const { to } of changes) counted.set(String(to), (counted.get(String(to)) ?? 0) + 1)
      }
      const lost = [...acknowledged].filter((name) => !counted.has(name))
      const doubled = [...counted.values()].filter((times) => times > 1)
      return {
        tried: `${acknowledged.size} acknowledged writes, ${reads} reads`,
        found: `${lost.length} lost, ${doubled.length} doubled; the trails of ${tenants.length} organizations are ${broken.join('; ') || 'intact'}`,
        good: lost.length + doubled.length + broken.length === 0,
      }
    },
  }
}
