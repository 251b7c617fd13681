// One organization for one try: an attacker with a power,
// the admin who takes it away, and the things that the power reaches.
import { randomUUID } from 'node:crypto'
import type { Client, CredentialClass } from '@adjoin/contract'
import type { CastOrganization, CastPerson } from '../cast.ts'
import { type AttackContext, clientOf } from './attack-context.ts'

/**
 * Where the attacker's power comes from:
 * being an admin of the organization, or an assignment as admin of one workspace.
 */
export type PowerSource = 'admin' | 'assigned'

export interface AttackScene {
  readonly context: AttackContext
  readonly class: CredentialClass
  readonly standing: PowerSource
  readonly organization: CastOrganization
  /** The admin who stays. Acts at another replica than the attacker. */
  readonly keeper: Client
  /** The person who attacks, or whose key does. */
  readonly attacker: CastPerson
  readonly headers: Readonly<Record<string, string>>
  /** The attacker's own session or key. */
  readonly credentialId: string
  readonly o: { readonly orgSlug: string }
  readonly w: { readonly orgSlug: string; readonly workspaceSlug: string }
}

export const LEVELS = { userKey: 'user', organizationKey: 'organization', workspaceKey: 'workspace' } as const

export async function createScene(context: AttackContext, of: CredentialClass, standing: PowerSource, turn: number): Promise<AttackScene> {
  const { cast, urls } = context
  const organization = await cast.organization()
  const workspace = await cast.workspace(organization)
  const attacker = await cast.join(organization, standing === 'admin' ? 'admin' : 'guest', await cast.person())
  if (standing === 'assigned') await cast.assign(organization, workspace, attacker, 'admin')
  const credential =
    of === 'session'
      ? await cast.session(attacker)
      : await cast.key(organization, { level: LEVELS[of], creator: attacker, workspace: of === 'workspaceKey' ? workspace : undefined })
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
  await context.cast.one(
    `insert into integrations (organization_id, id, workspace_id, provider, name)
     select organization_id, $3, id, 'xandr', 'Seat' from workspaces where organization_id = $1 and slug = $2`,
    [organization.id, w.workspaceSlug, id],
  )
  return id
}

/** Somebody else in the organization, assigned to the workspace. */
export async function newColleague({ context: { cast }, organization, w }: AttackScene): Promise<CastPerson> {
  const colleague = await cast.join(organization, 'member')
  await cast.assign(organization, { slug: w.workspaceSlug }, colleague, 'member')
  return colleague
}
