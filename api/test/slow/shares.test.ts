// Derived from the quotas: no kind of creation lets one person use up what all need, or keeps the admins out.
import { openToAll, quotas, shares } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SharedQuota } from '../../src/features/organizations/quota.ts'
import { newcomer } from '../inviting.ts'
import { createWorld, refusal, sql, type TestOrganization, type TestPerson, type TestWorkspace, type World } from '../world.ts'

let world: World
let urls: string[]
beforeAll(async () => {
  world = await createWorld({ limitsFactor: 1000 })
  urls = [world.url, (await world.replica()).url, (await world.replica()).url]
})
afterAll(() => world.stop())

interface QuotaTenant {
  organization: TestOrganization
  workspace: TestWorkspace
  o: { orgSlug: string }
  w: { orgSlug: string; workspaceSlug: string }
}
interface QuotaKind {
  name: string
  quota: SharedQuota
  /** Who may do it with the least role. */
  by: 'guest' | 'workspace admin' | 'admin'
  create(place: QuotaTenant, who: { headers: Record<string, string> }, url?: string): Promise<{ id: string }>
}

const name = 'Mine'
const kinds: QuotaKind[] = [
  {
    name: 'user keys',
    quota: 'liveApiKeys',
    by: 'guest',
    create: ({ o }, { headers }, url) => world.client(headers, url).createApiKey(o, { name, level: 'user' }),
  },
  {
    name: 'workspace keys',
    quota: 'liveApiKeys',
    by: 'workspace admin',
    create: ({ o, workspace }, { headers }, url) =>
      world.client(headers, url).createApiKey(o, { name, level: 'workspace', role: 'viewer', workspaceSlug: workspace.slug }),
  },
  {
    name: 'organization keys',
    quota: 'liveApiKeys',
    by: 'admin',
    create: ({ o }, { headers }, url) => world.client(headers, url).createApiKey(o, { name, level: 'organization', role: 'viewer' }),
  },
  {
    name: 'organization invitations',
    quota: 'pendingInvitations',
    by: 'admin',
    create: ({ o }, { headers }, url) => world.client(headers, url).createOrganizationInvitation(o, { email: newcomer(), role: 'viewer' }),
  },
  {
    name: 'workspace invitations',
    quota: 'pendingInvitations',
    by: 'workspace admin',
    create: ({ w }, { headers }, url) => world.client(headers, url).createWorkspaceInvitation(w, { email: newcomer(), role: 'viewer' }),
  },
]

async function place(): Promise<QuotaTenant> {
  const organization = await world.organization()
  const workspace = await world.workspace(organization)
  const o = { orgSlug: organization.slug }
  return { organization, workspace, o, w: { ...o, workspaceSlug: workspace.slug } }
}

async function join({ organization, workspace }: QuotaTenant, by: QuotaKind['by']): Promise<TestPerson> {
  const person = await world.join(organization, by === 'admin' ? 'admin' : 'guest')
  if (by !== 'admin') await world.assign(organization, workspace, person, by === 'guest' ? 'viewer' : 'admin')
  return person
}

/** What was there before, of one person. */
const fill = ({ organization: { id } }: QuotaTenant, quota: SharedQuota, who: TestPerson, count: number) =>
  world.query(
    quota === 'liveApiKeys'
      ? sql`insert into api_keys (organization_id, level, name, key_hash, creator_id)
          select ${id}, 'user', 'bulk', sha256(convert_to(gen_random_uuid()::text, 'utf8')), ${who.id} from generate_series(1, ${count}) n`
      : sql`insert into invitations (organization_id, email, role, token_hash, inviter_id, expires_at)
          select ${id}, gen_random_uuid() || '@many.example', 'viewer', sha256(convert_to(gen_random_uuid()::text, 'utf8')), ${who.id}, now() + interval '1 hour'
          from generate_series(1, ${count}) n`,
  )

/**
 * All at once over three replicas: how many were made, and what the others were told.
 * Whoever was put off comes back, one at a time.
 */
async function volley(count: number, send: (url: string) => Promise<unknown>) {
  const outcomes = await Promise.allSettled(Array.from({ length: count }, (_, i) => send(urls[i % 3]!)))
  for (const [i, outcome] of outcomes.entries())
    if (outcome.status === 'rejected' && outcome.reason.status === 503) outcomes[i] = (await Promise.allSettled([send(urls[i % 3]!)]))[0]
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  for (const reason of refused) expect(reason).toMatchObject({ status: 409, code: 'quota_reached' })
  return { made: count - refused.length, told: [...new Set(refused.map((reason) => reason.problem.detail as string))] }
}

