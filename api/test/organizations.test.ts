import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, refusal, sql, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.stop())

describe('listing organizations', () => {
  it('gives a person all of theirs with their role in each, oldest first', async () => {
    const [first, second, foreign] = [await world.organization('First'), await world.organization('Second'), await world.organization()]
    const person = await world.join(first, 'viewer')
    await world.join(second, 'guest', person)
    const { organizations } = await person.client.listOrganizations()
    expect(organizations.map(({ slug, role, domain }) => ({ slug, role, domain }))).toEqual([
      { slug: first.slug, role: 'viewer', domain: first.domain },
      { slug: second.slug, role: 'guest', domain: second.domain },
    ])
    expect(JSON.stringify(organizations)).not.toContain(foreign.slug)
  })

  it('gives a key its own one: with the key’s role, or its creator’s for a user key', async () => {
    const [home, other] = [await world.organization(), await world.organization()]
    const creator = await world.join(home, 'member')
    await world.join(other, 'admin', creator)
    const userKey = await world.key(home, { level: 'user', creator })
    const organizationKey = await world.key(home, { level: 'organization', role: 'viewer', creator })
    for (const [key, role] of [
      [userKey, 'member'],
      [organizationKey, 'viewer'],
    ] as const) {
      const { organizations } = await key.client.listOrganizations()
      expect(organizations).toMatchObject([{ slug: home.slug, role }])
      expect(organizations).toHaveLength(1)
    }
    const workspaceKey = await world.key(home, { level: 'workspace', role: 'admin', workspace: await world.workspace(home) })
    expect(await refusal(workspaceKey.client.listOrganizations())).toMatchObject({ status: 401, code: 'credential_refused' })
  })

  it('is empty for a person who belongs to none', async () => {
    expect(await (await world.person()).client.listOrganizations()).toEqual({ organizations: [] })
  })
})

describe('one organization', () => {
  it('is read by every member, guests included, and leaves the domain out where there is none', async () => {
    const organization = await world.organization()
    await world.query(sql`update organizations set domain = null where id = ${organization.id}`)
    const guest = await world.join(organization, 'guest')
    const read = await guest.client.getOrganization({ orgSlug: organization.slug })
    expect(read).toEqual({
      id: organization.id,
      slug: organization.slug,
      name: 'Agency',
      role: 'guest',
      autoJoin: true,
      frozen: null,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    })
  })

  it('is renamed by an admin, and the trail tells from what to what', async () => {
    const organization = await world.organization()
    const orgSlug = organization.slug
    const renamed = await organization.admin.client.updateOrganization({ orgSlug }, { name: '  Nördlich & Söhne ' })
    expect(renamed).toMatchObject({ slug: orgSlug, name: 'Nördlich & Söhne', role: 'admin', domain: organization.domain })
    expect(await organization.admin.client.getOrganization({ orgSlug })).toEqual(renamed)
    const { auditLogs } = await organization.admin.client.listAuditLogs({ orgSlug })
    expect(auditLogs).toHaveLength(1)
    expect(auditLogs[0]).toMatchObject({
      action: 'organization.updated',
      target: { type: 'organization', id: organization.id, name: 'Nördlich & Söhne' },
      changes: [{ field: 'name', from: 'Agency', to: 'Nördlich & Söhne' }],
    })
  })

  it('keeps its slug and domain: no body can change them', async () => {
    const organization = await world.organization()
    for (const field of ['slug', 'domain', 'id', 'role']) {
      const body = { name: 'New', [field]: 'other' }
      const refused = await refusal(organization.admin.client.updateOrganization({ orgSlug: organization.slug }, body))
      expect([refused.status, refused.code]).toEqual([400, 'validation_failed'])
    }
  })

  it('is renamed by nobody below admin and by no key', async () => {
    const organization = await world.organization()
    const rename = (client: typeof organization.admin.client) =>
      refusal(client.updateOrganization({ orgSlug: organization.slug }, { name: 'New' }))
    for (const role of ['guest', 'viewer', 'member'] as const)
      expect(await rename((await world.join(organization, role)).client)).toMatchObject({ status: 403, code: 'role_too_low' })
    const keys = [await world.key(organization, { level: 'user' }), await world.key(organization, { level: 'organization', role: 'admin' })]
    for (const { client } of keys) expect(await rename(client)).toMatchObject({ status: 401, code: 'credential_refused' })
    const [row] = await world.query(sql`select name from organizations where id = ${organization.id}`)
    expect(row!.name).toBe('Agency')
  })
})
