// What the service can answer to a client's browser: every state of the pages, whether or not it is easy to bring about.
import type { Output } from '@adjoin/contract/operations'
import type { Page } from 'playwright-core'
import { descriptor, findProvider } from '../../api/src/providers/index.ts'

type Answers = Record<string, object | number>
export type ClientState = {
  path: string
  /** By method and the end of the path: a body, or the status of a refusal. */
  answers: Answers
  act?: (page: Page) => Promise<unknown>
}

const organization = { name: 'Northwind' }
const requester = { name: 'Ada Lovelace' }
const workspace = { name: 'Globex' }
const expiresAt = '2026-12-24T12:00:00Z'

type Link = Output<'getConnectLink'>
type Descriptor = Link['provider']
const provider = (id: string, available = true): Descriptor =>
  ({ ...descriptor(findProvider(id)!, available), gateway: null }) as Descriptor
const link = (id: string, more: Partial<Link> = {}): Link => ({
  state: 'ready',
  organization,
  workspace,
  requester,
  name: 'Example',
  provider: provider(id),
  expectedAccount: null,
  callPolicy: { mode: 'read', accounts: null },
  accessUntil: null,
  language: null,
  expiresAt,
  ...more,
})

type Result = Output<'getConnectResult'>
const result = (more: Partial<Result>): Result => ({
  outcome: 'failed',
  organization,
  workspace,
  provider: 'google_ads',
  providerName: 'Google Ads',
  connectedAccount: null,
  detail: null,
  reason: null,
  mustAct: null,
  connectUrl: 'http://localhost/connect/again',
  returnUrl: null,
  receiptUrl: null,
  choosesAccount: false,
  missing: null,
  missingSettings: [],
  others: [],
  ...more,
})

const outcome = (more: Partial<Output<'submitConnectCredentials'>>): Output<'submitConnectCredentials'> => ({
  status: 'error',
  connectedAccount: null,
  statusDetail: null,
  lastError: null,
  reason: null,
  mustAct: null,
  returnUrl: null,
  receiptUrl: null,
  result: 'r',
  ...more,
})

type PublicRequest = Output<'getPublicConnectRequest'>
type Item = NonNullable<PublicRequest['request']>['items'][number]
const item = (id: string, more: Partial<Item> = {}, at = provider(id)): Item => ({
  id,
  name: at.providerName,
  provider: at,
  optional: false,
  status: 'pending',
  account: null,
  connectedAt: null,
  reason: null,
  mustAct: null,
  detail: null,
  missing: null,
  result: null,
  reconnects: false,
  expectedAccount: null,
  callPolicy: { mode: 'full', accounts: null },
  accessUntil: null,
  passedOn: false,
  ...more,
})
const request = (items: Item[], state: PublicRequest['state'] = 'ready', returnUrl: string | null = null): PublicRequest => ({
  state,
  organization,
  requester,
  language: null,
  request: state === 'expired' ? null : { workspace, title: 'Globex', message: 'Globex', clientName: null, expiresAt, returnUrl, items },
})
const done = { status: 'connected', account: 'Globex (1234567890)', connectedAt: '2026-11-16T10:00:00Z' } as const
const items = [
  item('google_ads', done),
  item('xandr', { status: 'failed', reason: 'login_refused', mustAct: 'client', expectedAccount: '1234567890' }),
  item('meta_ads', { optional: true, accessUntil: '2027-06-30' }),
  item('magnite', { status: 'declined', optional: true }),
  item('criteo', { passedOn: true }),
  item('linkedin_ads', {}, provider('linkedin_ads', false)),
  item('pubmatic', { status: 'unfinished', missing: 'settings', result: 'r' }),
  item('microsoft_ads', {
    status: 'unfinished',
    missing: 'account',
    result: 'r',
    reconnects: true,
    reason: 'wrong_account',
    mustAct: 'client',
  }),
  item('tiktok_ads', { status: 'unfinished', missing: 'verification' }),
]

type Receipt = Output<'getReceipt'>
const receipt = (more: Partial<Receipt> = {}): Receipt => ({
  state: 'connected',
  organization,
  workspace,
  provider: 'google_ads',
  providerName: 'Google Ads',
  name: 'Globex',
  language: null,
  unfinished: false,
  account: 'Globex (1234567890)',
  connectedAt: '2026-11-16T10:00:00Z',
  endedAt: null,
  permissions: ['See and manage campaigns, budgets and reports in Google Ads', 'See the name and email address of the user who signs in'],
  accessUntil: null,
  callPolicy: { mode: 'read', accounts: null },
  usage: [{ month: '2026-11', reads: 12_345, changes: 2 }],
  lastChanges: [{ at: '2026-11-16T10:00:00Z', method: 'POST', path: '/1', account: '1234567890', outcome: 'ok' }],
  ...more,
})

