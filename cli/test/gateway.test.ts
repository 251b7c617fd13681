/** Calls of ad systems on the command line: pages, exit codes, what was called and how much. */
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { connectIntegration } from '../../api/test/connected-integration.ts'
import { createWorld, type TestOrganization, type TestWorkspace, type World } from '../../api/test/world.ts'
import { readable } from '../src/output.ts'
import { createProgram } from '../src/program.ts'
import { statusTable } from '../src/status-table.ts'
import { width } from '../src/width.ts'

let world: World
let organization: TestOrganization
let workspace: TestWorkspace
let googleAds: string
beforeAll(async () => {
  world = await createWorld({ providerSettings: { ADJOIN_XANDR_DAILY_CALLS: '40' } })
  organization = await world.organization('Northwind')
  workspace = await world.workspace(organization)
  googleAds = await connectIntegration({ world, organization, workspace }, 'google_ads', 'full')
})
afterAll(() => world.stop())

const SEARCH = 'v25/customers/1234567890/googleAds:search'
const QUERY = JSON.stringify({ query: 'SELECT campaign.name FROM campaign' })

/** What is piped, byte for byte, and the exit code. */
const adjoin = (...args: string[]) => adjoinAs({ ADJOIN_TOKEN: organization.admin.token }, ...args)

async function adjoinAs(credential: Record<string, string>, ...args: string[]) {
  const env = { HOME: '/nowhere', ADJOIN_URL: world.url, ...credential }
  const place = { ADJOIN_ORG: organization.slug, ADJOIN_WORKSPACE: workspace.slug }
  let out = ''
  let err = ''
  const callback = (rest: unknown[]) => (rest.find((each) => typeof each === 'function') as (() => void) | undefined)?.()
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text, ...rest) => {
      out += String(text)
      callback(rest)
      return true
    }),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      err += String(text)
      return true
    }),
  ]
  try {
    const code = await createProgram({ ...env, ...place }).run(args)
    return { code, out, err }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

describe('adjoin api', () => {
  it('ends with a code of its own when the ad system refuses, and with the usual ones when Adjoin does', async () => {
    const theirs = await adjoin('api', googleAds, 'v25/customers/5550001111/googleAds:search', '-d', QUERY)
    expect([theirs.code, theirs.err]).toEqual([8, 'The ad system answered with 403.\n'])
    expect(JSON.parse(theirs.out).error.status).toBe('PERMISSION_DENIED')
    const ours = await adjoin('api', googleAds, 'v25/oauth/token')
    expect([ours.code, ours.out]).toEqual([3, ''])
    expect((await adjoin('api', googleAds, '../../..')).err).toContain('Not an address of an ad system')
  })

  it('prints page after page as they come, to the last', async () => {
    const metaAds = await connectIntegration({ world, organization, workspace }, 'meta_ads')
    const { code, out, err } = await adjoin('api', metaAds, 'v25.0/act_1234567890/campaigns?fields=id', '--paginate')
    expect([code, err]).toEqual([0, ''])
    const pages = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { data: object[] })
    // The twin has one page, and points to it for ever: the second time it is known.
    expect(pages.map(({ data }) => data.length)).toEqual([1, 1])
  })

  it('asks for the next page as the ad system wants to be asked, in the body', async () => {
    const query = JSON.stringify({ query: 'SELECT customer_client.id FROM customer_client' })
    const args = ['v25/customers/9876543210/googleAds:search', '-H', 'login-customer-id: 9876543210', '-d', query]
    const { code, out } = await adjoin('api', googleAds, ...args, '--paginate', '--slurp')
    expect(code, out).toBe(0)
    const pages = JSON.parse(out) as { results: { customerClient: { id: string } }[] }[]
    expect(pages.length).toBeGreaterThan(1)
    const ids = pages.flatMap(({ results }) => results.map(({ customerClient }) => customerClient.id))
    expect(ids).toEqual(['9876543210', '1234567890', '2345678901'])
  })

  it('makes one list of them on request, in a file on request', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'adjoin-pages-')), 'pages.json')
    const { code, out } = await adjoin('api', googleAds, SEARCH, '-d', QUERY, '--paginate', '--slurp', '-o', file)
    expect([code, out]).toEqual([0, ''])
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject([{ results: [{}, {}] }])
    const refused = await adjoin('api', googleAds, 'v25/customers/5550001111/googleAds:search', '-d', QUERY, '--paginate')
    expect([refused.code, JSON.parse(refused.out).error.status]).toEqual([8, 'PERMISSION_DENIED'])
    expect((await adjoin('api', googleAds, SEARCH, '--slurp')).code).toBe(2)
  })
})

