// A place full of real things, so that bad requests do not all end at the first door:
// they are made through the front door, as people would.
import { type Client, createClient } from '@adjoin/contract'
import { mailedTokenOf, mailTo, signIn, signUpAgency, tokenOf } from '../../furnishing/front-door.ts'

export const PUBLIC = 'http://localhost:3000'

export interface InputTenant {
  readonly orgSlug: string
  /** Real values of path parameters, by the path up to them; of several one is chosen. */
  readonly things: Readonly<Record<string, readonly string[]>>
  /** Real values of fields and query parameters, by name. */
  readonly known: Readonly<Record<string, readonly unknown[]>>
  readonly credentials: Readonly<Record<CallerCredential, readonly (readonly [string, string])[]>>
  /** Sessions that may be ended. */
  readonly spare: readonly (readonly [string, string])[]
}
export const credentialClasses = [
  'none',
  'cookie',
  'bearer',
  'user key',
  'organization key',
  'workspace key',
  'revoked key',
  'garbage',
] as const
export type CallerCredential = (typeof credentialClasses)[number]

const O = '/v1/organizations/{orgSlug}'
const W = `${O}/workspaces/{workspaceSlug}`

export interface OtherTenant {
  readonly client: Client
  readonly slug: string
}

/** An organization next door, which invites the people of each place. */
export async function createOtherTenant(url: string, name: string): Promise<OtherTenant> {
  const { client, slug } = await signUpAgency(url, name)
  for (const each of 'abcd') await client.createWorkspace({ orgSlug: slug }, { name: each, slug: each })
  return { client, slug }
}

