import { createClient } from '@adjoin/contract/client'
import { codeOf, linkOf, type Service } from './service.ts'

export type Furnished = { token: string; organization: string; workspace: string; invitation: string; device: string }

/** The same session in a browser. */
export const cookieOf = ({ url }: Service, token: string) => ({ name: 'adjoin_session', value: token, url })

/** A person who has signed in by mail, with a client of their own. */
export async function signIn(
  service: Service,
  email: string,
  ask = () => createClient({ url: service.url }).sendSignInLink({ email }) as Promise<unknown>,
) {
  const before = new Date()
  await ask()
  const code = codeOf(await service.mailTo(email, before))
  const { token } = await createClient({ url: service.url }).verifySignIn({ email, code })
  return { token: token!, client: createClient({ url: service.url, headers: { authorization: `Bearer ${token}` } }) }
}

type Asked = { email: string; name: string; organizationName: string; organizationSlug: string }

export const signUp = (service: Service, asked: Asked) =>
  signIn(service, asked.email, () => createClient({ url: service.url }).signUp({ ...asked, provider: 'magic-link' }))

/** An agency at work: enough of everything that no page is empty. */
export async function furnish(service: Service): Promise<Furnished> {
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
  await signIn(service, 'edsger@engines.example')
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
  const { verificationUriComplete } = await createClient({ url: service.url }).startDeviceLogin({ clientName: 'Adjoin CLI on build-7' })
  const place = (address: string) => address.slice(service.url.length)
  return {
    token,
    organization: `/organizations/${orgSlug}`,
    workspace: `/organizations/${orgSlug}/workspaces/globex`,
    invitation: place(linkOf(await service.mailTo('barbara@liskov.example'))),
    device: place(verificationUriComplete),
  }
}
