import { type Client, createClient } from '@adjoin/contract/client'
import * as frontDoor from '../../furnishing/front-door.ts'
import { type FurnishedRequests, furnishRequests } from './furnish-requests.ts'
import type { PortalService } from './service.ts'

export type Furnished = {
  token: string
  organization: string
  workspace: string
  member: string
  apiKey: string
  retiring: string
  invitation: string
  device: string
  webhook: string
  webhookOff: string
} & Integrations &
  FurnishedRequests

/** The same session in a browser. */
export const cookieOf = ({ url }: PortalService, token: string) => ({ name: 'adjoin_session', value: token, url })

/** A person who has signed in by mail, with a client of their own. */
export const signIn = ({ url }: PortalService, email: string) => frontDoor.signIn(url, email)

export const signUp = ({ url }: PortalService, asked: frontDoor.SignUpInput) => frontDoor.signUp(url, asked)

type Integrations = {
  integration: string
  used: string
  failed: string
  disabled: string
  byForm: string
  byConsent: string
  result: string
  canceled: string
}

/** An integration in each state, and links for clients who have not come yet. */
async function integrate({ url }: PortalService, client: Client, at: { orgSlug: string; workspaceSlug: string }): Promise<Integrations> {
  const create = (provider: 'xandr' | 'google_ads' | 'microsoft_ads', name: string, settings = {}) =>
    client.createIntegration(at, { provider, name, settings })
  const submit = (id: string, password: string) => client.submitIntegrationCredentials({ ...at, id }, { username: 'globex-api', password })
  const page = (id: string) => `/organizations/${at.orgSlug}/workspaces/${at.workspaceSlug}/integrations/${id}`
  const [active, failed, disabled, byForm, byConsent, agreed, declined] = [
    await create('xandr', 'Monetize, publisher seat'),
    await create('xandr', 'Monetize, house ads'),
    await create('xandr', 'Monetize, old seat'),
    await create('xandr', 'Monetize, North America'),
    await create('microsoft_ads', 'Microsoft Ads, brand', { customerId: '1234567890', accountId: '1234567890' }),
    await create('google_ads', 'Google Ads, search', { customerId: '1234567890' }),
    await create('google_ads', 'Google Ads, shopping', { customerId: '1234567890' }),
  ]
  await submit(active.id, 'a-good-password')
  for (const _ of ['soon', 'and again']) await client.verifyIntegration({ ...at, id: active.id })
  await submit(failed.id, 'refuse-this-password')
  await submit(disabled.id, 'a-good-password')
  await client.disableIntegration({ ...at, id: disabled.id })
  const canceled = await consent(url, declined.connectUrl, 'deny')
  const result = await consent(url, agreed.connectUrl, 'allow')
  await callThrough(client, { ...at, id: agreed.id })
  const link = ({ connectUrl }: { connectUrl: string }) => connectUrl.slice(url.length)
  return {
    integration: page(active.id),
    used: page(agreed.id),
    failed: page(failed.id),
    disabled: page(disabled.id),
    byForm: link(byForm),
    byConsent: link(byConsent),
    result,
    canceled,
  }
}

/** Programs that may change things do, and one asks for an account that the connection does not reach. */
export async function callThrough(client: Client, integration: { orgSlug: string; workspaceSlug: string; id: string }): Promise<void> {
  await client.setIntegrationCallPolicy(integration, { mode: 'full' })
  const send = (path: string, body: object) => client.proxyPost({ ...integration, path: `v25/customers/${path}` }, JSON.stringify(body))
  await send('1234567890/campaigns:mutate', { operations: [] })
  await send('5550001111/googleAds:search', { query: 'SELECT campaign.name FROM campaign' })
}

/** A client's visit to the consent screen of the sandbox, and the page it ends on. */
export async function consent(url: string, connectUrl: string, decision: string): Promise<string> {
  let address = await frontDoor.consent(url, connectUrl, decision)
  while (!address.startsWith(`${url}/connect/`)) address = (await fetch(address, { redirect: 'manual' })).headers.get('location')!
  return address.slice(url.length)
}

