/** A change is sent again only after an ad system said that the credential has ended, before it did anything. */
import { type ProviderId, providerIds } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectIntegration } from './connected-integration.ts'
import { type Loopback, loopback } from './loopback.ts'
import { createWorld, request, sql, type TestOrganization, type TestWorkspace, type World } from './world.ts'

interface Said {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

const GOOGLE = { code: 401, message: 'Request had invalid authentication credentials.', status: 'UNAUTHENTICATED' }
const googleSays: Answers = {
  stale: [
    { status: 401, body: { error: GOOGLE } },
    { status: 401, body: { error: { ...GOOGLE, errors: [{ reason: 'authError' }] } } },
  ],
  other: [
    { status: 403, body: { error: { code: 403, status: 'PERMISSION_DENIED', details: [{ reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }] } } },
    { status: 403, body: { error: { code: 403, errors: [{ reason: 'insufficientPermissions' }] } } },
    { status: 500, body: { error: GOOGLE } },
  ],
}
const adsFailure = (error: object) => ({ error: { ...GOOGLE, details: [{ errors: [{ errorCode: error }] }] } })
const oauth = (message: string) => ({ error: { message, type: 'OAuthException', code: 190, error_subcode: 463 } })
const xandr = (id: string, error: string) => ({ response: { error_id: id, error, dbg_info: {} } })

interface Answers {
  /** The token has ended: renewed and sent again. */
  readonly stale: readonly Said[]
  /** What else this system says when it refuses somebody. A bare 401, 403 and the like are tried everywhere. */
  readonly other: readonly Said[]
}

/** Written down from the vendors' documentation, apart from api/src/gateway/stale.ts. */
// biome-ignore format: a table
const answers: Record<ProviderId, Answers & { readonly change: readonly [method: string, path: string] }> = {
  google_ads: { change: ['POST', 'v25/customers/1234567890/campaigns:mutate'], ...googleSays, other: [...googleSays.other,
    ...['NOT_ADS_USER', 'CUSTOMER_NOT_FOUND', 'DEVELOPER_TOKEN_INVALID', 'GOOGLE_ACCOUNT_DELETED'].map((authenticationError) => ({ status: 401, body: adsFailure({ authenticationError }) }))] },
  meta_ads: { change: ['POST', 'v25.0/act_1234567890/campaigns'], stale: [], other: [{ status: 401, body: oauth('expired') }, { status: 400, body: oauth('expired') }] },
  microsoft_ads: { change: ['POST', 'CampaignManagement/v13/Campaigns'],
    stale: [109, 105].map((Code) => ({ status: 401, body: { Errors: [{ Code }] } })),
    other: [106, 108, 120].map((Code) => ({ status: 401, body: { Errors: [{ Code }] } })) },
  amazon_ads: { change: ['PUT', 'sp/campaigns'],
    stale: [{ status: 401, body: { code: '401', details: 'Authentication failed' } }],
    other: ['Not authorized to access scope 1', 'No matching advertiser found for scope', 'Scope header is missing: not authenticated'].map((details) => ({ status: 401, body: { code: 'UNAUTHORIZED', details } })) },
  tiktok_ads: { change: ['POST', 'open_api/v1.3/campaign/create/'], stale: [], other: [40102, 40105, 40001].map((code) => ({ status: 200, body: { code, message: 'x' } })) },
  linkedin_ads: { change: ['POST', 'rest/adAccounts/1234567890/adCampaigns'],
    stale: [{ status: 401, body: { status: 401, serviceErrorCode: 65601, code: 'REVOKED_ACCESS_TOKEN' } }],
    other: [{ status: 403, body: { status: 403, serviceErrorCode: 100, code: 'ACCESS_DENIED' } }, { status: 401, body: { status: 401, serviceErrorCode: 65604 } }] },
  pinterest_ads: { change: ['POST', 'v5/ad_accounts/1234567890/campaigns'],
    stale: [{ status: 401, body: { code: 2, message: 'Authentication failed.' } }], other: [{ status: 403, body: { code: 29 } }, { status: 401, body: { code: 3 } }] },
  snapchat_ads: { change: ['POST', 'v1/adaccounts/3f2c8a3e-53d4-4d0c-9a35-6a8f0f4f4b77/campaigns'],
    stale: [{ status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } }],
    other: [{ status: 401, headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' } }, { status: 403, body: { error_code: 'E3002' } }] },
  reddit_ads: { change: ['POST', 'api/v3/ad_accounts/t2_abc123/campaigns'], stale: [{ status: 401, body: { error: { code: 401 } } }], other: [{ status: 403, body: { error: { code: 403 } } }] },
  display_video_360: { change: ['POST', 'v4/advertisers/1234567890/campaigns'], ...googleSays },
  the_trade_desk: { change: ['POST', 'v3/campaign'], stale: [],
    other: [{ status: 401, body: { message: 'Unauthorized' } }, { status: 403, body: { Message: 'The supplied auth token is not valid or has expired.' } }] },
  criteo: { change: ['POST', '2026-07/marketing-solutions/campaigns'],
    stale: ['expired', 'invalid'].map((end) => ({ status: 401, body: { errors: [{ type: 'authorization', code: `authorization-token-${end}` }] } })),
    other: [{ status: 403, body: { errors: [{ type: 'access-control', code: 'insufficient-advertisers-permissions' }] } }] },
  stackadapt: { change: ['POST', 'graphql'], stale: [], other: [{ status: 401, body: { errors: [{ message: 'x' }] } }] },
  adform: { change: ['PUT', 'v1/buyer/campaigns/1/status'], stale: [{ status: 401, headers: { 'www-authenticate': 'Bearer' } }], other: [{ status: 403, body: { message: 'Forbidden' } }] },
  google_ad_manager: { change: ['POST', 'v1/networks/1234567890/orders:batchCreate'], ...googleSays },
  campaign_manager_360: { change: ['POST', 'dfareporting/v5/userprofiles/1234567890/campaigns'], ...googleSays },
  xandr: { change: ['PUT', 'campaign'],
    stale: [{ status: 401, body: xandr('NOAUTH', 'not logged in') }, { status: 200, body: xandr('NOAUTH', 'x') }, { status: 401, body: xandr('SYNTAX', 'Authentication failed - not logged in') }],
    other: [{ status: 401, body: xandr('UNAUTH', 'x') }, { status: 401, body: xandr('NOAUTH_DISABLED', 'x') }, { status: 401, body: xandr('NOAUTH_EXPIRED', 'x') }, { status: 200, body: xandr('SYNTAX', 'x') }] },
  magnite: { change: ['POST', 'analytics/v1/report'], stale: [], other: [] },
  pubmatic: { change: ['PUT', 'curateddeals/111'], stale: [{ status: 401 }, { status: 400, body: { errorCode: 'access_token_expired' } }], other: [{ status: 403, body: { errorCode: 'FORBIDDEN' } }] },
  freewheel: { change: ['PATCH', 'demand/v1/deals/1'], stale: [{ status: 401 }], other: [{ status: 403 }] },
}

/** What any ad system may say instead of doing it. A bare 401 means the token only where nothing else is documented. */
const everywhere = [400, 402, 403, 404, 409, 419, 422, 429, 440, 498, 500, 502, 503, 504].flatMap((status): Said[] => [
  { status },
  { status, headers: { 'www-authenticate': 'Bearer' }, body: { message: 'token' } },
])
const bareIsStale: readonly ProviderId[] = ['reddit_ads', 'adform', 'pubmatic', 'freewheel']

let world: World
let organization: TestOrganization
let workspace: TestWorkspace
let front: Loopback
/** What the next calls to the path of the change are answered with; then the twin answers. */
let script: Said | undefined
let changePath = ''
const arrived: string[] = []

async function standBefore(twins: string): Promise<Loopback> {
  front = await loopback(async ({ method, path, headers, body }, response) => {
    if (changePath && path.split('?')[0]!.endsWith(changePath)) {
      arrived.push(headers.authorization ?? headers['access-token'] ?? headers['ttd-auth'] ?? '')
      const said = script!
      const text = said.body === undefined ? '' : JSON.stringify(said.body)
      response.writeHead(said.status, { 'content-type': 'application/json', 'content-length': text.length, ...said.headers })
      return response.end(text)
    }
    const { host: _, connection: __, 'transfer-encoding': ___, 'content-length': ____, ...rest } = headers
    const answer = await fetch(twins + path, { method, headers: rest, ...(body && { body }), redirect: 'manual' })
    const answered = Buffer.from(await answer.arrayBuffer())
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' }).end(answered)
  })
  return front
}

beforeAll(async () => {
  world = await createWorld({ roles: { api: true, jobs: false } }, {}, standBefore)
})
afterAll(() => world.stop())

describe.each(providerIds)('%s', (id) => {
  const { change, stale, other } = answers[id]
  let integration: string
  beforeAll(async () => {
    changePath = ''
    organization = await world.organization() // each has calls of its own
    workspace = await world.workspace(organization)
    integration = await connectIntegration({ world, organization, workspace }, id, 'full')
  })

  /** The tokens that the change arrived with. */
  async function sent(said: Said): Promise<string[]> {
    await world.query(sql`update integrations set throttled_until = null where id = ${integration}`)
    const [method, path] = change
    script = said
    changePath = `/${path}`
    arrived.length = 0
    const place = `/v1/organizations/${organization.slug}/workspaces/${workspace.slug}/integrations/${integration}/proxy/${path}`
    const body = id === 'stackadapt' ? '{"query":"mutation { pauseCampaign(id: 1) { id } }"}' : '{}'
    const answer = await request(world.url + place, {
      method,
      headers: { ...organization.admin.headers, 'content-type': 'application/json' },
      body,
    })
    changePath = ''
    expect([answer.status === 401, arrived.length > 0], answer.text).toEqual([false, true])
    return [...arrived]
  }

  it.runIf(stale.length)('is sent again with a new token after its own word for a token that has ended', async () => {
    for (const said of stale) {
      const tokens = await sent(said)
      expect(tokens.length, JSON.stringify(said)).toBe(2)
      expect(tokens[0], JSON.stringify(said)).not.toBe(tokens[1])
    }
  })

  it('is sent once after anything else', async () => {
    const bare: Said[] = bareIsStale.includes(id) ? [] : [{ status: 401 }, { status: 401, body: { message: 'no' } }]
    for (const said of [...other, ...bare, ...everywhere]) expect((await sent(said)).length, JSON.stringify(said)).toBe(1)
  })
})
