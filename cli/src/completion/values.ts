// Slugs and ids that the service knows, for somebody who presses Tab.
import type { Client } from '@adjoin/contract'
import type { Context } from '../context.ts'
import { profilesOf } from '../saved.ts'
import { withoutControls } from '../terminal.ts'
import type { Kind } from './tree.ts'

interface Candidate {
  readonly value: string
  readonly text: string
}

type Place = { orgSlug: string; workspaceSlug: string }
type Lister = (client: Client, place: Place, env: NodeJS.ProcessEnv) => Promise<Candidate[]>

const named = (list: readonly { id: string; name: string; [more: string]: unknown }[], more = 'status') =>
  list.map((one) => ({ value: one.id, text: [one.name, one[more]].filter(Boolean).join(', ') }))
const invited = (list: readonly { id: string; email: string; role: string }[]) =>
  list.map(({ id, email, role }) => ({ value: id, text: `${email}, ${role}` }))

const LISTERS: Record<Exclude<Kind, 'files'>, Lister> = {
  profiles: async (_client, _place, env) => profilesOf(env).map(({ name, url }) => ({ value: name, text: url ?? '' })),
  organizations: async (client) => (await client.listOrganizations()).organizations.map(({ slug, name }) => ({ value: slug, text: name })),
  workspaces: async (client, { orgSlug }) =>
    (await client.listWorkspaces({ orgSlug })).workspaces.map(({ slug, name }) => ({ value: slug, text: name })),
  places: async (client) => {
    const { organizations } = await client.listOrganizations()
    const all = await Promise.all(
      organizations.map(async ({ slug, name }) => {
        const { workspaces } = await client.listWorkspaces({ orgSlug: slug })
        return [{ value: slug, text: name }, ...workspaces.map((one) => ({ value: `${slug}/${one.slug}`, text: one.name }))]
      }),
    )
    return all.flat()
  },
  integrations: async (client, place) => named((await client.listIntegrations(place)).integrations),
  keys: async (client, { orgSlug }) => named((await client.listApiKeys({ orgSlug })).apiKeys),
  members: async (client, { orgSlug }) =>
    (await client.listOrganizationMembers({ orgSlug })).members.map(({ userId, email, name }) => ({
      value: userId,
      text: [name, email].filter(Boolean).join(', '),
    })),
  sessions: async (client) =>
    (await client.listMySessions()).sessions.map(({ id, method, ip }) => ({ value: id, text: [method, ip].filter(Boolean).join(', ') })),
  invitations: async (client, { orgSlug }) => invited((await client.listOrganizationInvitations({ orgSlug })).invitations),
  'workspace-invitations': async (client, place) => invited((await client.listWorkspaceInvitations(place)).invitations),
  'my-invitations': async (client) => (await client.listMyInvitations()).invitations.map(({ id, role }) => ({ value: id, text: role })),
  webhooks: async (client, { orgSlug }) =>
    (await client.listWebhooks({ orgSlug })).webhooks.map(({ id, url, status }) => ({ value: id, text: `${url}, ${status}` })),
  requests: async (client, place) =>
    (await client.listConnectRequests(place)).connectRequests.map(({ id, title, status }) => ({ value: id, text: `${title}, ${status}` })),
}

/** What a shell puts on the command line is run with the next Enter: nothing in it may mean something to the shell. */
const HARMLESS = /^[A-Za-z0-9][\w./-]*$/

/** Those that begin with what was typed; if there are none, those whose name contains it. */
export async function candidates(
  kind: Exclude<Kind, 'files'>,
  typed: string,
  context: Context,
  env: NodeJS.ProcessEnv,
): Promise<Candidate[]> {
  const place = {
    get orgSlug() {
      return context.org()
    },
    get workspaceSlug() {
      return context.workspace()
    },
  }
  const all = (await LISTERS[kind](context.client, place, env))
    .filter(({ value }) => HARMLESS.test(value))
    .map(({ value, text }) => ({ value, text: withoutControls(text) }))
  const begun = all.filter(({ value }) => value.startsWith(typed))
  const wanted = typed.toLowerCase()
  return begun.length ? begun : all.filter(({ text }) => text.toLowerCase().includes(wanted))
}
