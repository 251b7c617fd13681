// Deleting a workspace: access ends at the ad systems as when an integration is deleted, after the request.
import { randomUUID } from 'node:crypto'
import { type ProviderId, wouldEnd } from '@adjoin/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { keyCounts } from '../src/features/infra/sealed-columns.ts'
import { sweep } from '../src/features/infra/sweep.ts'
import { grantHash, openForRevocation, sealCredential, storeRenewed } from '../src/features/integrations/credential.ts'
import { revokeQueued } from '../src/features/integrations/revoke-queued.ts'
import { providers } from '../src/providers/index.ts'
import { type Credential, credentialOf } from '../src/providers/provider.ts'
import { stories } from './provider-stories.ts'
import { createWorld, onTestFinished, sql, type TestOrganization, trail, type World } from './world.ts'

/** A process that makes changes and does no jobs: what is queued stays, until a test takes it. */
let world: World
beforeAll(async () => {
  world = await createWorld({ limitsFactor: 1000, roles: { api: true, jobs: false } })
})
afterAll(() => world.stop())
beforeEach(async () => {
  await world.query(sql`delete from revocations`)
  world.arrivals.length = 0
})

interface Place {
  agency: TestOrganization
  workspaceId: string
  w: { orgSlug: string; workspaceSlug: string }
}

const place = async (agency?: TestOrganization): Promise<Place> => {
  const owner = agency ?? (await world.organization())
  const workspace = await world.workspace(owner)
  return { agency: owner, workspaceId: workspace.id, w: { orgSlug: owner.slug, workspaceSlug: workspace.slug } }
}

interface Connected {
  id: string
  credential: Credential
}

/** Connected as by a client: `grant` is the person's access, which several integrations may share. */
async function connect(
  { agency, workspaceId }: Place,
  provider: ProviderId,
  grant: string | null = randomUUID(),
  play: 'allow' | 'outage' = 'allow',
) {
  const of = providers.find(({ id }) => id === provider)!
  const mint = (kind: 'access' | 'refresh') =>
    world.twins.mint(provider, kind, { ...(grant && { grant }), play, scopes: [...(of.authMethod === 'oauth' ? of.scopes : [])] })
  const credential = credentialOf(stories[provider].fields('plausible'), {
    accessToken: mint('access'),
    refreshToken: mint('refresh'),
    accessExpiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    obtainedAt: new Date().toISOString(),
  })
  const owner = { organization_id: agency.id, workspace_id: workspaceId, id: randomUUID() }
  await world.query(sql`insert into integrations (organization_id, id, workspace_id, provider, name, status, connected_at, connected_account,
      credential, credential_version, grant_hash)
    values (${agency.id}, ${owner.id}, ${workspaceId}, ${provider}, ${of.name}, 'active', now(), 'Account', ${sealCredential(world.app.parts, owner, credential)},
      1, ${grant === null ? null : world.app.parts.secrets.lookup('grant', grant)})`)
  return { id: owner.id, credential }
}

const remove = ({ agency, w }: Place) => agency.admin.client.deleteWorkspace({ ...w, force: 'true' })
const queued = () => world.query<{ id: string; tries: number }>(sql`select id, tries from revocations order by id`)
const isGone = () => expect.poll(queued, { timeout: 60_000 }).toEqual([])
/** The calls that end an access, at any of the ad systems. */
const revocations = () => world.arrivals.filter(({ url, method }) => /revoke/.test(url) || (method === 'DELETE' && /permissions/.test(url)))
/** Takes what is queued, as one process of several, until the test ends. */
const work = () => {
  const loop = revokeQueued(world.app.parts)
  onTestFinished(() => loop.stop())
  return loop
}
const lives = ({ credential }: Connected, provider: ProviderId) => {
  const { accessToken, refreshToken } = credential
  const spare = (token: string | null) => token !== null && alive(provider, token)
  return spare(accessToken) || spare(refreshToken)
}
/** A twin knows of a token what the ad system would. */
const alive = (provider: ProviderId, token: string) => world.twins.isLive(provider, token)

const connectable = providers.map(({ id, revoke }) => [id, Boolean(revoke)] as const)