const others = [1, 2, 3].map((n) => ({ id: `other-${n}`, name: 'Globex', workspace, account: `${n}` }))
const connect = (page: Page) => page.locator('main button[type=submit]').click()
const fill = async (page: Page) => {
  for (const input of await page.locator('main form input').all()) await input.fill('something-long')
  await connect(page)
}
const click = (nth: number) => (page: Page) => page.locator('main button').nth(nth).click()
const last = (page: Page) => page.locator('main button').last().click()
const single = (of: Link, more: Answers = {}): Pick<ClientState, 'path' | 'answers'> => ({
  path: '/connect/a-token',
  answers: { 'GET /v1/connect/a-token': of, ...more },
})
const ended = (of: Partial<Result>, more: Answers = {}): ClientState => ({
  path: '/connect/result#r',
  answers: { 'GET /v1/connect/results/r': result(of), ...more },
})
const list = (of: PublicRequest | number, more: Answers = {}, hash = ''): Pick<ClientState, 'path' | 'answers'> => ({
  path: `/connect/r/a-token${hash}`,
  answers: { 'GET /v1/connect/requests/a-token': of, ...more },
})
const given = (of: Receipt | number, more: Answers = {}): Pick<ClientState, 'path' | 'answers'> => ({
  path: '/connect/receipt/a-token',
  answers: { 'GET /v1/connect/receipts/a-token': of, ...more },
})
const submit = 'POST /v1/connect/a-token/credentials'
const expired = link('xandr', { state: 'expired' })

const choose = 'POST /v1/connect/results/r/account'
const accounts = (n: number, more: Partial<Output<'listConnectAccounts'>> = {}): Output<'listConnectAccounts'> => ({
  listing: false,
  accounts: Array.from({ length: n }, (_, at) => ({ id: `123456789${at}`, name: 'Globex' })),
  more: false,
  ...more,
})
const choosing = (of: Output<'listConnectAccounts'> | number, more: Answers = {}): ClientState =>
  ended({ outcome: 'connected', choosesAccount: true }, { 'GET /v1/connect/results/r/accounts': of, ...more })

const lacking = (id: string): Result =>
  result({
    outcome: 'connected',
    provider: id,
    providerName: provider(id).providerName,
    missing: 'settings',
    missingSettings: settingsOf(id),
  })
const settingsOf = (id: string) => provider(id).settingsFields.filter(({ required }) => required)
const unfilled = (id: string, more: Answers = {}): ClientState => ({
  path: '/connect/result#r',
  answers: { 'GET /v1/connect/results/r': lacking(id), ...more },
})