describe.each(kinds)('$name', ({ quota, by, create }) => {
  it('stop at the share of the person who makes them, and leave the others theirs', async () => {
    const at = await place()
    const one = await join(at, by)
    await fill(at, quota, one, shares[quota] - 3)
    const { made, told } = await volley(100, (url) => create(at, one, url))
    expect(made).toBe(3)
    expect(told).toEqual([expect.stringMatching(`^You have ${shares[quota]} .*, the maximum per person\\. (Revoke|Cancel) one`)])
    await create(at, await join(at, by))
    // The same person elsewhere has a share there.
    const elsewhere = await place()
    await world.join(elsewhere.organization, 'admin', one)
    await create(elsewhere, one)
  })
})

describe.each(kinds.filter(({ by }) => by !== 'admin'))('$name', ({ quota, by, create }) => {
  it('leave the last tenth to the admins, who take it to the last place', async () => {
    const at = await place()
    await fill(at, quota, await join(at, 'guest'), openToAll(quota) - 2)
    const one = await join(at, by)
    const { made, told } = await volley(20, (url) => create(at, one, url))
    expect(made).toBe(2)
    expect(told).toEqual([expect.stringMatching(/reserved for admins\. (Revoke|Cancel) one.*, or ask an admin\.$/)])
    const { admin } = at.organization
    const reserve = quotas[quota] - openToAll(quota)
    await fill(at, quota, await join(at, 'admin'), reserve - 2)
    const last = await volley(20, (url) => create(at, admin, url))
    expect(last.made).toBe(2)
    expect(last.told).toEqual([expect.stringContaining(`at most ${quotas[quota]}`)])
  })
})

describe('through a key', () => {
  it('an invitation counts for the creator of the key, and for an admin only where the key is one', async () => {
    const at = await place()
    const one = await join(at, 'workspace admin')
    const key = await world.key(at.organization, { level: 'workspace', role: 'admin', workspace: at.workspace, creator: one })
    const invite = (by: { headers: Record<string, string> }) => kinds[4]!.create(at, by)
    await fill(at, 'pendingInvitations', one, shares.pendingInvitations - 1)
    await invite(key)
    expect((await refusal(invite(key))).problem.detail).toBe(
      `${one.email} has 50 pending invitations, the maximum per person. Cancel one, or ask a colleague to send the invitation.`,
    )
    expect((await refusal(invite(one))).code).toBe('quota_reached')
    await fill(at, 'pendingInvitations', await join(at, 'guest'), openToAll('pendingInvitations') - shares.pendingInvitations)
    const ofAdmin = await world.key(at.organization, { level: 'workspace', role: 'admin', workspace: at.workspace })
    expect((await refusal(invite(ofAdmin))).problem.detail).toContain('reserved for admins')
    await invite(await world.key(at.organization, { level: 'organization', role: 'admin' }))
    await invite(await world.key(at.organization, { level: 'user' }))
  })
})

describe('resending', () => {
  const resend = ({ w }: QuotaTenant, who: TestPerson, id: string) => who.client.resendWorkspaceInvitation({ ...w, id })

  it('a pending invitation adds nothing, however full it is; an expired one needs a place in its inviter’s share', async () => {
    const at = await place()
    const [one, other] = [await join(at, 'workspace admin'), await join(at, 'workspace admin')]
    const pending = await kinds[4]!.create(at, one)
    const expired = await kinds[4]!.create(at, one)
    await world.query(sql`update invitations set expires_at = now() - interval '1 minute' where id = ${expired.id}`)
    await fill(at, 'pendingInvitations', one, shares.pendingInvitations - 1)
    await resend(at, one, pending.id)
    expect((await refusal(resend(at, one, expired.id))).code).toBe('quota_reached')
    expect((await refusal(resend(at, other, expired.id))).problem.detail).toContain(one.email)
    // What the refusal advises.
    await resend(at, one, pending.id)
    await one.client.cancelWorkspaceInvitation({ ...at.w, id: pending.id })
    await resend(at, other, expired.id)

    await fill(at, 'pendingInvitations', at.organization.admin, quotas.pendingInvitations - shares.pendingInvitations)
    await resend(at, one, expired.id)
  })
})

