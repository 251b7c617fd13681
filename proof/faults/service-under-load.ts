// A service with people in it: an organization, a key,
// two connected integrations, and the load that its people make.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Client, createClient } from '@adjoin/contract'
import type { ReceivedMail } from '../../api/test/smtp-peer.ts'
import { createService, type Service } from '../service.ts'
import { createDependencies, type Dependencies, linkIn } from './dependencies.ts'
import { createLedger, type LoadLedger } from './ledger.ts'
import { createProbe, type Probe } from './probe.ts'

export interface ServiceUnderLoad {
  readonly service: Service
  readonly dependencies: Dependencies
  readonly client: Client
  readonly token: string
  readonly slug: string
  readonly ledger: LoadLedger
  readonly probe: Probe
  /** What is wrong with the integrations, which no fault of ours or theirs may take away. */
  complaints(): Promise<string[]>
  /** Stops the load, waits until everything is settled, and tells what is not as it was promised. */
  leave(): Promise<string[]>
  remove(): Promise<void>
}

export const MAIN = fileURLToPath(new URL('./service-main.ts', import.meta.url))
/** A start is not what is measured here, and several of them share two cores. */
export const STARTED_MS = 120_000
const WORKSPACE = 'client'
/** Two of them: what one is refused or spared after its failures must not hide what becomes of the other. */
const SYSTEMS = [
  { provider: 'stackadapt', settings: { advertiserId: '1234567890' }, form: { apiKey: 'proof-graphql-key' } },
  { provider: 'the_trade_desk', settings: { partnerId: '1234567890' }, form: { apiToken: 'proof-api-token' } },
] as const
/** Verified by turns: a check that died keeps its integration busy until its lease runs out. */
const VERIFIED = 8
/** An ad system that could not be reached is told in a good answer. */
export const UNREACHED = 'ad system not reached'
const ACTIONS = ['read by session', 'read by key', 'write', 'sign-in', 'sign-in by Google', 'connect', 'verify', 'health', 'live', 'page']
/** A repetition may find a dead request's claim on its key, which lasts 25 s. */
const SETTLE_MS = 50_000
/** What has not come by then never comes. */
const NEVER_MS = 300_000
/** Past so many open repetitions a failed write is let go: an outage must not end in a crowd of our own. */
const UNSETTLED = 8

export async function createServiceUnderLoad(env: Record<string, string>): Promise<ServiceUnderLoad> {
  const dependencies = await createDependencies()
  const service = await createService({ ...dependencies.env, ...env }, MAIN)
  try {
    service.start()
    await service.ready(STARTED_MS)
    const slug = 'proof'
    const { client, token } = await signUpByMail(service.url, dependencies.letters, slug)
    await client.createWorkspace({ orgSlug: slug }, { name: WORKSPACE, slug: WORKSPACE })
    const at = { orgSlug: slug, workspaceSlug: WORKSPACE }
    const integrations = [await connected(client, at, SYSTEMS[0])]
    for (let i = 0; i < VERIFIED; i++) integrations.push(await connected(client, at, SYSTEMS[1]))
    const { key } = await client.createApiKey({ orgSlug: slug }, { name: 'probe', level: 'organization', role: 'viewer' })
    const ledger = createLedger()
    const probe = createProbe(service.url, ACTIONS)
    const tasks = makeLoad({ probe, ledger, dependencies, token, key: key!, slug, integrations })
    const complaints = async () => {
      const { integrations: found } = await client.listIntegrations(at)
      return found.flatMap(({ name, status }) => (status === 'active' ? [] : [`integration ${name} is ${status}`]))
    }
    return {
      service,
      dependencies,
      client,
      token,
      slug,
      ledger,
      probe,
      complaints,
      leave: async () => {
        await probe.stop()
        await Promise.all(tasks)
        const late = [...ledger.awaited.keys()]
        await Promise.all(integrations.slice(1).map((id) => verifiedAtLast(client, { ...at, id })))
        return [
          ...(late.length ? [`${late.length} mails never came (${late[0]})`] : []),
          ...(await ledger.reconcile(client, slug)),
          ...(await complaints()),
        ]
      },
      remove: async () => {
        await probe.stop()
        await service.remove()
        await dependencies.close()
      },
    }
  } catch (error) {
    await service.remove()
    await dependencies.close()
    throw error
  }
}

export async function signUpByMail(
  url: string,
  letters: readonly ReceivedMail[],
  slug: string,
): Promise<{ client: Client; token: string }> {
  const email = `ada@${slug}.example`
  const anyone = createClient({ url })
  await anyone.signUp({ email, name: 'Ada', organizationName: slug, organizationSlug: slug, provider: 'magic-link' })
  for (const until = Date.now() + STARTED_MS; !linkIn(letters, email); await sleep(20))
    if (Date.now() > until) throw new Error('no sign-up mail arrived')
  const { token } = await anyone.verifySignIn({ token: linkIn(letters, email)! })
  return { token: token!, client: createClient({ url, headers: { authorization: `Bearer ${token}` }, retries: 5 }) }
}

