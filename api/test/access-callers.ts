// Who calls in the access matrix, and what they call about: built once, and left as it was by every request.
import { randomUUID } from 'node:crypto'
import type { OrganizationRole, WorkspaceRole } from '@adjoin/contract'
import { workspaceRoles } from '@adjoin/contract'
import type { CallerStanding, KeyTarget } from './access-table.ts'
import { sql, type TestKey, type TestKeyOptions, type TestOrganization, type TestPerson, type TestWorkspace, type World } from './world.ts'

export interface AccessCaller extends CallerStanding {
  readonly name: string
  readonly headers: Record<string, string>
  readonly person?: TestPerson
  readonly key?: TestKey
}

/**
 * Everything that a path in one workspace of one organization can name.
 * Nothing here can be changed any more than it is.
 */
export interface Site {
  readonly organization: TestOrganization
  readonly workspace: TestWorkspace
  readonly params: Record<string, string>
}

export async function createCallers(world: World) {
  const agency = await world.organization('Agency')
  const other = await world.organization('Other')
  const [own, inherited, elsewhere] = [await world.workspace(agency), await world.workspace(agency), await world.workspace(other)]

  const people: { name: string; person: TestPerson; standing: Omit<CallerStanding, 'class'> }[] = []
  const joins: [role: OrganizationRole, assigned: WorkspaceRole, effective: WorkspaceRole][] = [
    ['admin', 'viewer', 'admin'],
    ['member', 'admin', 'admin'],
    ['viewer', 'member', 'member'],
    ...workspaceRoles.map((role): [OrganizationRole, WorkspaceRole, WorkspaceRole] => ['guest', role, role]),
  ]
  for (const [role, assigned, effective] of joins) {
    const person = role === 'admin' ? agency.admin : await world.join(agency, role)
    await world.assign(agency, own, person, assigned)
    const standing = { agency: role, other: null, own: effective, inherited: role === 'guest' ? null : role }
    people.push({ name: `${role}, assigned ${assigned}`, person, standing })
  }
  people.push({ name: 'outsider', person: other.admin, standing: { agency: null, other: 'admin', own: null, inherited: null } })

  const keyed = async (
    name: string,
    options: TestKeyOptions,
    standing: Omit<CallerStanding, 'class'>,
    of = agency,
  ): Promise<AccessCaller> => {
    const key = await world.key(of, options)
    return { name, class: `${options.level}Key`, ...standing, key, headers: key.headers }
  }
  const nothing = { agency: null, other: null, own: null, inherited: null }
  const all: AccessCaller[] = [{ name: 'anonymous', class: 'anonymous', ...nothing, headers: world.headersOf({}) }]
  for (const { name, person, standing } of people) {
    const cookie = world.headersOf({ cookie: `adjoin_session=${person.token}`, origin: world.config.publicUrl })
    all.push({ name: `cookie of ${name}`, class: 'session', ...standing, person, headers: cookie })
    all.push({ name: `bearer of ${name}`, class: 'session', ...standing, person, headers: person.headers })
    const key = await keyed(`user key of ${name}`, { level: 'user', creator: person }, standing, standing.agency ? agency : other)
    all.push({ ...key, person })
  }
  for (const role of workspaceRoles) {
    all.push(
      await keyed(`organization key, ${role}`, { level: 'organization', role }, { agency: role, other: null, own: role, inherited: role }),
    )
    const standing = { agency: 'guest' as const, other: null, own: role, inherited: null }
    all.push(await keyed(`workspace key, ${role}`, { level: 'workspace', role, workspace: own }, standing))
  }
  const foreign = { agency: null, other: 'admin' as const, own: null, inherited: null }
  all.push(await keyed('organization key of the other', { level: 'organization', role: 'admin' }, foreign, other))
  const gone = await world.person()
  const everywhere = { agency: 'admin' as const, other: null, own: 'admin' as const, inherited: 'admin' as const }
  all.push(
    await keyed(
      'organization key, admin, whose creator has left',
      { level: 'organization', role: 'admin', creator: gone },
      { ...everywhere, orphaned: true },
    ),
  )
  const demoted = await world.join(agency, 'viewer')
  all.push(
    await keyed(
      'admin’s workspace key of a viewer',
      { level: 'workspace', role: 'admin', workspace: own, creator: demoted },
      {
        ...{ agency: 'guest', other: null, own: 'viewer', inherited: null, weakened: true },
      },
    ),
  )

  const colleague = await world.join(agency, 'member')
  const revoked = async (of: TestOrganization, options: TestKeyOptions): Promise<string> => {
    const { id } = await world.key(of, options)
    await world.query(sql`update api_keys set revoked_at = now() where organization_id = ${of.id} and id = ${id}`)
    return id
  }
  const userKeys = new Map<string, string>()
  for (const { person, standing } of people)
    userKeys.set(person.id, await revoked(standing.agency ? agency : other, { level: 'user', creator: person }))
  // Revoked keys: whoever may touch them is told so, and nothing changes.
  const keys: Record<Exclude<KeyTarget, 'my user key' | 'itself'>, string> = {
    'a colleague’s user key': await revoked(agency, { level: 'user', creator: colleague }),
    'organization key': await revoked(agency, { level: 'organization', role: 'viewer' }),
    'own workspace key': await revoked(agency, { level: 'workspace', role: 'viewer', workspace: own }),
    'inherited workspace key': await revoked(agency, { level: 'workspace', role: 'viewer', workspace: inherited }),
  }
  const sites = {
    own: await createSite(world, agency, own),
    inherited: await createSite(world, agency, inherited),
    foreign: await createSite(world, other, elsewhere),
  }
  const foreignKey = await revoked(other, { level: 'organization', role: 'viewer' })

  return {
    all,
    sites,
    /** The key that a request is about; for `itself` one like the caller's, since it is replaced. */
    keyFor: async (
      who: AccessCaller,
      target: KeyTarget,
      at: 'agency' | 'other',
    ): Promise<{ id: string; headers?: Record<string, string> }> => {
      if (at === 'other') return { id: foreignKey }
      if (target === 'my user key') return { id: userKeys.get(who.person?.id ?? agency.admin.id) ?? randomUUID() }
      if (target !== 'itself') return { id: keys[target] }
      const role = who.weakened ? 'admin' : who.own!
      const creator = who.weakened ? demoted : (who.person ?? agency.admin)
      if (who.class === 'userKey') return world.key(agency, { level: 'user', creator })
      if (who.class === 'organizationKey')
        return world.key(agency, { level: 'organization', role, creator: who.orphaned ? gone : agency.admin })
      return world.key(agency, { level: 'workspace', role, workspace: own, creator })
    },
  }
}

