// Everybody who comes in by some door, and every secret that opens it.
import { randomUUID } from 'node:crypto'
import { type Client, createClient } from '@adjoin/contract'
import type { HeardExchange } from '../../api/test/answers.ts'
import type { OpenIdProvider } from '../../api/test/openid-provider.ts'
import type { CanaryLedger } from './canaries.ts'
import type { PostOffice } from './post-office.ts'

export const PUBLIC = 'http://localhost:3000'

export interface SecretsScene {
  readonly url: string
  readonly ledger: CanaryLedger
  readonly post: PostOffice
  readonly google: OpenIdProvider
  readonly slug: string
}
export interface Admin {
  readonly client: Client
  readonly token: string
  readonly email: string
}

/** Successful answers of these operations. */
export const by =
  (...operations: string[]) =>
  ({ operation, status }: HeardExchange) =>
    status < 400 && operations.includes(operation ?? '')

const LINK = /#token=([\w-]{43})/
const CODE = /^\s+(\d{6})\s*$/m
const as = (url: string, token: string) => createClient({ url, headers: { authorization: `Bearer ${token}` } })

/** The link and the code of the newest mail, which nobody else may see. */
async function mailed({ ledger, post }: SecretsScene, email: string, count = 1): Promise<{ token: string; code: string }> {
  const token = ledger.keep('a sign-in link', await post.said(email, LINK, count), { mailedTo: email })
  return { token, code: ledger.keep('a sign-in code', await post.said(email, CODE, count), { mailedTo: email }) }
}

export async function signUp(scene: SecretsScene): Promise<Admin> {
  const { url, ledger, slug } = scene
  const email = `ada@${slug}.example`
  const anyone = createClient({ url })
  const asked = await anyone.signUp({ email, name: 'Ada', organizationName: slug, organizationSlug: slug, provider: 'magic-link' })
  const challenge = ledger.keep('a challenge', asked.challenge, { shownIn: by('signUp') })
  const { code, token: link } = await mailed(scene, email)
  await anyone.getSignInLink({ token: link })
  const { token } = await anyone.verifySignIn({ email, code, challenge })
  ledger.keep('a session', token, { shownIn: by('verifySignIn') })
  return { client: as(url, token!), token: token!, email }
}

