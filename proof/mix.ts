// What a day looks like, in requests: mostly lists read by programs,
// some pages read by people, a few changes and checks.
import type { Agent } from 'node:http'
import { createClient } from '@adjoin/contract'
import { type AskOptions, ask, describeAnswer } from './ask.ts'
import type { Furnish, ProofOrganization } from './furnish.ts'

/** One request, sent and judged; undefined where all went as planned. */
export type MixAction = () => Promise<string | undefined>

interface MixTenant {
  readonly organization: ProofOrganization
  readonly workspace: string
  readonly key: Record<string, string>
  readonly integrations: readonly string[]
  /** Made by the mix, to be deleted by it again: a soak that fills tables measures the tables. */
  readonly extra: string[]
}

/** No divisor in common with 100: every tenant gets every action, deletions and what they delete. */
const TENANTS = 7
const INTEGRATIONS = 10
/** Where many ask at once, on a machine that is busy with others as well. */
const WITHIN_MS = 60_000

export async function createMix(url: string, agent: Agent, furnish: Furnish): Promise<() => MixAction> {
  const tenants: MixTenant[] = []
  for (let i = 0; i < TENANTS; i++) tenants.push(await createTenant(url, furnish))
  const send = async (
    status: number,
    path: string,
    more: Partial<AskOptions> = {},
    then?: (body: string) => void,
  ): Promise<string | undefined> => {
    const answer = await ask(`${url}${path}`, { agent, withinMs: WITHIN_MS, ...more }).catch((error: Error) => error)
    if (answer instanceof Error || answer.status !== status) return describeAnswer(more.method ?? 'GET', path, answer)
    return void then?.(answer.body)
  }
  let turn = 0
  const actions = actionsOf(send)
  const sequence = Object.values(actions).flatMap(({ of100, action }) =>
    Array<(tenant: MixTenant, turn: number) => ReturnType<MixAction>>(of100).fill(action),
  )
  return () => {
    const now = turn++
    // 37 has no divisor in common with 100: every hundred holds each action as often as the table says.
    const action = sequence[(now * 37) % sequence.length]!
    const tenant = tenants[now % TENANTS]!
    return () => action(tenant, now)
  }
}

function actionsOf(
  send: (status: number, path: string, more?: Partial<AskOptions>, then?: (body: string) => void) => Promise<string | undefined>,
) {
  const place = ({ organization }: MixTenant) => `/v1/organizations/${organization.slug}`
  const list = (tenant: MixTenant) => `${place(tenant)}/workspaces/${tenant.workspace}/integrations`
  const one = (tenant: MixTenant, turn: number) => `${list(tenant)}/${tenant.integrations[Math.floor(turn / TENANTS) % INTEGRATIONS]}`
  const bearer = ({ organization }: MixTenant) => ({ headers: organization.admin.headers })
  const rename = (tenant: MixTenant, turn: number) =>
    send(200, one(tenant, turn), { ...bearer(tenant), method: 'PATCH', body: { name: `Ads ${turn}` } })
  const create = (tenant: MixTenant) =>
    send(201, list(tenant), { ...bearer(tenant), method: 'POST', body: { provider: 'xandr', name: 'Extra' } }, (body) =>
      tenant.extra.push(JSON.parse(body).id),
    )
  return {
    listIntegrations: { of100: 50, action: (tenant: MixTenant) => send(200, list(tenant), { headers: tenant.key }) },
    members: { of100: 18, action: (tenant: MixTenant) => send(200, `${place(tenant)}/members`, { headers: tenant.key }) },
    auditPage: { of100: 10, action: (tenant: MixTenant) => send(200, `${place(tenant)}/audit-logs?limit=20`, bearer(tenant)) },
    me: { of100: 6, action: (tenant: MixTenant) => send(200, '/v1/me', bearer(tenant)) },
    rename: { of100: 8, action: rename },
    create: { of100: 3, action: create },
    remove: {
      of100: 3,
      action: async (tenant: MixTenant) => {
        const id = tenant.extra.shift()
        if (!id) return create(tenant)
        const fault = await send(204, `${list(tenant)}/${id}`, { ...bearer(tenant), method: 'DELETE' })
        if (fault) tenant.extra.push(id)
        return fault
      },
    },
    verify: {
      of100: 2,
      action: (tenant: MixTenant, turn: number) => send(200, `${one(tenant, turn)}/verify`, { ...bearer(tenant), method: 'POST' }),
    },
  }
}

/** An organization of ten people, with ten integrations that are connected to a twin. */
async function createTenant(url: string, furnish: Furnish): Promise<MixTenant> {
  const organization = await furnish.organization()
  for (let i = 1; i < 10; i++) await furnish.join(organization, 'member')
  const { slug: workspace } = await furnish.workspace(organization)
  const at = { orgSlug: organization.slug, workspaceSlug: workspace }
  const client = createClient({ url, headers: { ...organization.admin.headers } })
  const integrations: string[] = []
  for (let i = 0; i < INTEGRATIONS; i++) {
    const { id } = await client.createIntegration(at, { provider: 'xandr', name: `Ads ${i}` })
    await client.submitIntegrationCredentials({ ...at, id }, { username: `api-user-${i}`, password: 'Correct-Horse-1' })
    integrations.push(id)
  }
  return { organization, workspace, integrations, extra: [], key: { ...(await furnish.key(organization)).headers } }
}
