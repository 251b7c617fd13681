// At the door of the ad systems: what two readers read differently passes for nobody,
// and what a careless ad system repeats is read by nobody, however it is spelled.

import type { ProviderId } from '@adjoin/contract'
import { examples } from '../../api/src/gateway/examples.ts'
import { longestLeak, spellings } from '../../api/test/spellings.ts'
import { type Attack, counted, inParallel, outcomeOf, unique } from './attack-context.ts'
import { type AttackScene, type CallPlace, connect, createScene, proxyOf } from './scene.ts'

interface TwoReaders {
  readonly provider: ProviderId
  readonly path: string
  /** A read without it. */
  readonly method?: 'GET' | 'POST'
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Stands where each call says which one it is. */
const MARK = 'mark_of_call'
const graphql = (query: string): TwoReaders => ({
  provider: 'stackadapt',
  path: 'graphql',
  method: 'POST',
  body: JSON.stringify({ query }),
})
const google = (query: string, headers = {}): TwoReaders => ({
  provider: 'google_ads',
  path: `v25/customers/1234567890/googleAds:search?${query}`,
  method: 'POST',
  body: JSON.stringify({ query: 'SELECT campaign.id FROM campaign' }),
  headers,
})
const meta = (path: string): TwoReaders => ({ provider: 'meta_ads', path: `v25.0/${path}` })
const scheduled = (frequency: string): TwoReaders => ({
  provider: 'the_trade_desk',
  path: 'v3/myreports/reportschedule',
  method: 'POST',
  body: `{${frequency},"AdvertiserFilters":["1234567890"],"ReportScheduleName":"Spend"}`,
})

const table: Record<string, TwoReaders> = {
  'CR in a comment of GraphQL': graphql(`query A { ${MARK} } #\rmutation A { b }`),
  'a comment': graphql(`query A { ${MARK} } # b`),
  'a block string': graphql(`query A { ${MARK}(name: """b""") }`),
  'a document twice': { ...graphql(''), body: `{"query":"{ ${MARK} }","query":"mutation { b }"}` },
  $httpHeaders: google('$httpHeaders=X-HTTP-Method-Override:DELETE%0D%0A'),
  '%24httpHeaders': google('%24httpHeaders=X-HTTP-Method-Override:DELETE%0D%0A'),
  $httpMethod: google('%24%68ttpMethod=DELETE'),
  '$.xgafv': google('$.xgafv=2'),
  'a header that overrides the method': google('', { 'x-http-method-override': 'DELETE' }),
  '.fields(…)': meta('act_1234567890?fields=business.fields(owned_ad_accounts,name)'),
  '.subfields(…) behind a modifier': meta('act_1234567890/campaigns?fields=ads.limit(1).subfields(account.as(ads).fields(id))'),
  'braces without an end': meta(`act_1234567890?fields=${'ads%7B'.repeat(500)}`),
  '%FF': meta('act_1234567890/campaigns?fields=id,%FF'),
  '%u0041': meta('act_1234567890/campaigns?fields=id,%u0041'),
  'a name of %FF': meta('act_1234567890/campaigns?%FF=1'),
  'a condition said twice': scheduled('"ReportFrequency":"Once","ReportFrequency":"Daily"'),
  'a condition said twice, once escaped': scheduled('"ReportFrequency":"Once","Report\\u0046requency":"Daily"'),
  'a condition said twice, in another case': scheduled('"ReportFrequency":"Once","reportfrequency":"Daily"'),
}

const systems: readonly ProviderId[] = ['stackadapt', 'google_ads', 'meta_ads', 'the_trade_desk', 'xandr']

export const doors: Attack = async function* (context) {
  const scene = await createScene(context, 'organizationKey', 'admin', 0)
  const places = {} as Record<ProviderId, CallPlace>
  for (const provider of systems) places[provider] = await connect(scene, provider)
  await scene.keeper.setIntegrationCallPolicy(places.meta_ads, { mode: 'full', accounts: ['1234567890'] })
  yield* twoReaders(scene, places)
  yield* repeated(scene, places)
}

async function* twoReaders(scene: AttackScene, places: Record<ProviderId, CallPlace>) {
  const { context } = scene
  const callers = Object.entries(await callersOf(scene))
  const call = async (headers: Readonly<Record<string, string>>, { provider, path, method = 'GET', body, headers: more }: TwoReaders) => {
    const mark = `mark_${unique()}`
    const url = `${context.urls[1]}${proxyOf(places[provider])}/${path}${path.includes('?') ? '&' : '?'}`
    // Not by a client that would put the address right. GraphQL takes no query besides its document.
    const answer = await fetch(provider === 'stackadapt' ? url.slice(0, -1) : `${url}mark=${mark}`, {
      method,
      headers: { ...headers, ...more, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: body.replaceAll(MARK, mark) }),
    })
    return { outcome: outcomeOf({ status: answer.status, body: await answer.text() }), mark }
  }
  const passed: string[] = []
  const outcomes: string[] = []
  for (const [name, row] of Object.entries(table))
    for (const [who, headers] of callers) {
      const { outcome, mark } = await call(headers, row)
      outcomes.push(outcome)
      if (context.vendor.arrived(mark)) passed.push(`${name}, by ${who}`)
    }
  yield {
    tried: `${Object.keys(table).length} calls that two readers read differently, by ${callers.length} callers of every role`,
    found: passed.length ? `${passed.length} passed, such as ${passed[0]}` : `none passed: ${counted(outcomes)}`,
    good: !passed.length && outcomes.every((outcome) => /^40[03] /.test(outcome)),
  }
  const honest: string[] = []
  for (const provider of systems.filter((one) => one !== 'xandr'))
    for (const [, headers] of callers) {
      const { method, path, body } = examples[provider][0]!
      honest.push((await call(headers, { provider, method, path, ...(body && { body: JSON.stringify(body) }) })).outcome)
    }
  yield { tried: 'honest calls of the same systems', found: counted(honest), good: honest.every((outcome) => outcome === '200') }
}

