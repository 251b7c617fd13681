// The whole story over HTTP, with nothing taken for granted:
// every mail goes through a real SMTP server, every provider is a real one.
import { createHash } from 'node:crypto'
import { type Client, createClient } from '@adjoin/contract'
import { linesOf, verifyAuditTrail } from '@adjoin/contract/audit-chain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBrowser } from './browser.ts'
import { type OpenIdProvider, startOpenIdProvider } from './openid-provider.ts'
import { type SmtpPeer, startSmtpPeer } from './smtp-peer.ts'
import { createWorld, newAddress, refusal, sql, type World } from './world.ts'

const PUBLIC = 'http://localhost:3000'

let post: SmtpPeer
let google: OpenIdProvider
let microsoft: OpenIdProvider
let world: World
beforeAll(async () => {
  post = await startSmtpPeer()
  google = await startOpenIdProvider(`${PUBLIC}/v1/auth/google/callback`)
  microsoft = await startOpenIdProvider(`${PUBLIC}/v1/auth/microsoft/callback`)
  world = await createWorld({
    smtpUrl: post.url,
    mailFrom: 'Adjoin <post@adjoin.example>',
    identity: { google: google.client, microsoft: microsoft.client },
  })
})
afterAll(async () => {
  await world.stop()
  await Promise.all([post.close(), google.close(), microsoft.close()])
})

type StorySignIn = 'magic-link' | 'google' | 'microsoft'
const client = (headers: Record<string, string> = {}) =>
  createClient({ url: world.url, headers: { 'x-forwarded-for': newAddress(), ...headers } })

/** The ways in: each ends in a session of the person whose address it proved. */
const waysIn: Record<StorySignIn, (email: string, name: string, asked?: boolean) => Promise<Client>> = {
  // Whoever signs up by mail has been sent a link already.
  'magic-link': async (email, _, asked = false) => {
    const before = post.letters.filter(({ to }) => to.includes(email)).length
    if (!asked) await client().sendSignInLink({ email })
    const letter = await post.letterTo(email, asked ? 1 : before + 1)
    const token = /http:\/\/localhost:3000\/signin\/link#token=([\w-]{43})/.exec(letter.text)![1]!
    const session = await client().verifySignIn({ token })
    return client({ authorization: `Bearer ${session.token}` })
  },
  google: (email, name) => {
    google.next = { sub: email, email, email_verified: true, name }
    return byProvider('google')
  },
  microsoft: (email, name) => {
    microsoft.next = { sub: email, tid: '11111111-2222-4333-8444-555555555555', oid: crypto.randomUUID(), email, name, xms_edov: true }
    return byProvider('microsoft')
  },
}

async function byProvider(provider: 'google' | 'microsoft'): Promise<Client> {
  const browser = createBrowser(PUBLIC, world.url)
  const landing = await browser.visit(`/v1/auth/${provider}`)
  expect(landing.pathname).not.toBe('/error')
  return client({ cookie: `adjoin_session=${browser.cookies().get('adjoin_session')}`, origin: PUBLIC })
}

