// Removal closes every way back: another spelling of the mailbox,
// invitations of and by the person, keys left behind.
import type { Client } from '@adjoin/contract'
import type { Finding } from '../finding.ts'
import type { ProofPerson } from '../furnish.ts'
import { type Attack, type AttackContext, clientOf, outcomeOf, send, unique } from './attack-context.ts'

interface Removal {
  readonly context: AttackContext
  readonly organization: { readonly id: string; readonly slug: string }
  readonly admin: Client
  readonly o: { readonly orgSlug: string }
  readonly workspace: string
  readonly person: ProofPerson
  readonly me: Client
  remove(organizationKeys?: 'revoke'): Promise<string>
}

/** What the person is before: an admin, or, where they are yet to be invited to more, a viewer. */
type Way = (removal: Removal) => Promise<{ found: string; good: boolean }>
const invited: Record<string, Way> = {
  'an invitation to the organization that was pending': async (removal) => {
    const { id } = await removal.admin.createOrganizationInvitation(removal.o, { email: removal.person.email, role: 'admin' })
    await removal.remove()
    return accept(removal, removal.person, id)
  },
  'an invitation to a workspace that was pending': async (removal) => {
    const at = { ...removal.o, workspaceSlug: removal.workspace }
    const { id } = await removal.admin.createWorkspaceInvitation(at, { email: removal.person.email, role: 'admin' })
    await removal.remove()
    return accept(removal, removal.person, id)
  },
}

const ways: Record<string, Way> = {
  ...Object.fromEntries(
    ['+1', '+again', '+a.b', '+1+2'].map((tag) => [`the same mailbox as intern${tag}@…`, (removal: Removal) => byTag(removal, tag)]),
  ),
  'an invitation that the removed admin had sent': async (removal) => {
    const friend = await removal.context.furnish.person()
    const { id } = await removal.me.createOrganizationInvitation(removal.o, { email: friend.email, role: 'admin' })
    await removal.remove()
    return accept(removal, friend, id)
  },
  'an organization key of the removed admin that invites': async (removal) => {
    const key = await removal.context.furnish.key(await organizationOf(removal), { creator: removal.person })
    await removal.remove()
    return invitesNobody(removal, key.headers)
  },
  'such a key, rotated by itself': async (removal) => {
    const key = await removal.context.furnish.key(await organizationOf(removal), { creator: removal.person })
    await removal.remove()
    const rotated = await clientOf(removal.context.urls[1]!, key).rotateApiKey({ ...removal.o, id: key.id }, {})
    return invitesNobody(removal, { 'x-api-key': rotated.key })
  },
  'such a key, where the removal says that keys are revoked': async (removal) => {
    const key = await removal.context.furnish.key(await organizationOf(removal), { creator: removal.person })
    const removed = await removal.remove('revoke')
    const answer = outcomeOf(await send(`${removal.context.urls[1]}/v1/api-keys/self`, { headers: key.headers }))
    return { found: `the removal answered ${removed}, the key ${answer}`, good: removed === '204' && answer.startsWith('401') }
  },
}

export const waysBack: Attack = async function* (context) {
  for (const [name, way] of Object.entries({ ...ways, ...invited })) {
    const removal = await prepare(context, name in invited ? 'viewer' : 'admin')
    const { found, good } = await way(removal).catch((error: Error) => ({ found: error.message, good: false }))
    yield { tried: `after a removal, ${name}`, found, good } satisfies Finding
  }
}

async function prepare(context: AttackContext, role: 'admin' | 'viewer'): Promise<Removal> {
  const { furnish, urls } = context
  const organization = await furnish.organization()
  const { slug: workspace } = await furnish.workspace(organization)
  const person = await furnish.join(organization, role, await furnish.person('Intern', `intern@${organization.slug}.example`))
  const o = { orgSlug: organization.slug }
  const path = `${urls[2]}/v1/organizations/${organization.slug}/members/${person.id}`
  const remove = async (organizationKeys?: 'revoke') => {
    const query = organizationKeys ? `?organizationKeys=${organizationKeys}` : ''
    const answer = await send(`${path}${query}`, { method: 'DELETE', headers: organization.admin.headers })
    if (answer.status !== 204 && !organizationKeys) throw new Error(`the removal answered ${outcomeOf(answer)}`)
    return outcomeOf(answer)
  }
  return {
    context,
    organization,
    admin: clientOf(urls[0]!, organization.admin),
    o,
    workspace,
    person,
    me: clientOf(urls[1]!, person),
    remove,
  }
}

const organizationOf = async ({ organization, person }: Removal) => ({ ...organization, admin: person })

/** Signs in as somebody who may read the same mailbox. */
async function byTag(removal: Removal, tag: string) {
  const { context, organization } = removal
  await removal.remove()
  const email = `intern${tag}@${organization.slug}.example`
  await send(`${context.urls[0]}/v1/auth/magic-link`, { method: 'POST', body: { email } })
  const letter = await context.smtp.letterTo(email)
  const token = /#token=([\w-]{43})/.exec(letter.text)?.[1]
  if (!token) return { found: 'the mail holds no link', good: true }
  const answer = await send(`${context.urls[1]}/v1/auth/magic-link/verify`, { method: 'POST', body: { token } })
  const inside = await isInside(removal, email)
  return { found: inside ? 'is a member again' : `stays outside (${outcomeOf(answer)})`, good: !inside }
}

async function accept(removal: Removal, who: ProofPerson, id: string) {
  const path = `${removal.context.urls[1]}/v1/me/invitations/${id}/accept`
  const answer = await send(path, { method: 'POST', headers: who.headers })
  const inside = await isInside(removal, who.email)
  return { found: `${outcomeOf(answer)}, ${inside ? 'and inside again' : 'and outside'}`, good: !inside && answer.status >= 400 }
}

async function invitesNobody({ context, o }: Removal, headers: Readonly<Record<string, string>>) {
  const body = { email: `mole@${unique()}.example`, role: 'admin' }
  const answer = await send(`${context.urls[2]}/v1/organizations/${o.orgSlug}/invitations`, { method: 'POST', headers, body })
  return { found: outcomeOf(answer), good: outcomeOf(answer) === '403 creator_gone' }
}

async function isInside({ context, organization }: Removal, email: string): Promise<boolean> {
  const { inside } = await context.furnish.one<{ inside: boolean }>(
    'select exists (select from members m join users u on u.id = m.user_id where m.organization_id = $1 and u.email = $2) as inside',
    [organization.id, email],
  )
  return inside
}