export const clientStates: Record<string, ClientState> = {
  form: single(link('xandr', { expectedAccount: 'Globex', accessUntil: '2027-06-30', callPolicy: { mode: 'off', accounts: null } })),
  'empty form': { ...single(link('magnite')), act: connect },
  'form refused': { ...single(link('pubmatic'), { [submit]: outcome({ reason: 'login_refused', mustAct: 'client' }) }), act: fill },
  'form not checked': { ...single(link('freewheel'), { [submit]: outcome({ reason: 'outage', lastError: 'Away.' }) }), act: fill },
  'value refused': { ...single(link('adform'), { [submit]: 400 }), act: fill },
  'form failed': { ...single(link('stackadapt'), { [submit]: 500 }), act: fill },
  consent: single(link('google_ads', { requester: null })),
  'consent with a question': single(link('amazon_ads')),
  'consent without scopes': single(link('tiktok_ads')),
  unavailable: single(link('google_ads', { provider: provider('google_ads', false) })),
  gone: { path: '/connect/a-token', answers: { 'GET /v1/connect/a-token': 404 } },
  'too many': { path: '/connect/a-token', answers: { 'GET /v1/connect/a-token': 429 } },
  'expired link': single(expired),
  'asked for a link': { ...single(expired, { 'POST /v1/connect/a-token/ask': 204 }), act: last },
  'asked already': { ...single(expired, { 'POST /v1/connect/a-token/ask': 429 }), act: last },
  canceled: ended({ outcome: 'canceled', returnUrl: 'https://globex.example/' }),
  'wrong account': ended(
    { reason: 'wrong_account', mustAct: 'client' },
    { 'GET /v1/connect/again': link('google_ads', { expectedAccount: 'Globex' }) },
  ),
  'partial consent': ended({
    reason: 'scope_missing',
    mustAct: 'client',
    detail: 'Not granted: “See and manage campaigns, budgets and reports in Google Ads”.',
    connectUrl: null,
  }),
  connected: ended({
    outcome: 'connected',
    connectedAccount: 'Globex (1234567890)',
    receiptUrl: 'http://localhost/connect/receipt/x',
    others,
  }),
  'connected, not verified yet': ended({ outcome: 'connected', missing: 'verification' }),
  renewed: {
    ...ended(
      { outcome: 'connected', others },
      {
        'POST /v1/connect/results/r/renew-others': {
          results: others.map(({ id }, n) => ({ id, outcome: n ? 'connected' : 'failed', reason: null, mustAct: null })),
        },
      },
    ),
    act: last,
  },
  'choosing an account': choosing(accounts(2)),
  'choosing among many': choosing(accounts(9, { more: true })),
  'accounts being listed': choosing(accounts(0, { listing: true })),
  'accounts not listed': choosing(503),
  'list where no account can be chosen': list(
    request(items),
    {
      'GET /v1/connect/results/r': result({ outcome: 'connected', choosesAccount: true }),
      'GET /v1/connect/results/r/accounts': accounts(0),
    },
    '#result=r',
  ),
  'account refused': {
    ...choosing(accounts(1), { [choose]: { connectedAccount: null, detail: null, reason: 'account_closed', mustAct: 'client' } }),
    act: click(0),
  },
  'filling in': unfilled('magnite'),
  'filled in, refused': {
    ...unfilled('pubmatic', {
      'POST /v1/connect/results/r/settings': { connectedAccount: null, detail: null, reason: 'account_unreachable', mustAct: 'agency' },
    }),
    act: fill,
  },
  'left to the agency': { ...unfilled('magnite'), act: last },
  'list after access that is not enough': {
    ...list(request(items), { 'GET /v1/connect/results/r': lacking('magnite') }, '#result=r'),
    act: last,
  },
  'result gone': { path: '/connect/result#r', answers: { 'GET /v1/connect/results/r': 404 } },
  list: list(request(items)),
  'list after a failure': list(
    request(items),
    { 'GET /v1/connect/results/r': result({ reason: 'no_account', mustAct: 'client' }) },
    '#result=r',
  ),
  'list after a success': list(
    request(items),
    { 'GET /v1/connect/results/r': result({ outcome: 'connected', receiptUrl: 'http://localhost/connect/receipt/x' }) },
    '#result=r',
  ),
  'list after access that is being verified': list(
    request(items),
    { 'GET /v1/connect/results/r': result({ outcome: 'connected', missing: 'verification' }) },
    '#result=r',
  ),
  'passing on': {
    ...list(request([item('meta_ads')]), {
      'POST /v1/connect/requests/a-token/items/meta_ads/pass-on': { connectUrl: 'http://localhost/connect/x', expiresAt },
    }),
    act: last,
  },
  declining: { ...list(request([item('meta_ads', { optional: true })])), act: last },
  'an item that failed': list(request(items), {}, '#item=xandr'),
  complete: list(request([item('google_ads', done)], 'complete')),
  'everything left out': list(request([item('google_ads', { status: 'declined', optional: true })], 'complete')),
  'something left out': list(request([item('google_ads', done), item('meta_ads', { status: 'declined', optional: true })], 'complete')),
  'expired list': list(request([], 'expired')),
  receipt: given(receipt()),
  'receipt, nothing done': given(receipt({ usage: [], lastChanges: [], accessUntil: '2027-06-30' })),
  disconnecting: { ...given(receipt()), act: last },
  disconnected: given(receipt({ state: 'disconnected', endedAt: expiresAt })),
  'access ended': given(receipt({ state: 'ended', endedAt: expiresAt })),
  'receipt, not finished': given(receipt({ unfinished: true, account: null })),
  'receipt gone': given(404),
  'stop emails': { path: '/connect/stop/a-token', answers: {} },
  'emails stopped': { path: '/connect/mails/a-token', answers: { 'POST /v1/connect/mails/a-token/stop': { organization } }, act: click(0) },
}

const problem = (status: number) => ({
  type: 'about:blank',
  title: 'English title',
  status,
  code: 'some_code',
  detail: 'English detail.',
  instance: '/',
  requestId: '42',
  ...(status === 400 && { errors: [{ path: 'clientId', message: 'English message.' }] }),
})

/** The page in this state; whatever it asks that is not foreseen is not found. */
export async function bringAbout(page: Page, { path, answers, act }: ClientState): Promise<void> {
  await page.unroute('**/v1/**')
  await page.route('**/v1/**', (route) => {
    const answer = answers[`${route.request().method()} ${new URL(route.request().url()).pathname}`] ?? 404
    if (answer === 204) return route.fulfill({ status: 204 })
    if (typeof answer === 'object') return route.fulfill({ json: answer })
    return route.fulfill({ status: answer, json: problem(answer), headers: { 'retry-after': '3600' } })
  })
  await page.goto('about:blank')
  await page.goto(path, { waitUntil: 'networkidle' })
  await act?.(page)
  await page.waitForLoadState('networkidle')
}