async function createSite(world: World, organization: TestOrganization, workspace: TestWorkspace): Promise<Site> {
  const spare = await world.join(organization, 'viewer')
  await world.assign(organization, workspace, spare, 'viewer')
  const invitation = async (workspaceId: string | null) => {
    const id = randomUUID()
    const [role, workspaceRole] = workspaceId ? [null, 'viewer'] : ['viewer', null]
    await world.query(sql`insert into invitations (organization_id, id, workspace_id, email, role, workspace_role, status, token_hash, inviter_id, expires_at)
      values (${organization.id}, ${id}, ${workspaceId}, 'closed@elsewhere.example', ${role}, ${workspaceRole}, 'declined', sha256(${id}::bytea), ${organization.admin.id}, now())`)
    return id
  }
  const at = { organization, workspace }
  // An active integration keeps its workspace from being deleted.
  await createIntegration(world, at, 'active')
  return {
    ...at,
    params: {
      orgSlug: organization.slug,
      workspaceSlug: workspace.slug,
      userId: spare.id,
      organizationInvitation: await invitation(null),
      workspaceInvitation: await invitation(workspace.id),
      integration: await createIntegration(world, at, 'disabled'),
      ...(await createWebhook(world, at)),
      requestId: await createRequest(at),
    },
  }
}

export async function createIntegration(world: World, { organization, workspace }: Omit<Site, 'params'>, status: string): Promise<string> {
  const id = randomUUID()
  await world.query(sql`insert into integrations (organization_id, id, workspace_id, provider, name, status)
    values (${organization.id}, ${id}, ${workspace.id}, 'xandr', 'Publisher', ${status})`)
  return id
}

/** A connect request that can be mailed and canceled once. */
export async function createRequest({ organization, workspace }: Omit<Site, 'params'>): Promise<string> {
  const at = { orgSlug: organization.slug, workspaceSlug: workspace.slug }
  const asked = { title: 'Accounts', clientEmail: `${randomUUID()}@client.example`, items: [{ provider: 'xandr' as const }] }
  return (await organization.admin.client.createConnectRequest(at, asked)).id
}

/** A webhook with a delivery, whose server is not there. */
export async function createWebhook(
  world: World,
  { organization }: Omit<Site, 'params'>,
): Promise<{ webhook: string; deliveryId: string }> {
  const at = {
    orgSlug: organization.slug,
    id: (await organization.admin.client.createWebhook({ orgSlug: organization.slug }, { url: NOBODY })).id,
  }
  const deliveryId = randomUUID()
  await world.query(sql`insert into webhook_deliveries (organization_id, webhook_id, id, kind, event_id, type, attempt, outcome)
    values (${organization.id}, ${at.id}, ${deliveryId}, 'test', ${randomUUID()}, 'webhook.test', 1, 'failed')`)
  return { webhook: at.id, deliveryId }
}
const NOBODY = 'http://127.0.0.1:9/hook'

/** A link that can be revoked once. */
export async function createLinkedIntegration(world: World, site: Site): Promise<string> {
  const id = await createIntegration(world, site, 'pending')
  await world.query(sql`insert into connect_links (organization_id, integration_id, token_hash, token_sealed, expires_at)
    values (${site.organization.id}, ${id}, sha256(${id}::bytea), '', now() + interval '1 day')`)
  return id
}