describe('deleting a workspace', () => {
  it('ends access at every ad system that can end it, destroys the rest, and says so before and afterwards', async () => {
    const here = await place()
    const made = new Map<ProviderId, Connected>()
    for (const [id] of connectable) made.set(id, await connect(here, id))
    const { admin } = here.agency
    const ends = await wouldEnd(admin.client, 'deleteWorkspace', { ...here.w, force: 'true' })
    const expected = connectable.filter(([, can]) => can).map(([id]) => made.get(id)!.id)
    expect(ends.providerAccess.map(({ id }) => id).sort()).toEqual(expected.toSorted())
    expect(await queued(), 'a preview leaves nothing').toEqual([])

    await remove(here)
    const [entry] = await trail(here.agency)
    expect(entry).toMatchObject({ action: 'workspace.deleted' })
    const { deletedIntegrations } = entry!.metadata as {
      deletedIntegrations: { id: string; provider: string; revokedAtProvider: string }[]
    }
    expect(Object.fromEntries(deletedIntegrations.map(({ provider, revokedAtProvider }) => [provider, revokedAtProvider]))).toEqual(
      Object.fromEntries(connectable.map(([id, can]) => [id, can ? 'best_effort' : 'unsupported'])),
    )
    expect((await queued()).map(({ id }) => id).sort()).toEqual(expected.toSorted())
    work()
    await isGone()
    expect(revocations()).toHaveLength(expected.length)
    for (const [id, can] of connectable) if (can) expect([id, lives(made.get(id)!, id)]).toEqual([id, false])
  })

  it('asks once for each of a thousand, whatever the number of processes', async () => {
    const here = await place()
    const grants = Array.from({ length: 1000 }, () => randomUUID())
    for (const grant of grants) await connect(here, 'google_ads', grant)
    await remove(here)
    expect(await queued()).toHaveLength(1000)
    for (let i = 0; i < 3; i++) work()
    await isGone()
    expect(revocations()).toHaveLength(1000)
  })

  it('leaves access alone that another integration uses, of whatever organization; the last one ends it', async () => {
    const [here, there] = [await place(), await place()]
    const grant = randomUUID()
    const shared = await connect(here, 'google_ads', grant)
    for (let i = 0; i < 4; i++) await connect(here, 'google_ads', grant)
    await connect(there, 'google_ads', grant)
    await remove(here)
    work()
    await isGone()
    expect([revocations().length, lives(shared, 'google_ads')]).toEqual([0, true])
    await remove(there)
    await isGone()
    expect([revocations().length, lives(shared, 'google_ads')]).toEqual([1, false])
  })

  it('leaves access alone on which integrations of another ad system live, where its vendor grants both to one app', async () => {
    const systems = ['google_ads', 'display_video_360', 'google_ad_manager', 'campaign_manager_360'] as const
    const person = { id: randomUUID(), email: 'ada@client.example', name: 'Ada' }
    const places: Place[] = []
    const made: Connected[] = []
    for (const system of systems) {
      const at = await place()
      places.push(at)
      const connected = await connect(at, system)
      const credential = { ...connected.credential, identity: person }
      const owner = { organization_id: at.agency.id, workspace_id: at.workspaceId, id: connected.id }
      await world.query(sql`update integrations set credential = ${sealCredential(world.app.parts, owner, credential)},
        grant_hash = ${grantHash(world.app.parts, { provider: system }, credential)} where id = ${connected.id}`)
      made.push({ id: connected.id, credential })
    }
    work()
    await remove(places[0]!)
    await isGone()
    await places[1]!.agency.admin.client.deleteIntegration({ ...places[1]!.w, id: made[1]!.id })
    await isGone()
    await remove(places[2]!)
    await isGone()
    expect(revocations()).toEqual([])
    await remove(places[3]!)
    await isGone()
    expect(revocations()).toHaveLength(1)
  })

  it('of several with the same access revokes one that worked', async () => {
    const here = await place()
    const grant = randomUUID()
    const all = await Promise.all(Array.from({ length: 6 }, () => connect(here, 'google_ads', grant)))
    const working = all[2]!
    const dead = { ...working.credential, refreshToken: 'dead', accessToken: 'dead' }
    for (const { id } of all.filter((one) => one !== working))
      await world.query(
        sql`update integrations set status = 'error', credential = ${sealCredential(
          world.app.parts,
          { organization_id: here.agency.id, workspace_id: here.workspaceId, id },
          dead,
        )} where id = ${id}`,
      )
    await remove(here)
    for (let i = 0; i < 3; i++) work()
    await isGone()
    expect([revocations().length, lives(working, 'google_ads')]).toEqual([1, false])
  })

  it('asks for nothing more where one that worked has ended the access of all', async () => {
    const here = await place()
    const grant = randomUUID()
    for (let i = 0; i < 6; i++) await connect(here, 'google_ads', grant)
    await remove(here)
    await world.query(sql`update revocations set working = false, due_at = now() + interval '1 hour'`)
    await world.query(sql`update revocations set working = true, due_at = now() where id = (select id from revocations limit 1)`)
    work()
    await expect.poll(revocations).toHaveLength(1)
    await expect.poll(async () => (await queued()).length).toBeLessThan(6)
    await world.query(sql`update revocations set due_at = now()`)
    await isGone()
    expect(revocations()).toHaveLength(1)
  })

  it.each([
    ['two workspaces', (places: Place[]) => Promise.all(places.map(remove))],
    [
      'a workspace and an integration',
      ([one, other]: Place[], ids: string[]) =>
        Promise.all([remove(one!), other!.agency.admin.client.deleteIntegration({ ...other!.w, id: ids[1]! })]),
    ],
    [
      'two integrations',
      (places: Place[], ids: string[]) =>
        Promise.all(places.map(({ agency, w }, i) => agency.admin.client.deleteIntegration({ ...w, id: ids[i]! }))),
    ],
  ] as const)('ends what two share that go at the same moment: %s', async (_, end) => {
    work()
    for (let round = 0; round < 5; round++) {
      const places = [await place(), await place()]
      const grant = randomUUID()
      const made = await Promise.all(places.map((one) => connect(one, 'google_ads', grant)))
      await end(
        places,
        made.map(({ id }) => id),
      )
      await isGone()
      expect(lives(made[0]!, 'google_ads')).toBe(false)
    }
  })

  it('goes on where a process died, after its lease', async () => {
    const here = await place()
    const { id } = await connect(here, 'google_ads')
    await remove(here)
    await world.query(sql`update revocations set leased_until = now() + interval '1 hour'`)
    work()
    await expect.poll(() => world.looks.some((text) => text.includes('from revocations'))).toBe(true)
    expect(await queued()).toEqual([{ id, tries: 0 }])
    await world.query(sql`update revocations set leased_until = now()`)
    await isGone()
    expect(revocations()).toHaveLength(1)
  })

  it('tries again later while the ad system is away, and destroys the credential after 48 hours in any case', async () => {
    const here = await place()
    const { id } = await connect(here, 'meta_ads', randomUUID(), 'outage')
    await remove(here)
    work()
    await expect.poll(queued).toEqual([{ id, tries: 1 }])
    const [row] = await world.query<{
      soon: boolean
      hours: number
    }>(sql`select due_at between now() and now() + interval '11 seconds' as soon,
      round(extract(epoch from ends_at - now()) / 3600)::int as hours from revocations`)
    expect(row).toEqual({ soon: true, hours: 48 })
    await world.query(sql`update revocations set tries = 30, due_at = now()`)
    await expect.poll(queued).toEqual([{ id, tries: 31 }])
    const [late] = await world.query<{ hour: boolean }>(
      sql`select due_at between now() + interval '59 minutes' and now() + interval '1 hour' as hour from revocations`,
    )
    expect(late).toEqual({ hour: true })
    const asked = revocations().length
    await world.query(sql`update revocations set due_at = now(), ends_at = now()`)
    await isGone()
    expect(revocations()).toHaveLength(asked)
  })

  it('is forgotten by the sweep, too, after 48 hours', async () => {
    const here = await place()
    await connect(here, 'google_ads')
    await remove(here)
    await sweep(world.app.parts)
    expect(await queued()).toHaveLength(1)
    await world.query(sql`update revocations set ends_at = now() - interval '1 second'`)
    await sweep(world.app.parts)
    expect(await queued()).toEqual([])
  })

  it('revokes the tokens of a renewal that was under way', async () => {
    const { parts } = world.app
    const here = await place()
    const { id, credential } = await connect(here, 'google_ads')
    await world.query(sql`update integrations set leased_until = now() + interval '1 minute' where id = ${id}`)
    await remove(here)
    const [waits] = await world.query(sql`select from revocations where due_at > now() + interval '50 seconds'`)
    expect(waits, 'it waits for the check').toBeDefined()
    const renewed = { ...credential, accessToken: 'renewed', refreshToken: 'renewed too' }
    const google = providers.find((one) => one.id === 'google_ads')!
    const owner = { organization_id: here.agency.id, workspace_id: here.workspaceId, id }
    expect(await storeRenewed(parts, parts.db.query, owner, google, renewed, 1)).toBe(false)
    const [row] = await world.query<{ organization_id: string; id: string; credential: string }>(sql`select * from revocations`)
    expect(openForRevocation(parts, row!)).toEqual(renewed)
  })

  it('works while the organization is frozen, and keeps nothing where nothing was connected', async () => {
    const here = await place()
    const made = await connect(here, 'google_ads')
    await here.agency.admin.client.createIntegration(here.w, { provider: 'google_ads', name: 'Pending' })
    await here.agency.admin.client.freezeOrganization({ orgSlug: here.w.orgSlug }, { reason: 'Something is wrong' })
    await remove(here)
    expect(await queued()).toHaveLength(1)
    work()
    await isGone()
    expect(lives(made, 'google_ads')).toBe(false)
  })

  it('seals each credential for its own row, with the key that a start must find', async () => {
    const here = await place()
    const { credential } = await connect(here, 'google_ads')
    const [before] = await world.query<{ credential: string }>(sql`select credential from integrations order by created_at desc limit 1`)
    await remove(here)
    const [row] = await world.query<{ organization_id: string; id: string; credential: string }>(sql`select * from revocations`)
    expect(row!.credential).not.toBe(before!.credential)
    expect(openForRevocation(world.app.parts, row!)).toEqual(credential)
    expect(() => openForRevocation(world.app.parts, { ...row!, id: randomUUID() })).toThrow()
    expect(await keyCounts(world.app.parts.db)).toContainEqual({ column: 'revocations.credential', key: 'test1', count: 1 })
  })

  it('is undone as a whole where the change does not happen', async () => {
    const here = await place()
    await connect(here, 'google_ads')
    await expect(here.agency.admin.client.deleteWorkspace(here.w)).rejects.toMatchObject({ code: 'workspace_in_use' })
    expect(await queued()).toEqual([])
  })
})