describe.each([
  { founder: 'magic-link', outsider: 'magic-link' },
  { founder: 'google', outsider: 'microsoft' },
  { founder: 'microsoft', outsider: 'google' },
] as const)('the story, with $founder for the founder and $outsider for the outsider', ({ founder, outsider }) => {
  it('goes from sign-up to leaving, and all of it is in the audit trail', async () => {
    const orgSlug = `story-${founder}`
    const [ada, grace] = [`ada@${orgSlug}.example`, `grace@freelance-${outsider}.example`]

    // Sign-up: nothing exists until the address is proved.
    await client().signUp({ email: ada, name: 'Ada', organizationName: 'Agency', organizationSlug: orgSlug, provider: founder })
    expect(await world.query(sql`select from organizations where slug = ${orgSlug}`)).toHaveLength(0)
    const admin = await waysIn[founder](ada, 'Ada', true)
    expect((await admin.listOrganizations()).organizations).toMatchObject([{ slug: orgSlug, role: 'admin', domain: `${orgSlug}.example` }])
    expect(post.letters.filter(({ to }) => to.includes(ada))).toHaveLength(founder === 'magic-link' ? 1 : 0)

    // Two workspaces; the outsider is invited to one of them.
    const [client1, client2] = [
      await admin.createWorkspace({ orgSlug }, { name: 'Client One', slug: 'client-one' }),
      await admin.createWorkspace({ orgSlug }, { name: 'Client Two', slug: 'client-two' }),
    ]
    const at = { orgSlug, workspaceSlug: client1.slug }
    const invitation = await admin.createWorkspaceInvitation(at, { email: grace, role: 'member' })
    expect(invitation).toMatchObject({ status: 'pending', role: 'guest', workspace: { slug: 'client-one', role: 'member' } })
    const letter = await post.letterTo(grace)
    expect(letter).toMatchObject({ from: 'post@adjoin.example', to: [grace], subject: 'Ada invited you to Client One (Agency) on Adjoin' })
    const token = /http:\/\/localhost:3000\/invitation#token=([\w-]{43})/.exec(letter.text)![1]!

    // The link shows what is offered; accepting needs the address.
    const offered = await client().getInvitation({ token })
    expect(offered).toMatchObject({ id: invitation.id, email: `g•••@freelance-${outsider}.example`, inviterName: 'Ada' })
    expect(await refusal(admin.acceptInvitation({ id: offered.id }))).toMatchObject({ status: 404 })
    const guest = await waysIn[outsider](grace, 'Grace')
    expect((await guest.listMyInvitations()).invitations.map(({ id }) => id)).toEqual([invitation.id])
    expect((await guest.acceptInvitation({ id: invitation.id })).status).toBe('accepted')

    // A guest sees that workspace and nothing else.
    expect((await guest.getOrganization({ orgSlug })).role).toBe('guest')
    expect((await guest.listWorkspaces({ orgSlug })).workspaces).toMatchObject([{ slug: 'client-one', role: 'member', access: 'assigned' }])
    expect(await refusal(guest.getWorkspace({ orgSlug, workspaceSlug: client2.slug }))).toMatchObject({ status: 404 })
    expect(await refusal(guest.listOrganizationMembers({ orgSlug }))).toMatchObject({ status: 403 })
    expect((await guest.listWorkspaceMembers(at)).members.map(({ email }) => email)).toEqual([grace])
    const { key } = await guest.createApiKey({ orgSlug }, { name: 'Reports', level: 'user' })
    const byKey = client({ 'x-api-key': key })
    expect((await byKey.getWorkspace(at)).role).toBe('member')

    // Leaving ends the access of the session and of the key at once.
    const { id: userId } = await guest.getMe()
    expect(await refusal(byKey.removeWorkspaceMember({ ...at, userId }))).toMatchObject({ status: 403 })
    await guest.removeWorkspaceMember({ ...at, userId })
    expect(await refusal(guest.getWorkspace(at))).toMatchObject({ status: 404 })
    expect(await refusal(guest.getOrganization({ orgSlug }))).toMatchObject({ status: 404 })
    expect(await refusal(byKey.getWorkspace(at))).toMatchObject({ status: 401 })
    expect((await guest.listOrganizations()).organizations).toEqual([])
    expect((await admin.listOrganizationMembers({ orgSlug })).members.map(({ email }) => email)).toEqual([ada])

    // The trail tells all of it, once, in order, and its chain is whole.
    const { auditLogs } = await admin.listAuditLogs({ orgSlug })
    expect(auditLogs.map(({ action, actor }) => `${actor.name}: ${action}`).reverse()).toEqual([
      'Ada: organization.created',
      'Ada: user.signed_in',
      'Ada: workspace.created',
      'Ada: workspace.created',
      'Ada: invitation.created',
      `${outsider === 'magic-link' ? 'grace' : 'Grace'}: invitation.accepted`,
      `${outsider === 'magic-link' ? 'grace' : 'Grace'}: api_key.created`,
      `${outsider === 'magic-link' ? 'grace' : 'Grace'}: workspace_member.removed`,
    ])
    expect(auditLogs[0]!.metadata).toMatchObject({ left: true, membershipEnded: true })
    const exported = await admin.exportAuditLogs({ orgSlug })
    expect(await verifyAuditTrail(linesOf(exported.body!))).toMatchObject({ outcome: 'intact', first: 1, entries: 9 })
    await expectChain(orgSlug)
  })
})

/**
 * The chain once more, by the formula of the schema alone:
 * SHA-256 over the previous hash and "sequence time content".
 */
async function expectChain(orgSlug: string): Promise<void> {
  const rows = await world.query<{ sequence: number; at: string; content: string; previous_hash: Buffer; hash: Buffer }>(sql`
    select e.sequence, to_char(e.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, e.content, e.previous_hash, e.hash
    from audit_entries e join organizations o on o.id = e.organization_id where o.slug = ${orgSlug} order by e.sequence`)
  let previous = Buffer.alloc(32)
  for (const [i, row] of rows.entries()) {
    expect(row.sequence).toBe(i + 1)
    expect(row.previous_hash.equals(previous)).toBe(true)
    previous = createHash('sha256').update(previous).update(`${row.sequence} ${row.at} ${row.content}`).digest()
    expect(row.hash.equals(previous)).toBe(true)
  }
  expect(rows).toHaveLength(9) // the export is in the trail as well
}
