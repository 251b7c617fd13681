import { createClient } from '@adjoin/contract/client'
import { codeOf, type Service } from './service.ts'

export type Furnished = { token: string; organization: string; workspace: string }

/** A person signed in through the API, with the session as a bearer token. */
export async function signInByMail(service: Service, email: string) {
  const before = new Date()
  const client = createClient({ url: service.url })
  await client.sendSignInLink({ email })
  return verify(service, email, before)
}

async function verify(service: Service, email: string, after: Date) {
  const code = codeOf(await service.mailTo(email, after))
  const { token } = await createClient({ url: service.url }).verifySignIn({ email, code })
  return { token: token!, client: createClient({ url: service.url, headers: { authorization: `Bearer ${token}` } }) }
}

/** An agency at work: enough of everything that no page is empty. */
export async function furnish(service: Service): Promise<Furnished> {
  const email = 'ada@engines.example'
  const orgSlug = 'analytical-engines'
  const before = new Date()
  await createClient({ url: service.url }).signUp({
    email,
    name: 'Ada Lovelace',
    organizationName: 'Analytical Engines',
    organizationSlug: orgSlug,
    provider: 'magic-link',
  })
  const { token, client } = await verify(service, email, before)
  for (const [slug, name] of [
    ['globex', 'Globex'],
    ['initech-emea', 'Initech Europe, Middle East and Africa'],
    ['hooli', 'Hooli'],
  ] as const)
    await client.createWorkspace({ orgSlug }, { slug, name })
  const colleague = await signInByMail(service, 'grace.hopper@engines.example')
  await colleague.client.updateMe({ name: 'Grace Hopper' })
  await signInByMail(service, 'edsger@engines.example')
  await client.createOrganizationInvitation({ orgSlug }, { email: 'barbara@liskov.example', role: 'viewer' })
  await client.createWorkspaceInvitation(
    { orgSlug, workspaceSlug: 'globex' },
    { email: 'client.with.a.long.address@globex.example', role: 'viewer' },
  )
  const { members } = await client.listOrganizationMembers({ orgSlug })
  const grace = members.find(({ email }) => email.startsWith('grace'))!
  await client.setWorkspaceMember({ orgSlug, workspaceSlug: 'globex', userId: grace.userId }, { role: 'admin' })
  await client.createApiKey({ orgSlug }, { name: 'Reporting, production', level: 'organization', role: 'viewer', expiresInDays: 90 })
  await client.createApiKey({ orgSlug }, { name: 'My laptop', level: 'user' })
  const { id } = await client.createApiKey(
    { orgSlug },
    { name: 'Globex dashboard', level: 'workspace', role: 'member', workspaceSlug: 'globex' },
  )
  await client.disableApiKey({ orgSlug, id })
  return { token, organization: `/organizations/${orgSlug}`, workspace: `/organizations/${orgSlug}/workspaces/globex` }
}