describe('what was called', () => {
  it('is a table of changes and failures, and one of counts, for an integration and for a workspace', async () => {
    await adjoin('api', googleAds, 'v25/customers/1234567890/campaigns:mutate', '-d', '{"operations":[]}')
    const usage = async () => JSON.parse((await adjoin('usage', '--json')).out).integrations[0]
    await expect.poll(usage).toMatchObject({ provider: 'google_ads', reads: 3, changes: 1, failed: 2 })
    expect((await adjoin('usage')).out).toMatch(/^name +provider +reads +changes +failed\n.*google_ads +3 +1 +2\n/)
    expect((await adjoin('usage', googleAds)).out).toMatch(/^from +reads +changes +failed\n\d{4}-\d\d-\d\d \d\d:\d\d +3 +1 +2\n$/)
    expect((await adjoin('integrations', 'usage', googleAds, '--by', 'hour', '--from', '2020-01-01T00:00:00Z')).err).toContain(
      'at most 90 days',
    )
    expect((await adjoin('usage', googleAds, '--to', '2020-01-01T00:00:00Z')).out).toBe('No calls.\n')
    const calls = (await adjoin('integrations', 'calls', googleAds)).out.split('\n')
    expect(calls[0]).toMatch(/^at +method +path +result +caller$/)
    expect(calls[1]).toMatch(/POST +\/v25\/customers\/1234567890\/campaigns:mutate +ok +\S/)
    expect(calls[2]).toMatch(/googleAds:search +failed 403 /)
  })

  it('says how much is left of a day that has a limit', async () => {
    const xandr = await connectIntegration({ world, organization, workspace }, 'xandr')
    await adjoin('api', xandr, 'campaign')
    const left =
      /Today, your organization has used 1 of its 20 calls to this ad system; 19 are left until \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\n$/
    expect((await adjoin('usage', xandr)).out).toMatch(left)
    expect((await adjoin('usage')).out).toMatch(new RegExp(`\nxandr: ${left.source}`))
    const { integrations } = JSON.parse((await adjoin('usage', '--json')).out)
    expect(integrations.find(({ id }: { id: string }) => id === xandr).quota).toMatchObject({ calls: 20, used: 1, left: 19 })
    await organization.admin.client.deleteIntegration({ orgSlug: organization.slug, workspaceSlug: workspace.slug, id: xandr })
  })

  it('fits into 80 columns', () => {
    const call = { at: '2026-11-15T10:00:00.000Z', method: 'POST', path: `/v25/customers/1234567890/${'x'.repeat(60)}:mutate`, status: 403 }
    const answer = { calls: [{ ...call, outcome: 'failed', callerName: 'Nightly report' }], nextCursor: null }
    const stdout = process.stdout as { isTTY?: boolean; columns?: number }
    const before = { isTTY: stdout.isTTY, columns: stdout.columns }
    Object.assign(stdout, { isTTY: true, columns: 80 })
    vi.stubEnv('NO_COLOR', '1')
    const lines = readable(answer).safe.split('\n')
    Object.assign(stdout, before)
    vi.unstubAllEnvs()
    expect(lines.map(({ length }) => length)).toEqual([expect.any(Number), 80])
    expect(lines[1]).toMatch(/^2026-11-15 10:00 {2}POST {4}…x+:mutate {2}failed 403 {2}Nightly report$/)
  })
})

describe('adjoin status', () => {
  it('says that the organization is frozen, by whom and why', async () => {
    await adjoin('freeze', '--reason', 'A key leaked')
    const { out } = await adjoin('status')
    expect(out).toMatch(new RegExp(`^Frozen since \\S+ \\S+ UTC by ${organization.admin.email}: A key leaked\n.*adjoin thaw\n\n2 active`))
    expect(JSON.parse((await adjoin('status', '--json')).out).frozen).toMatchObject({ reason: 'A key leaked' })
    await adjoin('thaw')
    expect((await adjoin('status')).out).toMatch(/^2 active/)
  })

  it('works with the key of a workspace, which can’t know', async () => {
    const { key } = await organization.admin.client.createApiKey(
      { orgSlug: organization.slug },
      { name: 'k', level: 'workspace', role: 'viewer', workspaceSlug: workspace.slug },
    )
    const { code, out } = await adjoinAs({ ADJOIN_API_KEY: key }, 'status', '--workspace', workspace.slug, '--json')
    expect([code, JSON.parse(out).frozen]).toEqual([0, null])
    expect(JSON.parse(out).integrations).toHaveLength(2)
  })

  it('asks once for the whole organization, and only for those that were asked about', async () => {
    const orgSlug = organization.slug
    const other = await world.workspace(organization)
    const waiting = await organization.admin.client.createIntegration(
      { orgSlug, workspaceSlug: other.slug },
      { provider: 'magnite', name: 'Waiting' },
    )
    const requests = vi.spyOn(globalThis, 'fetch')
    const all = JSON.parse((await adjoin('status', '--json')).out).integrations
    expect(requests.mock.calls.map(([url]) => String(url).split(/[?]/)[0]!.split('/v1/organizations/')[1]).sort()).toEqual([
      orgSlug,
      `${orgSlug}/integrations`,
    ])
    requests.mockRestore()
    expect(all.map(({ workspace }: { workspace: string }) => workspace)).toContain(other.slug)
    const theirs = JSON.parse((await adjoin('status', '--must-act', 'client', '--json')).out).integrations
    expect(theirs).toMatchObject([{ id: waiting.id, workspace: other.slug, mustAct: 'client' }])
    expect((await adjoin('status', '--expiring', '14d')).out).toBe('No integrations match.\n')
    expect(await adjoin('status', '--expiring', 'soon')).toMatchObject({ code: 2, err: expect.stringContaining('such as 14d') })
    expect(await adjoin('status', '--must-act', 'everybody')).toMatchObject({ code: 2 })
  })

  it('fits into 80 columns', async () => {
    const rows = JSON.parse((await adjoin('status', '--json')).out).integrations
    const long = {
      ...rows[0],
      name: '株式会社'.repeat(20),
      status: 'error',
      mustAct: 'client',
      why: 'Access was revoked. Connect again. '.repeat(6),
    }
    const lines = statusTable([long, ...rows], 80).safe.split('\n')
    expect(lines[0]).toMatch(/^error {5}.+…$/)
    expect(lines[1]).toMatch(/^ {10}client must act: Access was revoked/)
    expect(Math.max(...lines.map(width))).toBeLessThanOrEqual(80)
  })
})
