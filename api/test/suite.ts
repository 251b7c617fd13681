// Where the suites that are derived from the tables run:
// a world with an identity provider, and an organization for each operation.
import { randomUUID } from 'node:crypto'
import type { Client } from '@adjoin/contract'
import { consent as consentAtTwin, tokenOf } from '../../furnishing/front-door.ts'
import { until } from '../../furnishing/until.ts'
import type { Config } from '../src/config.ts'
import { type OpenIdProvider, startOpenIdProvider } from './openid-provider.ts'
import { createWorld, sql, type TestOrganization, type TestPerson, type TestWorkspace, type World } from './world.ts'

/** An organization of its own for each operation, so that every run is also a test of tenancy. */
export interface Tenant {
  readonly world: World
  readonly google: OpenIdProvider
  readonly organization: TestOrganization
  readonly admin: Client
  readonly viewer: TestPerson
  readonly member: TestPerson
  readonly workspace: TestWorkspace
  readonly o: { orgSlug: string }
  readonly w: { orgSlug: string; workspaceSlug: string }
}

export const PUBLIC = 'http://localhost:3000'

/** A world with an identity provider, in which any operation can run any number of times. */
export async function createSuite(settings: Partial<Config> = {}) {
  const google = await startOpenIdProvider(`${PUBLIC}/v1/auth/google/callback`)
  const world = await createWorld({ limitsFactor: 100, identity: { google: google.client }, ...settings })
  const stop = async () => {
    await world.stop()
    await google.close()
  }
  return { world, google, stop, tenant: () => createTenant(world, google) }
}
export type Suite = Awaited<ReturnType<typeof createSuite>>

async function createTenant(world: World, google: OpenIdProvider): Promise<Tenant> {
  const organization = await world.organization()
  const workspace = await world.workspace(organization)
  const [viewer, member] = [await world.join(organization, 'viewer'), await world.join(organization, 'member')]
  const o = { orgSlug: organization.slug }
  const w = { ...o, workspaceSlug: workspace.slug }
  return { world, google, organization, admin: organization.admin.client, viewer, member, workspace, o, w }
}

/** A login of its own each time: the twin has a quota per user, as the ad system has. */
export const newCredentials = () => ({ username: `api-${randomUUID().slice(0, 8)}`, password: `Correct-Horse-${randomUUID()}` })

export { tokenOf }

export const integrate = async ({ admin, w }: Tenant) => {
  const made = await admin.createIntegration(w, { provider: 'xandr', name: 'Publisher' })
  return { ...w, id: made.id, token: tokenOf(made.connectUrl) }
}
export const connected = async (tenant: Tenant) => {
  const { token: _, ...at } = await integrate(tenant)
  const { status, statusDetail, lastError } = await tenant.admin.submitIntegrationCredentials(at, newCredentials())
  if (status !== 'active') throw new Error(`the twin did not connect: ${statusDetail ?? lastError}`)
  return at
}

/** The service lists them by itself after connecting, and not again for a day: until then, what a test stores there may be replaced. */
export const accountsListed = async ({ world, organization }: Tenant, { id }: { id: string }) => {
  const isListed = sql`select from integrations where organization_id = ${organization.id} and id = ${id} and accounts_refreshed_at is not null`
  await until(
    () => world.query(isListed),
    ({ length }) => length > 0,
    'the first list of accounts',
  )
}

/** One through which programs may also change things. */
export const callable = async (tenant: Tenant) => {
  const at = await connected(tenant)
  await tenant.admin.setIntegrationCallPolicy(at, { mode: 'full' })
  return at
}

/** A request for two, the second optional, and the client's way to it. */
export const requested = async ({ admin, w }: Tenant, body: { clientEmail?: string; reminders?: boolean } = {}) => {
  const items = [
    { provider: 'xandr' as const, name: 'Publisher' },
    { provider: 'google_ads' as const, name: 'Search', settings: { customerId: '123-456-7890' }, optional: true },
  ]
  const made = await admin.createConnectRequest(w, { title: 'Your ad accounts', items, ...body })
  const token = tokenOf(made.connectUrl!)
  return { at: { ...w, requestId: made.id }, token, made, items: made.items.map(({ id: itemId }) => ({ token, itemId })) }
}

/** What a client keeps who has connected by a link. */
export const receipted = async (tenant: Tenant) => {
  const { token, ...at } = await integrate(tenant)
  const { receiptUrl } = await tenant.world.client().submitConnectCredentials({ token }, newCredentials())
  return { at, token: tokenOf(receiptUrl!) }
}

/** One that stopped working, and the result of a new consent by the login that it was connected with. */
export const renewable = async (tenant: Tenant) => {
  const callbacks = [await consent(tenant), await consent(tenant)]
  await fetch(callbacks[0]!, { redirect: 'manual' })
  const { integrations } = await tenant.admin.listIntegrations(tenant.w)
  const other = integrations.find(({ status }) => status === 'active')!.id
  await tenant.world.query(sql`update integrations set status = 'error', status_detail = 'Revoked', status_reason = 'grant_revoked'
    where organization_id = ${tenant.organization.id} and id = ${other}`)
  const { headers } = await fetch(callbacks[1]!, { redirect: 'manual' })
  return { other, result: new URL(headers.get('location')!).hash.slice(1) }
}

/** A webhook whose server is not there, of events that hardly come: it is not tried, and so does not begin to fail. */
export const hooked = async ({ admin, o }: Tenant) => ({
  ...o,
  id: (await admin.createWebhook(o, { url: NOBODY, types: ['organization.frozen'] })).id,
})
const NOBODY = 'http://127.0.0.1:9/hook'

/** What the client's browser does: consent at the ad system's twin, then the address back to us. */
export async function consent({ admin, world, w }: Tenant): Promise<string> {
  const settings = { customerId: '123-456-7890' }
  const { connectUrl } = await admin.createIntegration(w, { provider: 'google_ads', name: 'Search', settings })
  return (await consentAtTwin(world.url, connectUrl, 'allow')).replace(PUBLIC, world.url)
}

/** Connected by a form, with a setting still to be filled in. */
export const unset = async ({ admin, world, w }: Tenant) => {
  const { id, connectUrl } = await admin.createIntegration(w, { provider: 'magnite', name: 'Sellers' })
  const token = tokenOf(connectUrl)
  const { result } = await world.client().submitConnectCredentials({ token }, { accessKey: 'a'.repeat(40), secretKey: randomUUID() })
  return { id, result }
}

/** Connected by consent, with the account still to be chosen, and listed. */
export async function choosing({ admin, world, w }: Tenant): Promise<{ id: string; result: string }> {
  const { id, connectUrl } = await admin.createIntegration(w, { provider: 'google_ads', name: 'Search' })
  const back = (await consentAtTwin(world.url, connectUrl, 'allow')).replace(PUBLIC, world.url)
  const { headers } = await fetch(back, { redirect: 'manual' })
  await admin.refreshIntegrationAccounts({ ...w, id })
  return { id, result: new URL(headers.get('location')!).hash.slice(1) }
}

export const newcomer = () => `newcomer-${randomUUID().slice(0, 8)}@elsewhere.example`

/** The token of the newest sign-in mail to an address. */
export async function mailedToken(world: World, email: string): Promise<{ token: string; code: string }> {
  const [mail] = await world.mails(email)
  return { token: /#token=([\w-]{43})/.exec(mail!.text)![1]!, code: /\b(\d{6})\b/.exec(mail!.text)![1]! }
}