/** An agency at work: enough of everything that no page is empty. */
export async function furnish(service: PortalService): Promise<Furnished> {
  const orgSlug = 'analytical-engines'
  const inGlobex = { orgSlug, workspaceSlug: 'globex' }
  const { token, client } = await signUp(service, {
    email: 'ada@engines.example',
    name: 'Ada Lovelace',
    organizationName: 'Analytical Engines',
    organizationSlug: orgSlug,
  })
  for (const [slug, name] of [
    ['globex', 'Globex'],
    ['initech-emea', 'Initech Europe, Middle East and Africa'],
    ['hooli', 'Hooli'],
  ] as const)
    await client.createWorkspace({ orgSlug }, { slug, name })
  const grace = await signIn(service, 'grace.hopper@engines.example')
  const { id: userId } = await grace.client.updateMe({ name: 'Grace Hopper' })
  const edsger = await signIn(service, 'edsger@engines.example')
  await client.updateOrganizationMember({ orgSlug, userId: (await edsger.client.getMe()).id }, { role: 'admin' })
  await edsger.client.createApiKey({ orgSlug }, { name: 'Nightly export', level: 'organization', role: 'viewer' })
  await client.setWorkspaceMember({ ...inGlobex, userId }, { role: 'admin' })
  await client.createOrganizationInvitation({ orgSlug }, { email: 'barbara@liskov.example', role: 'viewer' })
  await client.createWorkspaceInvitation(inGlobex, { email: 'client.with.a.long.address@globex.example', role: 'viewer' })
  await client.createApiKey({ orgSlug }, { name: 'Reporting, production', level: 'organization', role: 'viewer', expiresInDays: 90 })
  await client.createApiKey({ orgSlug }, { name: 'My laptop', level: 'user' })
  const dashboard = await client.createApiKey(
    { orgSlug },
    { name: 'Globex dashboard', level: 'workspace', role: 'member', workspaceSlug: 'globex' },
  )
  await client.disableApiKey({ orgSlug, id: dashboard.id })
  const old = await client.createApiKey({ orgSlug }, { name: 'Warehouse sync', level: 'organization', role: 'member', expiresInDays: 12 })
  const fresh = await client.rotateApiKey({ orgSlug, id: old.id }, { graceHours: 72 })
  const { verificationUriComplete } = await createClient({ url: service.url }).startDeviceLogin({ clientName: 'Adjoin CLI on build-7' })
  const place = (address: string) => address.slice(service.url.length)
  // Nothing answers there but the service itself, which knows no such page: deliveries fail, and events wait.
  const hook = (description: string, types: string[]) =>
    client.createWebhook({ orgSlug }, { url: `${service.url}/hooks/adjoin`, description, types })
  const webhook = await hook('Reporting, production', ['integration.*', 'connect_link.*', 'api_key.expiring'])
  const webhookOff = await hook('Warehouse, nightly import', [])
  await client.disableWebhook({ orgSlug, id: webhookOff.id })
  const integrations = await integrate(service, client, inGlobex)
  return {
    ...integrations,
    ...(await furnishRequests(service, client, inGlobex)),
    token,
    organization: `/organizations/${orgSlug}`,
    workspace: `/organizations/${orgSlug}/workspaces/globex`,
    member: `/organizations/${orgSlug}/members/${userId}`,
    apiKey: `/organizations/${orgSlug}/api-keys/${fresh.id}`,
    retiring: `/organizations/${orgSlug}/api-keys/${old.id}`,
    invitation: place(frontDoor.linkOf(await service.mailTo('barbara@liskov.example'))),
    device: place(verificationUriComplete),
    webhook: `/organizations/${orgSlug}/webhooks/${webhook.id}`,
    webhookOff: `/organizations/${orgSlug}/webhooks/${webhookOff.id}`,
  }
}
