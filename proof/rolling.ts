// Three replicas, as in production, replaced one after the other behind
// a balancer that reads readiness, under constant load: nobody notices.
import { randomInt } from 'node:crypto'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@adjoin/contract'
import { type SmtpPeer, startSmtpPeer } from '../api/test/smtp-peer.ts'
import { type AskOptions, ask, describeAnswer, type HttpAnswer } from './ask.ts'
import { type Balancer, startBalancer } from './balancer.ts'
import { verifyExport } from './chain.ts'
import type { Finding, Size } from './finding.ts'
import { furnishBy, type ProofOrganization } from './furnish.ts'
import { patience } from './patience.ts'
import { createReplicas } from './replicas.ts'
import type { Service } from './service.ts'

const ROUNDS: Record<Size, number> = { small: 1, full: 20 }
const REPLICAS = 3
const CLIENTS = 8
const PAUSE_MS = 20
const NOTICED_WITHIN_MS = 10_000

interface RollingContext {
  readonly url: string
  readonly agent: Agent
  readonly organization: ProofOrganization
  readonly workspace: string
  readonly key: Record<string, string>
  readonly smtp: SmtpPeer
  readonly tally: Tally
}
interface Tally {
  going: boolean
  requests: number
  signIns: number
  readonly renamed: string[]
  readonly milliseconds: number[]
  readonly faults: string[]
}

export async function* rolling(size: Size): AsyncGenerator<Finding> {
  const smtp = await startSmtpPeer()
  try {
    const replicas = await createReplicas(REPLICAS, {
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://adjoin.example',
      TRUSTED_PROXIES: '127.0.0.1',
      SMTP_URL: smtp.url,
      NODE_OPTIONS: patience(size),
    })
    try {
      const furnish = furnishBy(replicas.database.connection)
      const organization = await furnish.organization()
      const { slug: workspace } = await furnish.workspace(organization)
      const { headers: key } = await furnish.key(organization)
      await furnish.end()
      const balancer = await startBalancer(replicas.services.map(({ url }) => url))
      const agent = new Agent({ keepAlive: true })
      try {
        const tally: Tally = { going: true, requests: 0, signIns: 0, renamed: [], milliseconds: [], faults: [] }
        yield* roll(replicas.services, balancer, { url: balancer.url, agent, organization, workspace, key, smtp, tally }, ROUNDS[size])
      } finally {
        await balancer.close()
        agent.destroy()
      }
    } finally {
      await replicas.remove()
    }
  } finally {
    await smtp.close()
  }
}

async function* roll(services: readonly Service[], balancer: Balancer, context: RollingContext, rounds: number): AsyncGenerator<Finding> {
  const { tally, organization, workspace } = context
  await noticed(balancer, services)
  const at = { orgSlug: organization.slug, workspaceSlug: workspace }
  const client = createClient({ url: context.url, headers: { ...organization.admin.headers } })
  for (let i = 0; i < 10; i++) await client.createIntegration(at, { provider: 'xandr', name: `Ads ${i}`, settings: {} })

  const load = [...Array.from({ length: CLIENTS }, (_, i) => work(context, i)), signInByMail(context)]
  const [stops, starts, codes]: [number[], number[], (number | null)[]] = [[], [], []]
  try {
    for (let round = 0; round < rounds; round++) {
      for (const service of services) {
        const began = performance.now()
        codes.push(await service.stop())
        stops.push(performance.now() - began)
        service.start()
        starts.push(await service.ready())
        await noticed(balancer, services)
      }
      if (rounds > 1 && round % 5 === 4)
        yield { tried: `${(round + 1) * services.length} restarts`, found: `${tally.requests} requests, ${tally.faults.length} failed` }
    }
  } finally {
    tally.going = false
    await Promise.all(load)
  }
  yield {
    tried: `${rounds * services.length} restarts of ${services.length} replicas in turn`,
    found: `stopped in ${middle(stops)} ms and ready in ${middle(starts)} ms in the middle, ${codes.filter((code) => code !== 0).length} ended badly`,
    good: codes.every((code) => code === 0),
  }
  const faults = [...tally.faults, ...balancer.failures]
  yield {
    tried: `${tally.requests} requests meanwhile, ${tally.renamed.length} of them renames, and ${tally.signIns} sign-ins by mail`,
    found: faults.length
      ? `${faults.length} faults, such as ${faults.slice(0, 5).join('; ')}`
      : `none failed; p99 ${at99(tally.milliseconds)} ms`,
    good: faults.length === 0 && tally.signIns > 0,
  }
  yield* reconcile(context)
}