export async function createInputTenant(url: string, slug: string, otherTenant: OtherTenant): Promise<InputTenant> {
  const { client: admin, token } = await signUpAgency(url, slug)
  const [o, w] = [{ orgSlug: slug }, { orgSlug: slug, workspaceSlug: 'client' }]
  for (const name of ['client', 'other', 'third']) await admin.createWorkspace(o, { name, slug: name })
  const grace = await signIn(url, `grace@${slug}.example`)
  const { id: graceId } = await grace.client.getMe()
  await admin.setWorkspaceMember({ ...w, userId: graceId }, { role: 'member' })

  const mint = (body: Parameters<Client['createApiKey']>[1]) => admin.createApiKey(o, body)
  const userKey = await mint({ name: 'u', level: 'user' })
  const organizationKey = await mint({ name: 'o', level: 'organization', role: 'admin' })
  const workspaceKey = await mint({ name: 'w', level: 'workspace', role: 'admin', workspaceSlug: 'client' })
  const revoked = await mint({ name: 'gone', level: 'organization', role: 'admin' })
  await admin.revokeApiKey({ ...o, id: revoked.id })
  const spareKeys = await many(4, () => mint({ name: 'spare', level: 'organization', role: 'viewer' }))

  const invite = (n: number) => ({ email: `guest${n}@${slug}-clients.example`, role: 'viewer' as const })
  const toOrganization = await many(4, (n) => admin.createOrganizationInvitation(o, invite(n)))
  const toWorkspace = await many(4, (n) => admin.createWorkspaceInvitation(w, invite(10 + n)))
  const email = `ada@${slug}.example`
  const toAda = await many(4, (n) =>
    otherTenant.client.createWorkspaceInvitation({ orgSlug: otherTenant.slug, workspaceSlug: 'abcd'[n]! }, { email, role: 'viewer' }),
  )

  const integrate = (provider: 'xandr' | 'stackadapt' | 'google_ads') => admin.createIntegration(w, { provider, name: provider })
  const form = await many(8, () => integrate('stackadapt'))
  const login = await many(2, () => integrate('xandr'))
  const consents = await many(3, () => integrate('google_ads'))
  for (const { id } of form.slice(0, 5)) await admin.submitIntegrationCredentials({ ...w, id }, { apiKey: 'a-good-key' })
  await admin.disableIntegration({ ...w, id: login[0]!.id })
  const hooks = await many(4, () => admin.createWebhook(o, { url: 'http://127.0.0.1:9/hook', types: ['organization.frozen'] }))
  const anyone = createClient({ url })
  const visits = await many(2, async (n) => {
    const { authorizationUrl } = await anyone.startConnectOAuth({ token: tokenOf(consents[n]!.connectUrl) }, {})
    const there = await fetch(`${authorizationUrl.replace(PUBLIC, url)}&decision=allow`, { redirect: 'manual' })
    return new URL(there.headers.get('location')!).searchParams
  })
  const back = await fetch(`${url}/v1/connect/oauth/callback?${visits[0]}`, { redirect: 'manual' })
  const asked = { title: 'Your ad accounts', clientEmail: `client@${slug}-clients.example` }
  const requests = await many(4, () =>
    admin.createConnectRequest(w, { ...asked, items: [{ provider: 'stackadapt' }, { provider: 'google_ads', optional: true }] }),
  )
  // An item counts only under the token of its own request: there is one for all of them.
  const items = (['stackadapt', 'google_ads'] as const).flatMap((provider) =>
    Array.from({ length: 10 }, () => ({ provider, optional: true })),
  )
  const long = await admin.createConnectRequest(w, { ...asked, items })
  await admin.sendConnectRequest({ ...w, requestId: requests[0]!.id })
  const { receiptUrl } = await anyone.submitConnectItemCredentials(
    { token: tokenOf(requests[0]!.connectUrl!), itemId: requests[0]!.items[0]!.id },
    { apiKey: 'a-good-key' },
  )
  const stop = /connect\/stop\/([\w-]+)/.exec((await mailTo(url, asked.clientEmail)).text)![1]!
  const devices = await many(4, () => anyone.startDeviceLogin({}))
  const newcomers = ['h', 'i', 'j', 'k'].map((name) => `${name}@${slug}.example`)
  for (const each of newcomers) await anyone.sendSignInLink({ email: each })
  const { nextCursor } = await admin.listAuditLogs({ ...o, limit: 1 })
  const links = await many(newcomers.length, (n) => mailedToken(url, newcomers[n]!))
  const invitation = await mailedToken(url, `guest0@${slug}-clients.example`)
  const { sessions } = await grace.client.listMySessions()
  const ids = (things: readonly { id: string }[]) => things.map(({ id }) => id)

  return {
    orgSlug: slug,
    things: {
      [O]: [slug],
      [W]: ['client', 'client', 'client', 'other'],
      [`${O}/members/{userId}`]: [graceId],
      [`${W}/members/{userId}`]: [graceId],
      [`${O}/invitations/{id}`]: ids(toOrganization),
      [`${W}/invitations/{id}`]: ids(toWorkspace),
      [`${O}/api-keys/{id}`]: ids(spareKeys),
      [`${O}/webhooks/{id}`]: ids(hooks),
      [`${O}/webhooks/{id}/deliveries/{deliveryId}`]: ids(hooks),
      [`${W}/integrations/{id}`]: ids([...form, ...login, ...consents]),
      '/v1/me/invitations/{id}': ids(toAda),
      '/v1/me/sessions/{id}': ids(sessions),
      '/v1/connect/{token}': [...form.slice(5), ...login, ...consents].map(({ connectUrl }) => tokenOf(connectUrl)),
      [`${W}/connect-requests/{requestId}`]: ids(requests),
      '/v1/connect/requests/{token}': [tokenOf(long.connectUrl!)],
      '/v1/connect/requests/{token}/items/{itemId}': ids(long.items),
      '/v1/connect/receipts/{token}': [tokenOf(receiptUrl!)],
      '/v1/connect/mails/{token}': [stop],
      '/v1/connect/results/{result}': [new URL(back.headers.get('location')!).hash.slice(1)],
      '/v1/invitations/{token}': [invitation],
      '/v1/auth/magic-link/{token}': links,
      '/v1/auth/{provider}': ['google', 'google', 'microsoft'],
      '/v1/auth/device/{userCode}': devices.map(({ userCode }) => userCode),
      '/v1/integrations/providers/{provider}': ['google_ads', 'xandr'],
      '/v1/organizations/{orgSlug}/workspaces/{workspaceSlug}/integrations/{id}/proxy/{path}': [
        'campaign',
        'report',
        'v25/customers',
        'a;b',
      ],
    },
    known: {
      email: [`new@${slug}.example`, `grace@${slug}.example`, `guest9@${slug}-clients.example`],
      token: links,
      code: ['123456', visits[1]!.get('code')],
      state: [visits[1]!.get('state')],
      cursor: [nextCursor],
      deviceCode: devices.map(({ deviceCode }) => deviceCode),
      workspaceSlug: ['client'],
      workspace: ['client'],
      provider: ['xandr', 'google_ads', 'magic-link', 'google'],
      returnUrl: ['https://agency.example/done'],
      callbackURL: ['/', 'https://trusted.example/x'],
      actor: [graceId],
      targetId: [graceId],
    },
    credentials: {
      none: [],
      cookie: [
        ['Cookie', `adjoin_session=${token}`],
        ['Origin', PUBLIC],
      ],
      bearer: [['Authorization', `Bearer ${token}`]],
      'user key': [['X-Api-Key', userKey.key!]],
      'organization key': [['X-Api-Key', organizationKey.key!]],
      'workspace key': [['X-Api-Key', workspaceKey.key!]],
      'revoked key': [['X-Api-Key', revoked.key!]],
      garbage: [['Authorization', 'Bearer of-bad-news']],
    },
    spare: [['Authorization', `Bearer ${grace.token}`]],
  }
}

const mailedToken = async (url: string, email: string) => mailedTokenOf(await mailTo(url, email))

async function many<T>(count: number, make: (n: number) => Promise<T>): Promise<T[]> {
  const made: T[] = []
  for (let n = 0; n < count; n++) made.push(await make(n))
  return made
}