type System = (typeof SYSTEMS)[number]

async function connected(client: Client, at: { orgSlug: string; workspaceSlug: string }, { provider, settings, form }: System) {
  const { id } = await client.createIntegration(at, { provider, name: provider, settings })
  await client.submitIntegrationCredentials({ ...at, id }, form)
  return id
}

async function verifiedAtLast(client: Client, at: { orgSlug: string; workspaceSlug: string; id: string }): Promise<void> {
  for (const until = performance.now() + NEVER_MS; ; await sleep(1000)) {
    const done = await client.verifyIntegration(at).catch((error: Error) => error)
    if (!(done instanceof Error) && !done.lastError) return
    if (performance.now() > until) throw done instanceof Error ? done : new Error(`never verified: ${done.lastError}`)
  }
}

interface LoadInput {
  probe: Probe
  ledger: LoadLedger
  dependencies: Dependencies
  token: string
  key: string
  slug: string
  integrations: string[]
}

/**
 * Starts the load. What is still to be settled (repetitions,
 * mails on their way) gathers in the set that is returned.
 */
function makeLoad({ probe, ledger, dependencies, token, key, slug, integrations }: LoadInput): Set<Promise<void>> {
  const { ask, repeat } = probe
  const tasks = new Set<Promise<void>>()
  const later = (task: Promise<void>) => {
    const kept: Promise<void> = task.finally(() => tasks.delete(kept))
    tasks.add(kept)
  }
  const organization = `/v1/organizations/${slug}`
  const workspace = `${organization}/workspaces/${WORKSPACE}`
  const bearer = { authorization: `Bearer ${token}` }
  const change = (method: string, body: object, idempotencyKey = randomUUID()) => ({
    method,
    body: JSON.stringify(body),
    headers: { ...bearer, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
  })

  let serial = 0
  const write = async () => {
    const name = `w${++serial}`
    const request = change('PATCH', { name })
    ledger.tried.add(name)
    const { good } = await ask('write', workspace, request)
    if (good) ledger.acknowledged.add(name)
    else if (unsettled < UNSETTLED) later(writeAgain(name, request))
  }
  /** The same key, until the truth is known: it was made, or it is made now. */
  let unsettled = 0
  const writeAgain = async (name: string, request: RequestInit) => {
    unsettled++
    for (const until = performance.now() + SETTLE_MS; performance.now() < until; ) {
      await sleep(1000)
      const { good, code } = await ask('write again', workspace, request)
      if (!good && code !== 'answer_lost') continue
      ledger.acknowledged.add(name)
      break
    }
    unsettled--
  }

  const signIn = async () => {
    const email = `p${++serial}@${slug}.example`
    const { good } = await ask('ask for a mail', '/v1/auth/magic-link', { ...change('POST', { email }), wanted: [202] })
    if (!good) return
    ledger.awaited.set(email, performance.now())
    later(enter(email))
  }
  const enter = async (email: string) => {
    for (const until = performance.now() + NEVER_MS; !linkIn(dependencies.letters, email); await sleep(50))
      if (performance.now() > until || !ledger.awaited.has(email)) return
    ledger.awaited.delete(email)
    const { good, body } = await ask('sign-in', '/v1/auth/magic-link/verify', {
      ...change('POST', { token: linkIn(dependencies.letters, email) }),
    })
    if (good) ledger.sessions.push((body as { token: string }).token)
  }

  const signInByGoogle = async () => {
    const { good, headers } = await ask('start at Google', '/v1/auth/google', { wanted: [302] })
    if (!good) return
    const { searchParams } = new URL(headers.get('location')!)
    dependencies.vouch(`bea@${slug}.example`, searchParams.get('nonce')!)
    const cookie = headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0])
      .join('; ')
    await ask('sign-in by Google', `/v1/auth/google/callback?code=good&state=${searchParams.get('state')}`, {
      headers: { cookie },
      wanted: [302],
    })
  }

  repeat(150, () => ask('read by session', `${organization}/members`, { headers: bearer }))
  repeat(150, () => ask('read by key', `${workspace}/integrations`, { headers: { 'x-api-key': key } }))
  for (let writer = 0; writer < 2; writer++) repeat(250, write)
  repeat(700, signIn)
  repeat(700, signInByGoogle)
  const [first, ...others] = integrations.map((id) => `${workspace}/integrations/${id}`)
  const trouble = (body: unknown) => ((body as { lastError: string | null }).lastError ? UNREACHED : undefined)
  repeat(500, () => ask('connect', `${first}/credentials`, { ...change('POST', SYSTEMS[0].form), trouble }))
  repeat(500, () => ask('verify', `${others[++serial % VERIFIED]}/verify`, { ...change('POST', {}), trouble }))
  repeat(200, () => ask('health', '/health'))
  repeat(200, () => ask('live', '/health/live'))
  repeat(300, () => ask('page', '/', { headers: { accept: 'text/html' } }))
  return tasks
}