describe('rotating', () => {
  const rotate = ({ o }: QuotaTenant, who: TestPerson, id: string, graceHours = 0) => who.client.rotateApiKey({ ...o, id }, { graceHours })
  const workspaceKey = (at: QuotaTenant, creator: TestPerson, expiresAt?: Date) =>
    world.key(at.organization, { level: 'workspace', role: 'viewer', workspace: at.workspace, creator, ...(expiresAt && { expiresAt }) })

  it('is never stopped by the share of its owner: with grace a whole share may retire beside it', async () => {
    const at = await place()
    const one = await join(at, 'guest')
    await fill(at, 'liveApiKeys', one, shares.liveApiKeys)
    const { apiKeys } = await one.client.listApiKeys(at.o)
    let newest = ''
    for (const { id } of apiKeys) newest = (await rotate(at, one, id, 168)).id
    const { detail } = (await refusal(rotate(at, one, newest, 1))).problem
    expect(detail).toBe(
      `${one.email} has 20 keys in their grace window, the maximum per person. Rotate without grace, or wait until one expires.`,
    )
    expect((await rotate(at, one, newest)).status).toBe('active')
    expect((await refusal(kinds[0]!.create(at, one))).code).toBe('quota_reached')
  })

  it('works where only the admins’ places are left, as long as it adds none', async () => {
    const at = await place()
    const one = await join(at, 'guest')
    const { id } = await kinds[0]!.create(at, one)
    await fill(at, 'liveApiKeys', at.organization.admin, quotas.liveApiKeys - 2)
    expect((await refusal(rotate(at, one, id, 1))).problem.detail).toContain('reserved for admins. Rotate without grace')
    const expired = await workspaceKey(at, at.organization.admin, new Date(0))
    const other = await join(at, 'workspace admin')
    expect((await refusal(rotate(at, other, expired.id))).problem.detail).toContain('reserved for admins')
    expect((await rotate(at, one, id)).status).toBe('active')
    // An admin takes the last place with a grace window, and then rotates on without one.
    const [own] = (await at.organization.admin.client.listApiKeys(at.o)).apiKeys.filter(({ name }) => name === 'bulk')
    const { id: next } = await rotate(at, at.organization.admin, own!.id, 1)
    expect((await refusal(rotate(at, at.organization.admin, next, 1))).problem.detail).toContain('at most 200')
    await rotate(at, at.organization.admin, next)
  })

  it('takes over a colleague’s key within the new owner’s share; an admin always may', async () => {
    const at = await place()
    const one = await join(at, 'workspace admin')
    await fill(at, 'liveApiKeys', one, shares.liveApiKeys)
    const { id } = await workspaceKey(at, await join(at, 'workspace admin'))
    expect((await refusal(rotate(at, one, id))).problem.detail).toContain('You have 20 live API keys, the maximum per person.')
    const { admin } = at.organization
    await fill(at, 'liveApiKeys', admin, shares.liveApiKeys)
    expect((await rotate(at, admin, id, 1)).creatorEmail).toBe(admin.email)
    expect((await refusal(kinds[0]!.create(at, admin))).code).toBe('quota_reached')
  })
})

describe('other collections that many fill', () => {
  it('integrations: the last tenth of a workspace is its admins’', async () => {
    const at = await place()
    const member = await world.join(at.organization, 'member')
    await world.query(sql`insert into integrations (organization_id, workspace_id, provider, name)
      select ${at.organization.id}, ${at.workspace.id}, 'xandr', 'Many' from generate_series(1, ${openToAll('integrations') - 1})`)
    const create = (who: TestPerson) => who.client.createIntegration(at.w, { provider: 'xandr', name: 'More' })
    await create(member)
    expect((await refusal(create(member))).problem.detail).toContain('reserved for admins')
    await create(at.organization.admin)
  })

  it('members: the last tenth is for those whom an admin invites to the organization', async () => {
    const at = await place()
    const { organization } = at
    await world.query(sql`with crowd as (insert into users (email, name) select 'c' || n || '@reserve.example', 'c' || n
        from generate_series(1, ${openToAll('members') - 1}) n returning id)
      insert into members (organization_id, user_id, role) select ${organization.id}, id, 'viewer' from crowd`)
    const invitee = await world.person()
    const guest = await organization.admin.client.createWorkspaceInvitation(at.w, { email: invitee.email, role: 'viewer' })
    expect((await refusal(invitee.client.acceptInvitation({ id: guest.id }))).problem.detail).toContain('Ask an admin to invite you')
    const colleague = `colleague@${organization.domain}`
    await world.client().sendSignInLink({ email: colleague })
    const token = /#token=([\w-]{43})/.exec((await world.mails(colleague))[0]!.text)![1]!
    await world.client().verifySignIn({ token })
    expect(await world.query(sql`select from members m join users u on u.id = m.user_id where u.email = ${colleague}`)).toHaveLength(0)
    const { id } = await organization.admin.client.createOrganizationInvitation(at.o, { email: invitee.email, role: 'viewer' })
    expect(await invitee.client.acceptInvitation({ id })).toMatchObject({ status: 'accepted' })
  })
})
