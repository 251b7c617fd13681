// Ways around a revocation that need two steps: a key or an approval that was made before it.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { digest } from '../src/vault/tokens.ts'
import { createWorld, refusal, sql, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.stop())

it('an organization key does not make its demoted creator admin again', async () => {
  const organization = await world.organization()
  const orgSlug = organization.slug
  const creator = await world.join(organization, 'admin')
  const key = await world.key(organization, { level: 'organization', role: 'admin', creator })
  const invite = () => key.client.createOrganizationInvitation({ orgSlug }, { email: creator.email, role: 'admin' })
  await organization.admin.client.updateOrganizationMember({ orgSlug, userId: creator.id }, { role: 'viewer' })
  expect(await refusal(invite())).toMatchObject({ status: 403, code: 'creator_gone' })
  expect((await key.client.listOrganizationMembers({ orgSlug })).members).toHaveLength(2)
})

it('only admins revoke the organization’s keys when they leave', async () => {
  const organization = await world.organization()
  const leaver = await world.join(organization, 'member')
  const at = { orgSlug: organization.slug, userId: leaver.id }
  expect(await refusal(leaver.client.removeOrganizationMember({ ...at, organizationKeys: 'revoke' }))).toMatchObject({ status: 403 })
  await leaver.client.removeOrganizationMember(at)
})

it('a device that was approved with a session gets none of its own once that session is revoked from another one', async () => {
  const stolen = await world.person()
  const owner = await world.signIn(stolen.id, stolen.email, stolen.name)
  const { deviceCode, userCode } = await world.client().startDeviceLogin({})
  await stolen.client.approveDeviceLogin({ userCode })
  const [session] = await world.query<{ id: string }>(sql`select id from sessions where token_hash = ${digest(stolen.token)}`)
  await owner.client.revokeMySession({ id: session!.id })
  expect((await refusal(world.client().pollDeviceLogin({ deviceCode }))).code).toBe('device_denied')
})

it('the limits of an answered invitation do not tell how many others wrote to the same mailbox', async () => {
  const email = `wanted-${crypto.randomUUID().slice(0, 8)}@elsewhere.example`
  const headers: string[] = []
  for (let i = 0; i < 2; i++) {
    const { slug, admin } = await world.organization()
    const answer = await fetch(`${world.url}/v1/organizations/${slug}/invitations`, {
      method: 'POST',
      headers: { ...admin.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ email, role: 'viewer' }),
    })
    expect(answer.status).toBe(201)
    headers.push(answer.headers.get('ratelimit')!.replace(/t=\d+/, ''))
  }
  expect(headers[0]).toBe(headers[1])
})
