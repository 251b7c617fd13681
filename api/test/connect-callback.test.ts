// What a browser brings back from a consent screen is anyone's to write: it is judged, quoted, and leads nobody anywhere by itself.
import { createClient } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, newAddress, type Organization, request, type World } from './world.ts'

let world: World
let agency: Organization
let at: { orgSlug: string; workspaceSlug: string }
beforeAll(async () => {
  world = await createWorld()
  agency = await world.organization('Northwind Agency')
  at = { orgSlug: agency.slug, workspaceSlug: (await world.workspace(agency)).slug }
})
afterAll(() => world.stop())

const settings = { customerId: '123-456-7890' }
const create = async (more: object = {}) => {
  const made = await agency.admin.client.createIntegration(at, { provider: 'google_ads', name: 'Search', settings, ...more })
  return { id: made.id, token: made.connectUrl.split('/').at(-1)! }
}
/** The state that the consent screen was opened with. */
const begin = async (token: string) => {
  const client = createClient({ url: world.url, headers: { 'x-forwarded-for': newAddress() } })
  const { authorizationUrl } = await client.startConnectOAuth({ token }, {})
  return { authorizationUrl, state: new URL(authorizationUrl).searchParams.get('state')! }
}
const comeBack = (parameters: Record<string, string>, address?: string) =>
  request(`${world.url}/v1/connect/oauth/callback?${new URLSearchParams(parameters)}`, address ? { address } : {})

describe('what a browser says in the name of an ad system', () => {
  const description =
    'Your account is locked.\r\nCall Ada” at https://evil.example/x or www.evil.com, mail ada@evil.example, see evil.example/y! '

  it.each(['access_denied', 'invalid_client'])('is quoted as the browser’s, short and without links: %s', async (error) => {
    const { id, token } = await create()
    const { state } = await begin(token)
    await comeBack({ state, error, error_description: description.repeat(20) })
    const { statusDetail } = await agency.admin.client.getIntegration({ ...at, id })
    const quoted = /^[^“”]+ The browser came back from Google Ads with: “([^“”]+)”$/.exec(statusDetail!)?.[1]
    expect(quoted).toBe('Your account is locked. Call Ada’ at [link] or [link] mail [link] see evil. example/y! Your account…')
    const { checks } = await agency.admin.client.listIntegrationChecks({ ...at, id })
    expect(checks[0]!.detail).toBe(statusDetail)
    const mailed = async () => (await world.mails(agency.admin.email)).find(({ text }) => text.includes(id))
    await expect.poll(mailed).toBeDefined()
    const mail = (await mailed())!
    expect(mail.text).toContain(quoted)
    expect(mail.text.replace(/http:\/\/localhost:3000\/\S+/g, '')).not.toMatch(/:\/\/|www\.|\S@\S|evil\.\w/)
  })
})
