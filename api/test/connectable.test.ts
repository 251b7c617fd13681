// What no client could connect is asked of none: neither an integration nor a link is made for it.
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { createWorld, refusal, sql, type TestOrganization, type World } from './world.ts'

let world: World
let agency: TestOrganization
let at: { orgSlug: string; workspaceSlug: string }
beforeAll(async () => {
  world = await createWorld()
  agency = await world.organization()
  at = { orgSlug: agency.slug, workspaceSlug: (await world.workspace(agency)).slug }
})
afterEach(() => void vi.restoreAllMocks())
afterAll(() => world.stop())

const create = () => agency.admin.client.createIntegration(at, { provider: 'google_ads', name: 'Search' })

/** Every way to ask a client for an integration that exists. */
async function expectNoLink(id: string, { code, detail }: { code: string; detail: unknown }) {
  const refused = { status: 409, code, message: detail }
  const { client } = agency.admin
  expect(await refusal(client.issueConnectLink({ ...at, id }, {}))).toMatchObject(refused)
  const asked = client.createConnectRequest(at, { title: 'Again', items: [{ integrationId: id }] })
  expect(await refusal(asked)).toMatchObject(refused)
  for (const dryRun of [true, false]) {
    const bulk = await client.bulkIntegrations({ orgSlug: agency.slug }, { action: 'issueConnectLink', ids: [id], dryRun })
    expect(bulk.results).toEqual([{ id, outcome: 'refused', code, detail }])
  }
  expect((await client.getIntegration({ ...at, id })).connectLink).toBeNull()
  expect((await client.listConnectRequests(at)).connectRequests).toEqual([])
}

it('an integration whose provider has left the catalogue gets no new link, and the refusal says why', async () => {
  const { id } = await create()
  await agency.admin.client.revokeConnectLink({ ...at, id })
  await world.query(sql`update integrations set provider = 'bygone_ads' where id = ${id}`)
  await expectNoLink(id, { code: 'provider_unavailable', detail: expect.stringContaining('no longer supported here') })
})

it('a system that the operator has not set up gets neither an integration nor a link, and the refusal says what to do', async () => {
  const { client } = agency.admin
  const { id } = await create()
  await client.revokeConnectLink({ ...at, id })
  const before = (await client.listIntegrations(at)).integrations.length
  vi.spyOn(world.app.parts.vendorSessions, 'available').mockReturnValue(false)
  const refused = { code: 'provider_unavailable', detail: expect.stringContaining('Ask the operator') }
  expect(await refusal(create())).toMatchObject({ status: 409, code: refused.code, message: refused.detail })
  const fresh = client.createConnectRequest(at, { title: 'New', items: [{ provider: 'google_ads' }] })
  expect(await refusal(fresh)).toMatchObject({ status: 409, code: refused.code })
  await expectNoLink(id, refused)
  expect((await client.listIntegrations(at)).integrations).toHaveLength(before)
})

it('a value that is at fault is named before that', async () => {
  vi.spyOn(world.app.parts.vendorSessions, 'available').mockReturnValue(false)
  const settings = { nothing: 'of ours' }
  const { client } = agency.admin
  for (const wrong of [
    () => client.createIntegration(at, { provider: 'google_ads', name: 'Search', settings }),
    () => client.createConnectRequest(at, { title: 'New', items: [{ provider: 'google_ads', settings }] }),
  ])
    expect(await refusal(wrong())).toMatchObject({ status: 400 })
})