/** In a browser the session is a cookie; it is in no body. */
export async function signInByBrowser(scene: SecretsScene, email: string): Promise<void> {
  const { url, ledger } = scene
  const before = scene.post.letters.filter(({ to, text }) => to === email && LINK.test(text)).length
  await createClient({ url }).sendSignInLink({ email })
  const { token } = await mailed(scene, email, before + 1)
  const answer = await fetch(`${url}/v1/auth/magic-link/verify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: PUBLIC },
    body: JSON.stringify({ token }),
  })
  const session = ledger.keep('a session cookie', cookieIn(answer, 'adjoin_session'), { shownIn: by('verifySignIn') })
  const headers = { cookie: `adjoin_session=${session}`, origin: PUBLIC }
  await fetch(`${url}/v1/me`, { headers })
  await fetch(`${url}/v1/me/sessions`, { headers })
  await fetch(`${url}/v1/auth/sign-out`, { method: 'POST', headers })
  await fetch(`${url}/v1/me`, { headers })
}

const cookieIn = (answer: Response, name: string) =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0]!.split('='))
    .find(([one]) => one === name)?.[1]

/** To the identity provider and back, with a jar for each. */
export async function signInByGoogle({ url, ledger, google, slug }: SecretsScene): Promise<void> {
  google.next = { sub: `grace-${slug}`, email: `grace@${slug}.example`, email_verified: true, name: 'Grace' }
  const jars = new Map<string, Map<string, string>>()
  let at = new URL(`${PUBLIC}/v1/auth/google`)
  for (let hops = 0; hops < 10 && (at.origin !== PUBLIC || at.pathname.startsWith('/v1/')); hops++) {
    const jar = jars.get(at.origin) ?? new Map<string, string>()
    jars.set(at.origin, jar)
    if (at.pathname.endsWith('/callback')) ledger.keep('a code of the identity provider', at.searchParams.get('code'))
    const target = at.origin === PUBLIC ? new URL(at.pathname + at.search, url) : at
    const answer = await fetch(target, { redirect: 'manual', headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; ') } })
    for (const line of answer.headers.getSetCookie()) {
      const [name, ...value] = line.split(';', 1)[0]!.split('=')
      jar.set(name!, value.join('='))
    }
    at = new URL(answer.headers.get('location')!, at)
  }
  const session = jars.get(PUBLIC)?.get('adjoin_session')
  ledger.keep('a session from the identity provider', session, { shownIn: by('finishProviderSignIn') })
  const asked = google.asked.at(-1)!
  for (const name of ['state', 'nonce']) ledger.keep(`the ${name} of a sign-in`, asked.get(name), { shownIn: by('startProviderSignIn') })
}

export async function signInByDevice({ url, ledger }: SecretsScene, { client }: Admin): Promise<void> {
  const anyone = createClient({ url })
  const { deviceCode, userCode } = await anyone.startDeviceLogin({ clientName: 'Terminal' })
  ledger.keep('a device code', deviceCode, { shownIn: by('startDeviceLogin') })
  await client.getDeviceLogin({ userCode })
  await client.approveDeviceLogin({ userCode })
  const { token } = await anyone.pollDeviceLogin({ deviceCode })
  ledger.keep('a session of a device', token, { shownIn: by('pollDeviceLogin') })
  await as(url, token!).getMe()
  await anyone.pollDeviceLogin({ deviceCode }).catch(() => {})
}

export async function invite({ url, ledger, post, slug }: SecretsScene, { client }: Admin): Promise<void> {
  const o = { orgSlug: slug }
  const w = { ...o, workspaceSlug: 'client' }
  for (const [n, create] of [
    (email: string) => client.createOrganizationInvitation(o, { email, role: 'viewer' }),
    (email: string) => client.createWorkspaceInvitation(w, { email, role: 'viewer' }),
  ].entries()) {
    const email = `guest${n}@${slug}-clients.example`
    const { id } = await create(email)
    const token = ledger.keep('an invitation', await post.said(email, LINK), { mailedTo: email })
    await createClient({ url }).getInvitation({ token })
    await (n ? client.resendWorkspaceInvitation({ ...w, id }) : client.resendOrganizationInvitation({ ...o, id }))
    await post.said(email, LINK, 2)
  }
}

export async function mintKeys({ url, ledger, slug }: SecretsScene, { client }: Admin): Promise<void> {
  const o = { orgSlug: slug }
  const bodies = [
    { name: 'u', level: 'user' as const },
    { name: 'o', level: 'organization' as const, role: 'admin' as const },
    { name: 'w', level: 'workspace' as const, role: 'admin' as const, workspaceSlug: 'client' },
  ]
  for (const body of bodies) {
    const idempotencyKey = randomUUID()
    const first = await client.createApiKey(o, body, { idempotencyKey })
    // In the first answer only: a repeated request gets it without the key.
    const kept = (key: string | undefined, operation: string) =>
      ledger.keep('an API key', key, { shownIn: (exchange) => by(operation)(exchange) && !exchange.headers.has('idempotency-replayed') })
    const key = kept(first.key, 'createApiKey')
    await client.createApiKey(o, body, { idempotencyKey })
    const holder = createClient({ url, headers: { 'x-api-key': key } })
    await holder.getCurrentApiKey()
    await holder.listOrganizations().catch(() => {})
    const next = kept((await client.rotateApiKey({ ...o, id: first.id }, { graceHours: 1 })).key, 'rotateApiKey')
    await createClient({ url, headers: { 'x-api-key': next } }).getCurrentApiKey()
    await client.revokeApiKey({ ...o, id: first.id })
    await holder.getCurrentApiKey().catch(() => {})
  }
  await client.listApiKeys(o)
}
