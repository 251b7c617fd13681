/** `client.integration(…)` against the service and a twin: what an SDK of the ad system does with it. */
import { createClient, ProblemError, refusalOf } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectIntegration } from './connected-integration.ts'
import { createWorld, type TestOrganization, type TestWorkspace, type World } from './world.ts'

let world: World
let organization: TestOrganization
let workspace: TestWorkspace
let id: string
beforeAll(async () => {
  world = await createWorld()
  organization = await world.organization()
  workspace = await world.workspace(organization)
  id = await connectIntegration({ world, organization, workspace }, 'google_ads')
})
afterAll(() => world.stop())

const HOST = 'googleads.googleapis.com'
const SEARCH = 'v25/customers/1234567890/googleAds:search'
const search: RequestInit = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ query: 'SELECT campaign.name FROM campaign' }),
}
const calls = () => organization.admin.client.integration({ org: organization.slug, workspace: workspace.slug, id })
const contentOf = async (answer: Response) => (await answer.json()) as { results?: object[]; code?: string; error?: { status: string } }
const summaryOf = async (answer: Response) => [
  answer.status,
  answer.headers.get('adjoin-answer'),
  (await contentOf(answer)).results?.length,
]

describe('fetch', () => {
  it.each<[string, (base: string) => Parameters<typeof fetch>]>([
    ['a path', () => [SEARCH, search]],
    ['a path with a slash', () => [`/${SEARCH}`, search]],
    ['an address of the ad system', () => [`https://${HOST}/${SEARCH}`, search]],
    ['a URL', () => [new URL(`https://${HOST}/${SEARCH}`), search]],
    ['a Request', () => [new Request(`https://${HOST}/${SEARCH}`, search)]],
    ['a Request of which something is said otherwise', () => [new Request(`https://${HOST}/${SEARCH}`), search]],
    ['an address below the base URL', (base) => [`${base}/${SEARCH}`, search]],
    ['a Request below the base URL', (base) => [new Request(`${base}/${SEARCH}`, search)]],
  ])('takes %s', async (_, args) => {
    const { fetch, baseUrl } = calls()
    expect(await summaryOf(await fetch(...args(baseUrl)))).toEqual([200, 'google_ads', 2])
  })

  it('sends the client’s credential in place of the one that an SDK believes to need', async () => {
    const headers = { ...search.headers, authorization: 'Bearer of-the-sdk', 'x-api-key': 'of-the-sdk', 'developer-token': 'of-the-sdk' }
    const answer = await calls().fetch(SEARCH, { ...search, headers })
    expect([answer.headers.get('adjoin-dropped-headers'), ...(await summaryOf(answer))]).toEqual(['developer-token', 200, 'google_ads', 2])
  })

  it('hands back what the ad system refuses, and what Adjoin refuses; the latter can be read as a problem', async () => {
    const theirs = await calls().fetch('v25/customers/5550001111/googleAds:search', search)
    expect([theirs.status, await refusalOf(theirs)]).toEqual([403, undefined])
    expect((await contentOf(theirs)).error?.status).toBe('PERMISSION_DENIED')

    const ours = await calls().fetch('v25/customers/1234567890/campaigns:mutate', { ...search, body: '{"operations":[]}' })
    expect([ours.status, ours.headers.get('adjoin-answer')]).toEqual([403, 'adjoin'])
    const refusal = await refusalOf(ours)
    expect(refusal).toBeInstanceOf(ProblemError)
    expect([refusal!.code, (await contentOf(ours)).code]).toEqual(['change_refused', 'change_refused'])
    expect((await refusalOf(await calls().fetch('https://evil.example/x')))?.code).toBe('path_refused')
  })

  it('ends with the caller’s signal, also where a Request brings it', async () => {
    const stop = AbortSignal.abort(new Error('enough'))
    await expect(calls().fetch(SEARCH, { signal: stop })).rejects.toThrow('enough')
    await expect(calls().fetch(new Request(`https://${HOST}/${SEARCH}`, { signal: stop }))).rejects.toThrow()
  })

  it.each([
    '../../..',
    'v25/../../../call-policy',
    '/..%2f%2e%2e/%2e%2e/x/../../..',
    'http://evil.example/x',
    'ftp://evil.example/x',
    '',
    '?a=b',
  ])('never leads to another operation of Adjoin’s, or to nowhere: %j', async (path) => {
    const sent: string[] = []
    const fetch = async (url: unknown) => {
      sent.push(String(url))
      return new Response('{}')
    }
    const client = createClient({ url: 'https://adjoin.example', fetch })
    const place = { orgSlug: 'agency', workspaceSlug: 'client', id: 'i', path }
    await expect(client.integration({ org: 'agency', workspace: 'client', id: 'i' }).fetch(path)).rejects.toThrow('Not an address')
    await expect(client.proxyGet(place)).rejects.toThrow('Not an address')
    expect(sent).toEqual([])
  })
})

describe('the base URL', () => {
  it('is all that an SDK with a `fetch` of its own needs, besides a key', async () => {
    const { baseUrl } = calls()
    expect(baseUrl).toBe(`${world.url}/v1/organizations/${organization.slug}/workspaces/${workspace.slug}/integrations/${id}/proxy`)
    const answer = await fetch(`${baseUrl}/${SEARCH}`, { ...search, headers: { ...search.headers, ...organization.admin.headers } })
    expect(await summaryOf(answer)).toEqual([200, 'google_ads', 2])
  })
})
