// One organization for one try: an attacker with a power,
// the admin who takes it away, and the things that the power reaches.
import { randomUUID } from 'node:crypto'
import type { Client, CredentialClass, ProviderId } from '@adjoin/contract'
import { stories } from '../../api/test/provider-stories.ts'
import { consent } from '../../furnishing/front-door.ts'
import type { ProofOrganization, ProofPerson } from '../furnish.ts'
import { type AttackContext, clientOf, PUBLIC_URL, unique } from './attack-context.ts'

/**
 * Where the attacker's power comes from:
 * being an admin of the organization, or an assignment as admin of one workspace.
 */
export type PowerSource = 'admin' | 'assigned'

export interface AttackScene {
  readonly context: AttackContext
  readonly class: CredentialClass
  readonly standing: PowerSource
  readonly organization: ProofOrganization
  /** The admin who stays. Acts at another replica than the attacker. */
  readonly keeper: Client
  /** The person who attacks, or whose key does. */
  readonly attacker: ProofPerson
  readonly headers: Readonly<Record<string, string>>
  /** The attacker's own session or key. */
  readonly credentialId: string
  readonly o: { readonly orgSlug: string }
  readonly w: { readonly orgSlug: string; readonly workspaceSlug: string }
}

export const LEVELS = { userKey: 'user', organizationKey: 'organization', workspaceKey: 'workspace' } as const

export async function createScene(context: AttackContext, of: CredentialClass, standing: PowerSource, turn: number): Promise<AttackScene> {
  const { furnish, urls } = context
  const organization = await furnish.organization()
  const workspace = await furnish.workspace(organization)
  const attacker = await furnish.join(organization, standing === 'admin' ? 'admin' : 'guest', await furnish.person())
  if (standing === 'assigned') await furnish.assign(organization, workspace, attacker, 'admin')
  const credential =
    of === 'session'
      ? await furnish.session(attacker)
      : await furnish.key(organization, { level: LEVELS[of], creator: attacker, workspace: of === 'workspaceKey' ? workspace : undefined })
  const o = { orgSlug: organization.slug }
  return {
    context,
    class: of,
    standing,
    organization,
    keeper: clientOf(urls[(turn + 1) % urls.length]!, organization.admin),
    attacker,
    headers: { ...credential.headers },
    credentialId: credential.id,
    o,
    w: { ...o, workspaceSlug: workspace.slug },
  }
}

/** An integration without a client's access. */
export async function newIntegration({ context, organization, w }: AttackScene): Promise<string> {
  const id = randomUUID()
  await context.furnish.one(
    `insert into integrations (organization_id, id, workspace_id, provider, name)
     select organization_id, $3, id, 'xandr', 'Seat' from workspaces where organization_id = $1 and slug = $2`,
    [organization.id, w.workspaceSlug, id],
  )
  return id
}

/** Somebody else in the organization, assigned to the workspace. */
export async function newColleague({ context: { furnish }, organization, w }: AttackScene): Promise<ProofPerson> {
  const colleague = await furnish.join(organization, 'member')
  await furnish.assign(organization, { slug: w.workspaceSlug }, colleague, 'member')
  return colleague
}

export interface CallPlace {
  readonly orgSlug: string
  readonly workspaceSlug: string
  readonly id: string
}

/** An integration as its client has connected it, open to changes. */
export async function connect({ context: { urls }, keeper, w }: AttackScene, provider: ProviderId): Promise<CallPlace> {
  const { settings, fields } = stories[provider]
  const made = await keeper.createIntegration(w, { provider, name: 'Seat', settings, callPolicy: { mode: 'full' } })
  const at = { ...w, id: made.id }
  if (made.authMethod === 'credentials') await keeper.submitIntegrationCredentials(at, fields(unique()))
  else await fetch((await consent(urls[0]!, made.connectUrl, 'allow')).replace(PUBLIC_URL, urls[0]!), { redirect: 'manual' })
  const { status, statusDetail } = await keeper.getIntegration(at)
  if (status !== 'active') throw new Error(`${provider} did not connect: ${statusDetail}`)
  return at
}

export const proxyOf = ({ orgSlug, workspaceSlug, id }: CallPlace): string =>
  `/v1/organizations/${orgSlug}/workspaces/${workspaceSlug}/integrations/${id}/proxy`