async function callersOf({ context: { furnish }, organization, w }: AttackScene) {
  const workspace = { slug: w.workspaceSlug }
  const assigned = async (role: 'viewer' | 'member') => {
    const guest = await furnish.join(organization, 'guest')
    await furnish.assign(organization, workspace, guest, role)
    return guest.headers
  }
  return {
    'an admin': organization.admin.headers,
    'a member': await assigned('member'),
    'a viewer': await assigned('viewer'),
    'a key of the organization': (await furnish.key(organization)).headers,
    'a key of a viewer': (await furnish.key(organization, { level: 'workspace', role: 'viewer', workspace })).headers,
  }
}

/** Every spelling, and some upon each other: in the full size each upon each. */
const PAIRS = 30
const READABLE = 16

async function* repeated({ context, headers }: AttackScene, places: Record<ProviderId, CallPlace>) {
  const ways = Object.keys(spellings)
  const pairs = ways.flatMap((one) => ways.map((other) => `${one}~${other}`))
  const some = context.size === 'full' ? pairs : Array.from({ length: PAIRS }, () => context.dice.pick(pairs))
  for (const provider of systems.filter((one) => one !== 'stackadapt')) {
    const { method, path, body } = examples[provider][0]!
    const leaks = await inParallel([...ways, ...some], 8, async (spelled) => {
      const mark = `mark_${unique()}`
      const query = `${path.includes('?') ? '&' : '?'}${new URLSearchParams({ spelled, mark })}`
      const answer = await fetch(`${context.urls[2]}${proxyOf(places[provider])}/${path}${query}`, {
        method,
        headers: { ...headers, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      const bytes = Buffer.from(await answer.arrayBuffer())
      const { secret, signs } = context.vendor.said(mark)!
      return { spelled, read: longestLeak(signs, bytes, Buffer.byteLength(secret)) }
    })
    const read = leaks.filter((one) => one.read >= READABLE)
    yield {
      tried: `the secret of ${provider}, repeated by it in ${leaks.length} spellings`,
      found: read.length ? `${read.length} could be read, such as ${read[0]!.spelled}` : 'never read',
      good: !read.length,
    }
  }
}
