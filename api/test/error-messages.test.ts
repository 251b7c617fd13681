import http from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, refusal, request, type TestOrganization, type TestWorkspace, type World } from './world.ts'

let world: World
let agency: TestOrganization
let place: TestWorkspace
let at: { orgSlug: string; workspaceSlug: string }
beforeAll(async () => {
  world = await createWorld()
  agency = await world.organization()
  place = await world.workspace(agency)
  at = { orgSlug: agency.slug, workspaceSlug: place.slug }
})
afterAll(() => world.stop())

const post = (path: string, body: unknown, headers = agency.admin.headers) =>
  request(`${world.url}/v1/organizations/${agency.slug}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { ...headers, 'content-type': 'application/json' },
  })
const messages = async (path: string, body: unknown) => {
  const { errors } = (await post(path, body)).json<{ errors: { path: string; message: string }[] }>()
  return Object.fromEntries(errors.map(({ path: field, message }) => [field, message]))
}

describe('a fault of a request', () => {
  it('tells what is missing from what is wrong', async () => {
    expect(await messages('/workspaces', { name: 5 })).toEqual({ name: 'must be text', slug: 'is required' })
    expect(await messages('/invitations', { email: 'a@b.example' })).toEqual({ role: 'is required' })
    expect(await messages('/invitations', { email: 'a@b.example', role: 'king' })).toEqual({ role: 'must be one of viewer, member, admin' })
    expect(await messages('/api-keys', { name: 'k', level: 'user', expiresInDays: '7' })).toEqual({ expiresInDays: 'must be a number' })
    expect(await messages('/api-keys', { name: 'k', level: 'user', expiresInDays: 900 })).toEqual({ expiresInDays: 'must be at most 365' })
    expect(await messages('/workspaces', [1])).toEqual({ '': 'must be an object' })
  })
})

describe('a refused credential', () => {
  it('is told what would work instead', async () => {
    const key = await world.key(agency, { level: 'workspace', role: 'admin', workspace: place })
    expect((await refusal(key.client.getMe())).problem.detail).toBe(
      'Workspace-level keys are not accepted here. Sign in and use your session.',
    )
    expect((await refusal(world.client().getMe())).problem.detail).toBe('No credential was sent. Sign in and use your session.')
    expect((await refusal(key.client.getOrganization({ orgSlug: agency.slug }))).problem.detail).toContain(
      'an API key (level user or organization)',
    )
    expect((await refusal(agency.admin.client.getCurrentApiKey())).problem.detail).toMatch(
      /^Sessions are not accepted here\. Send an API key/,
    )
    expect((await refusal(world.client({ 'x-api-key': `${key.key}x` }).listOrganizations())).problem.detail).toContain('checksum')
  })
})

describe('a limit', () => {
  it('is used up only by those who may do what it limits', async () => {
    const viewer = await world.join(agency, 'viewer')
    const { id } = await agency.admin.client.createIntegration(at, { provider: 'xandr', name: 'Publisher' })
    await agency.admin.client.submitIntegrationCredentials({ ...at, id }, { username: 'api-user', password: 'Correct-Horse-1' })
    for (let i = 0; i < 12; i++) expect((await refusal(viewer.client.verifyIntegration({ ...at, id }))).status).toBe(403)
    expect((await agency.admin.client.verifyIntegration({ ...at, id })).status).toBe('active')
  })

  it('says where it stands on refusals too', async () => {
    const { id } = await agency.admin.client.createIntegration(at, { provider: 'google_ads', name: 'Search' })
    const refused = await post(`/workspaces/${place.slug}/integrations/${id}/credentials`, { username: 'x' })
    expect([refused.status, refused.headers.get('ratelimit')]).toEqual([400, expect.stringContaining('r=9')])
  })
})

describe('the development mailbox', () => {
  const asked = (host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const { hostname, port } = new URL(world.url)
      http
        .get({ hostname, port, path: '/dev/mailbox.json', headers: { host } }, (answer) => resolve(answer.resume().statusCode))
        .on('error', reject)
    })

  it('is read under our own names only, so that no page elsewhere can point a name of its own at it', async () => {
    expect(
      await Promise.all(['localhost:3000', '127.0.0.1', '[::1]:3000', 'rebound.example', 'localhost.evil.example'].map(asked)),
    ).toEqual([200, 200, 200, 404, 404])
  })
})