/** What was acknowledged is in the trail, once, and nothing else is. */
async function* reconcile({ url, organization, tally }: RollingContext): AsyncGenerator<Finding> {
  const { entries, verdict } = await verifyExport(url, organization.admin.token, organization.slug)
  const renames = entries.flatMap(({ action, changes }) => (action === 'workspace.updated' ? changes.map(({ to }) => String(to)) : []))
  const same = renames.toSorted().join() === tally.renamed.toSorted().join()
  yield {
    tried: `${renames.length} audit entries of renames`,
    found: same ? 'one for each' : 'not those that were acknowledged',
    good: same,
  }
  yield { tried: `the hash chain of ${entries.length} entries`, found: verdict.text, good: verdict.good }
}

async function noticed(balancer: Balancer, services: readonly Service[]): Promise<void> {
  for (const until = Date.now() + NOTICED_WITHIN_MS; !services.every(({ url }) => balancer.takes(url)); await sleep(50))
    if (Date.now() > until) throw new Error('the balancer never found all replicas ready')
}

/** One request that has to go as planned. */
async function send(
  { url, agent, tally }: RollingContext,
  status: number,
  path: string,
  more: Partial<AskOptions> = {},
): Promise<HttpAnswer | undefined> {
  const began = performance.now()
  const answer = await ask(`${url}${path}`, { agent, ...more }).catch((error: Error) => error)
  tally.requests++
  tally.milliseconds.push(performance.now() - began)
  if (!(answer instanceof Error) && answer.status === status) return answer
  tally.faults.push(describeAnswer(more.method ?? 'GET', path, answer))
  return undefined
}

/** Mostly reads, a fifth writes. */
async function work(context: RollingContext, client: number): Promise<void> {
  const { organization, workspace, key, tally } = context
  const { headers } = organization.admin
  const place = `/v1/organizations/${organization.slug}`
  for (let i = 0; tally.going; i++) {
    const name = `client ${client} rename ${i}`
    const actions = [
      () => send(context, 200, `${place}/workspaces/${workspace}/integrations`, { headers: key }),
      () => send(context, 200, `${place}/members`, { headers: key }),
      () => send(context, 200, `${place}/audit-logs?limit=20`, { headers }),
      () => send(context, 200, '/v1/me', { headers }),
      async () => {
        const made = await send(context, 200, `${place}/workspaces/${workspace}`, { method: 'PATCH', headers, body: { name } })
        if (made) tally.renamed.push(name)
      },
    ]
    await actions[i % actions.length]!()
    await sleep(randomInt(2 * PAUSE_MS))
  }
}

/** The whole way: asked for at one replica, mailed by another, verified at a third, and out again. */
async function signInByMail(context: RollingContext): Promise<void> {
  const { smtp, tally, organization } = context
  const { email } = organization.admin
  for (let letters = 1; tally.going; letters++) {
    const asked = await send(context, 202, '/v1/auth/magic-link', { method: 'POST', body: { email } })
    if (!asked) return
    const letter = await smtp.letterTo(email, letters).catch((error: Error) => error)
    if (letter instanceof Error) return void tally.faults.push(letter.message)
    const code = /\b(\d{6})\b/.exec(letter.text)![1]
    const { challenge } = JSON.parse(asked.body)
    const answer = await send(context, 200, '/v1/auth/magic-link/verify', { method: 'POST', body: { email, code, challenge } })
    if (!answer) continue
    const headers = { authorization: `Bearer ${JSON.parse(answer.body).token}` }
    await send(context, 200, '/v1/auth/session', { headers })
    await send(context, 204, '/v1/auth/sign-out', { method: 'POST', headers })
    tally.signIns++
  }
}

const sorted = (numbers: number[]) => numbers.toSorted((a, b) => a - b)
const middle = (numbers: number[]) => Math.round(sorted(numbers)[Math.floor(numbers.length / 2)]!)
const at99 = (numbers: number[]) => Math.round(sorted(numbers)[Math.floor(numbers.length * 0.99)]!)
