// An organization with one of everything in it, and requests built from the contract alone:
// suites over all operations start from here, so that an operation added to the contract
// is in them by itself. A new kind of thing in a path needs one line in `things`.
import { randomUUID } from 'node:crypto'
import { type OperationId, operations, route } from '@adjoin/contract'
import * as z from 'zod'
import { request, sql, type TestKey, type TestOrganization, type TestPerson, type TestWorkspace, type World } from './world.ts'

export interface FullTenant {
  organization: TestOrganization
  workspace: TestWorkspace
  member: TestPerson
  keys: { userKey: TestKey; organizationKey: TestKey; workspaceKey: TestKey }
  /** What each id-bearing parameter is here, by the path up to it. */
  things: Record<string, string>
}

const O = '/v1/organizations/{orgSlug}'
const W = `${O}/workspaces/{workspaceSlug}`

export async function createFullTenant(world: World): Promise<FullTenant> {
  const organization = await world.organization()
  const { admin, slug: orgSlug } = organization
  const workspace = await world.workspace(organization)
  const member = await world.join(organization, 'member')
  await world.assign(organization, workspace, member, 'member')
  const keys = {
    userKey: await world.key(organization, { level: 'user' }),
    organizationKey: await world.key(organization, { level: 'organization', role: 'admin' }),
    workspaceKey: await world.key(organization, { level: 'workspace', role: 'admin', workspace }),
  }
  const at = { orgSlug, workspaceSlug: workspace.slug }
  const invite = (role: 'viewer' | 'admin') => ({ email: `${crypto.randomUUID()}@elsewhere.example`, role })
  const [session] = await world.query<{ id: string }>(sql`insert into sessions (token_hash, user_id, method)
    values (sha256(convert_to(gen_random_uuid()::text, 'utf8')), ${admin.id}, 'magic-link') returning id`)
  const elsewhere = await world.organization()
  const toAdmin = await elsewhere.admin.client.createOrganizationInvitation(
    { orgSlug: elsewhere.slug },
    { email: admin.email, role: 'viewer' },
  )
  const webhook = { orgSlug, id: (await admin.client.createWebhook({ orgSlug }, { url: 'http://127.0.0.1:9/hook' })).id }
  const delivery = await admin.client.testWebhook(webhook)
  const things = {
    [O]: orgSlug,
    [W]: workspace.slug,
    [`${O}/members/{userId}`]: member.id,
    [`${W}/members/{userId}`]: member.id,
    [`${O}/invitations/{id}`]: (await admin.client.createOrganizationInvitation({ orgSlug }, invite('viewer'))).id,
    [`${W}/invitations/{id}`]: (await admin.client.createWorkspaceInvitation(at, invite('viewer'))).id,
    [`${O}/api-keys/{id}`]: (await world.key(organization, { level: 'organization', role: 'viewer' })).id,
    [`${W}/integrations/{id}`]: (await admin.client.createIntegration(at, { provider: 'xandr', name: 'Seat' })).id,
    [`${W}/connect-requests/{requestId}`]: (
      await admin.client.createConnectRequest(at, {
        title: 'Accounts',
        clientEmail: invite('viewer').email,
        items: [{ provider: 'xandr' }],
      })
    ).id,
    [`${O}/webhooks/{id}`]: webhook.id,
    [`${O}/webhooks/{id}/deliveries/{deliveryId}`]: delivery.id,
    '/v1/me/invitations/{id}': toAdmin.id,
    '/v1/me/sessions/{id}': session!.id,
  }
  return { organization, workspace, member, keys, things }
}

/** Parameters that name nothing of a tenant. */
const others: Record<string, string> = {
  [`${W}/integrations/{id}/proxy/{path}`]: 'a path of the ad system',
  '/v1/integrations/providers/{provider}': 'one of the ad systems',
  '/v1/auth/device/{userCode}': 'a short-lived code of a device, for whoever types it',
}

/**
 * The id-bearing parameters of an operation, in its path and its body:
 * their names, and the path that tells what they name.
 */
export function idParameters(id: OperationId): { name: string; path: string }[] {
  const [, template] = route(id)
  const inPath = [...template.matchAll(/\{(\w+)\}/g)].map(({ index, 0: text, 1: name }) => ({
    name: name!,
    path: template.slice(0, index + text.length),
  }))
  const inBody = 'workspaceSlug' in (sampleBody(id) ?? {}) ? [{ name: 'workspaceSlug', path: W }] : []
  return [...inPath, ...inBody].filter(({ path }) => !(path in others))
}

export const missing = (name: string): string => (name.endsWith('Slug') ? 'there-is-no-such' : crypto.randomUUID())

/** One request of an operation; `values` are the path's parameters, or replace a field of the sample body. */
export function send(url: string, id: OperationId, headers: Record<string, string>, values: Record<string, string>) {
  const [method, template] = route(id)
  const path = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? 'xandr'))
  const body = sampleBody(id)
  const sent = body && { ...body, ...Object.fromEntries(Object.entries(values).filter(([name]) => name in body)) }
  return request(`${url}${path}`, {
    method,
    headers: { ...headers, ...(sent && { 'content-type': 'application/json' }) },
    ...(sent && { body: JSON.stringify(sent) }),
  })
}

/** What no schema can tell: fields that only make sense together. */
const special: { [Id in OperationId]?: Record<string, unknown> } = {
  createApiKey: { name: 'Sample', level: 'workspace', role: 'viewer', workspaceSlug: 'there-is-no-such' },
  submitIntegrationCredentials: { username: 'sample', password: 'sample-password' },
  bulkIntegrations: { action: 'disable', ids: [randomUUID()] },
  createConnectRequest: { title: 'Sample', items: [{ provider: 'xandr' }] },
  renewWithSameLogin: { integrationIds: [randomUUID()] },
}

/** Fields by name, where their schema is only text. */
const texts: Record<string, string> = {
  email: 'sample@elsewhere.example',
  name: 'Sample',
  slug: 'sample',
  url: 'http://127.0.0.1:9/hook',
  from: new Date(Date.now() - 60_000).toISOString(),
}

interface JsonSchema {
  properties?: Record<string, { enum?: unknown[]; const?: unknown; default?: unknown; type?: string }>
  required?: string[]
  oneOf?: JsonSchema[]
}

/** The required fields of an operation's body, made from its schema. */
function sampleBody(id: OperationId): Record<string, unknown> | undefined {
  const { body } = operations[id] as { body?: z.ZodType }
  if (!body) return undefined
  if (special[id]) return special[id]
  const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  const { properties = {}, required = [] } = schema.oneOf?.[0] ?? schema
  return Object.fromEntries(
    required.map((name) => [name, properties[name]!.const ?? properties[name]!.enum?.[0] ?? texts[name] ?? 'sample']),
  )
}
