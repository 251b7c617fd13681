/** What fences let pass: examples of every ad system, and every row of every table once with an account inside and once outside. */
import type { ProviderId } from '@adjoin/contract'
import { describe, expect, it } from 'vitest'
import { decodedPath } from '../src/domain/vendor-path.ts'
import { type AccountKnowledge, decide, type FenceVerdict } from '../src/gateway/fences/decide.ts'
import { accountIn, type Fence, type LocateRow } from '../src/gateway/fences/fence.ts'
import { fences } from '../src/gateway/fences/index.ts'
import { type Located, locate } from '../src/gateway/fences/locate.ts'
import { isInside } from '../src/gateway/fences/meta-fields.ts'
import { readBody, readQuery, type VendorRequest } from '../src/gateway/vendor-request.ts'
import { type FenceExample, fenceExamples } from './fence-examples.ts'

const NOTHING: AccountKnowledge = { roots: new Map(), owners: new Map(), handle: undefined }
const enforced = (Object.entries(fences) as [ProviderId, Fence | null][]).flatMap(([id, fence]) => (fence ? [[id, fence] as const] : []))

function requestOf(
  call: string,
  { headers = {}, body, type = 'application/json' }: { headers?: Record<string, string>; body?: unknown; type?: string } = {},
) {
  const [method = '', target = ''] = call.split(/ (.*)/)
  const [path = '', query = ''] = target.split(/\?(.*)/)
  const bytes = body === undefined ? new Uint8Array() : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const request: VendorRequest = {
    method,
    path: decodedPath(path) ?? 'undecodable',
    query: readQuery(query),
    headers,
    body: readBody(bytes, type),
  }
  return request
}

const valuesFor = ({ path }: VendorRequest) => ({ service: path.includes('/retail-media/') ? 'retail_media' : 'marketing_solutions' })
const look = (fence: Fence, request: VendorRequest): Located => locate(fence, request, valuesFor(request))
const passes = (verdict: FenceVerdict) => 'inside' in verdict

describe.each(Object.entries(fenceExamples) as [ProviderId, readonly FenceExample[]][])('%s', (id, examples) => {
  it('has examples in api/test/fence-examples.ts', () => expect(examples.length).toBeGreaterThan(0))

  it.each(examples.map((example) => [example.call, example] as const))('%s', (call, { verdict, names, ...example }) => {
    const fence = fences[id]
    if (!fence) return expect(verdict).toBe('refused')
    const located = look(fence, requestOf(call, example))
    const known = {
      ...NOTHING,
      roots: new Map(Object.entries(example.roots ?? {}).map(([account, root]) => [account, [root]])),
      owners: new Map(Object.entries(example.aliases ?? {}).map(([alias, account]) => [alias, [account]])),
    }
    const judged = decide(located, example.fence, known)
    expect([call, passes(judged)]).toEqual([call, verdict === 'inside'])
    if ('inside' in judged) expect([...judged.inside].sort()).toEqual([...names!].sort())
    if (verdict === 'refused' && !located.mapped.length && 'outside' in judged) expect(judged.outside).not.toMatch(/may not name/)
  })
})

it('at least 203 examples were looked at', () => expect(Object.values(fenceExamples).flat().length).toBeGreaterThanOrEqual(203))

/** Two accounts of each ad system. */
const samples: Partial<Record<ProviderId, [inside: string, outside: string]>> = {
  google_ads: ['1234567890', '9999999999'],
  snapchat_ads: ['3f2c8a3e-53d4-4d0c-9a35-6a8f0f4f4b77', '99999999-0000-4000-8000-000000000009'],
  reddit_ads: ['t2_abc123', 'a2_other'],
  the_trade_desk: ['abc12', 'zzz99'],
  magnite: ['publisher/123', 'publisher/999'],
}
const sampleOf = (id: ProviderId) => samples[id] ?? (['123', '999'] as const)

const filled = (pattern: string, account: string) =>
  pattern
    .replace('{account}', account)
    .replace('{handle}', 'handle1')
    .replaceAll('{v}', '25')
    .replace(/\{\w+\}/g, 'x1')
    .replace(/\*$/, pattern.endsWith('/*') ? 'x' : '')
const lines = (text = '') => text.split('\n').flatMap((line) => line.trim() || [])

/** An account as a row wants it written. */
function written(row: LocateRow, account: string): string {
  const forms = [account, `act_${account}`, `urn:li:sponsoredAccount:${account}`, `(sponsoredAccount:urn:li:sponsoredAccount:${account})`]
  const texts = [
    `customers/${account}/x/1`,
    `advertisers/${account}`,
    `networks/${account}/x`,
    ...forms.slice(1),
    `advertiserId = "${account}"`,
    `publisherId:${account}`,
  ]
  const one = row.scan
    ? texts.find((text) => row.scan!.exec(text)?.[1] === account)!
    : row.value
      ? forms.find((text) => row.value!.test(text))!
      : account
  return row.split === 'json' ? JSON.stringify([one]) : row.split === 'List()' ? `List(${one})` : one
}
const nested = (name: string, value: unknown): object =>
  name
    .replace('**.', 'deep.')
    .split('.')
    .reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object

/** Requests that hold an account where a row looks for it: one for each of its names. */
function requestsFor(row: LocateRow, account: string): VendorRequest[] {
  const path = filled(row.on?.[0] ?? '/somewhere', account)
  const text = written(row, account)
  if (row.in === 'path') return (row.at ?? []).map((pattern) => requestOf(`POST ${filled(pattern, account)}`))
  if (row.in === 'header') return (row.at ?? []).map((name) => requestOf(`POST ${path}`, { headers: { [name.toLowerCase()]: text } }))
  if (row.in === 'query') return (row.at ?? [row.text ?? 'any']).map((name) => requestOf(`GET ${path}?${name}=${encodeURIComponent(text)}`))
  if (row.pick) return [requestOf(`POST ${path}`, { body: picked(account) })]
  return (row.at ?? [row.text ?? 'any']).flatMap((name) =>
    [text, [text]].map((value) => requestOf(`POST ${path}`, { body: nested(name, value) })),
  )
}
const picked = (account: string) => ({
  params: { filters: [{ type: 'FILTER_ADVERTISER', value: account }] },
  Predicates: [{ Field: 'AccountId', Operator: 'Equals', Value: account }],
})
const named = ({ accounts, extra, via, mapped }: Located) => [...accounts, ...extra, ...via, ...mapped]

describe.each(enforced)('every row of %s', (id, fence) => {
  const [inside, outside] = sampleOf(id)

  it('finds the account that stands where it looks, and no call with another one passes', () => {
    for (const row of fence.locate)
      for (const [account, request] of [inside, outside].flatMap((one) =>
        requestsFor(row, one).map((request) => [one, request] as const),
      )) {
        const located = look(fence, request)
        expect([row, named(located)]).toEqual([row, expect.arrayContaining([account])])
        if (account === outside)
          expect(passes(decide({ ...located, accounts: [...located.accounts, inside] }, [inside], NOTHING))).toBe(false)
        if (account === inside && !located.refused && located.accounts.length) expect(passes(decide(located, [inside], NOTHING))).toBe(true)
      }
  })

  it('that is required refuses a call without it', () => {
    for (const row of fence.locate.filter(({ required }) => required))
      for (const pattern of row.on ?? (Array.isArray(row.required) ? row.required : ['/somewhere']))
        expect([
          pattern,
          passes(decide(look(fence, requestOf(`POST ${filled(pattern, inside)}`, { body: {} })), [inside], NOTHING)),
        ]).toEqual([pattern, false])
  })

  it('that is neutral passes without an account, and not with another one', () => {
    for (const row of lines(fence.neutral)) {
      const call = filled(row.replace(/^ANY/, 'GET'), inside)
      expect([row, passes(decide(look(fence, requestOf(call)), [inside], NOTHING))]).toEqual([row, true])
      const located = look(fence, requestOf(call))
      expect(passes(decide({ ...located, accounts: [outside] }, [inside], NOTHING))).toBe(false)
    }
  })

  it('that is blind, or names an object alone, lets nothing pass, whatever it names besides', () => {
    const headers = Object.fromEntries(
      fence.locate.filter((row) => row.in === 'header').flatMap(({ at = [] }) => at.map((name) => [name.toLowerCase(), inside])),
    )
    const closed = [...lines(fence.blind), ...lines(fence.objects).map((pattern) => `GET ${pattern}`)]
    for (const row of closed) {
      const located = look(fence, requestOf(filled(row.replace(/^ANY/, 'POST'), inside), { headers }))
      expect([row, passes(decide(located, [inside], NOTHING))]).toEqual([row, false])
    }
    for (const { on, names } of fence.objectsInBody ?? [])
      for (const name of names) {
        const located = look(
          fence,
          requestOf(`PUT ${filled(on[0]!.replace(/^\*$/, '/v1/adaccounts/{account}/x'), inside)}`, { headers, body: nested(name, 'o1') }),
        )
        expect([name, passes(decide(located, [inside], NOTHING))]).toEqual([name, false])
      }
  })

  it('that remembers lets a job’s handle pass for those whose accounts are all inside', () => {
    const required = fence.locate.filter((row) => row.in === 'header' && row.required)
    const headers = Object.fromEntries(required.flatMap(({ at = [] }) => at.map((name) => [name.toLowerCase(), inside])))
    for (const { kind, usedBy } of fence.remember ?? [])
      for (const { row, query, body } of usedBy) {
        const call = filled(row.replace(/^ANY/, 'GET'), inside)
        const request = requestOf(query ? `${call}?${query}=handle1` : call, { headers, ...(body && { body: { [body]: 'handle1' } }) })
        const located = look(fence, request)
        expect(located.handle).toEqual({ kind, value: 'handle1' })
        expect([row, passes(decide(located, [inside], NOTHING))]).toEqual([row, false])
        expect([row, passes(decide(located, [inside], { ...NOTHING, handle: [inside] }))]).toEqual([row, true])
        expect([row, passes(decide(located, [inside], { ...NOTHING, handle: [inside, outside] }))]).toEqual([row, false])
        if (required.length) expect([row, look(fence, { ...request, headers: {} }).handle]).toEqual([row, undefined])
      }
  })

  it('reads an account as it is written, never repaired', () => {
    expect(accountIn(fence, inside)).toBe(inside)
    for (const odd of ['', ' ', `${inside} `, `${inside},${outside}`, `${inside}\n`, `${inside}/x/y`, '-', '*', '../1'])
      expect([odd, accountIn(fence, odd)]).toEqual([odd, undefined])
  })

  it('lets no body pass that is read differently by different readers', () => {
    const paths = fence.locate.flatMap((row) => (row.in === 'path' ? (row.at ?? []) : (row.on ?? [])))
    const request = (body: string, type: string) => requestOf(`POST ${filled(paths[0] ?? '/somewhere', inside)}`, { body, type })
    for (const [body, type] of [
      ['{"a":1,"a":2}', 'application/json'],
      ['not json', 'application/json'],
      ['--x\r\n', 'multipart/form-data; boundary=x'],
      ['<a/>', 'text/xml'],
    ] as const)
      expect(look(fence, request(body, type)).refused, body).toBeDefined()
  })
})

describe('a fence', () => {
  const meta = fences.meta_ads!
  const tiktok = fences.tiktok_ads!

  it('does not take a number that has lost digits for an account', () => {
    const request = requestOf('POST /open_api/v1.3/campaign/update/', { body: '{"advertiser_id":7000000000000000001}' })
    expect(look(tiktok, request).refused).toBeDefined()
    expect(look(tiktok, requestOf('POST /open_api/v1.3/campaign/update/', { body: { advertiser_id: 123 } })).accounts).toEqual(['123'])
  })

  it('reads JSON inside of texts, in queries and in forms', () => {
    const hidden = encodeURIComponent('{"source_account_id":"999"}')
    for (const request of [
      requestOf(`POST /v25.0/act_123/adimages?copy_from=${hidden}`),
      requestOf('POST /v25.0/act_123/adimages', { body: `copy_from=${hidden}`, type: 'application/x-www-form-urlencoded' }),
      requestOf('POST /v25.0/act_123/adimages', { body: { copy_from: '{"source_account_id":"999"}' } }),
    ])
      expect(named(look(meta, request))).toContain('999')
    const brackets = requestOf('POST /v25.0/act_123/adimages?copy_from[source_account_id]=999')
    expect(look(meta, brackets).refused).toBeDefined()
    const filtering = requestOf(
      `GET /open_api/v1.3/campaign/get/?advertiser_id=123&filtering=${encodeURIComponent('{"advertiser_ids":["999"]}')}`,
    )
    expect(named(look(tiktok, filtering))).toEqual(expect.arrayContaining(['123', '999']))
  })

  it('refuses bytes that may be read as other letters', () => {
    const call = (charset: string) =>
      look(
        tiktok,
        requestOf('POST /open_api/v1.3/campaign/update/', {
          headers: { 'content-type': `application/json; ${charset}` },
          body: { advertiser_id: '123' },
        }),
      )
    for (const charset of ['charset=utf-8', 'charset="UTF-8"', 'charset=utf8; q=1']) expect(call(charset).refused, charset).toBeUndefined()
    for (const charset of ['charset=utf-7', 'charset=utf-16', 'charset=utf-8x', 'charset='])
      expect(call(charset).refused, charset).toBeDefined()
  })

  it('refuses a parameter in another spelling than the ad system’s', () => {
    for (const query of ['Advertiser_Id=123', 'advertiser_id[]=123', 'advertiserId=123', 'advertiser.id=123'])
      expect(look(tiktok, requestOf(`GET /open_api/v1.3/campaign/get/?${query}`)).refused, query).toBeDefined()
    expect(look(fences.magnite!, requestOf('GET /analytics/v1/report/?account=publisher/123&Account=publisher/999')).refused).toBeDefined()
  })

  it('lets only expansions pass that stay within the account', () => {
    for (const fields of ['', 'id,name', 'campaigns.limit(5){name,insights.date_preset(today){spend}},name', 'ads{creative{id}}'])
      expect([fields, isInside(fields)]).toEqual([fields, true])
    for (const fields of [
      'business{id}',
      'account{name}',
      'campaigns{account{business{owned_ad_accounts}}}',
      'ads{',
      'a.b',
      'name}',
      'ads{x}{y}',
      '["name"]',
      'ads.limit({a}){id}',
      ',',
    ])
      expect([fields, isInside(fields)]).toEqual([fields, false])
  })

  it('is not opened by an account that stands where the ad system does not read it', () => {
    for (const [id, request] of [
      ['linkedin_ads', requestOf('GET /rest/leadForms/5?x=urn%3Ali%3AsponsoredAccount%3A123')],
      ['linkedin_ads', requestOf('GET /rest/mediaPlanning?account=urn%3Ali%3AsponsoredAccount%3A123')],
      ['snapchat_ads', requestOf('PUT /v1/creatives/x/y', { body: { ad_account_id: '3f2c8a3e-53d4-4d0c-9a35-6a8f0f4f4b77' } })],
      ['pinterest_ads', requestOf('GET /v5/somewhere?ad_account_id=123')],
      ['reddit_ads', requestOf('GET /api/v3/somewhere?ad_account_id=t2_abc123')],
      ['microsoft_ads', requestOf('POST /CustomerManagement/v13/Account/Query', { body: { CustomerId: '77', AccountId: '123' } })],
      ['microsoft_ads', requestOf('POST /CustomerBilling/v13/Some/Query', { body: { Deep: { AccountId: '123' } } })],
      [
        'google_ads',
        requestOf('POST /v25:listPlannableUserLists', {
          body: { x: { customerId: '1234567890' } },
          headers: { 'linked-customer-id': '1234567890' },
        }),
      ],
      ['display_video_360', requestOf('POST /v4/elsewhere', { body: { advertiserId: '123' } })],
      ['the_trade_desk', requestOf('POST /v3/bidline/query/adgroup', { body: { AdvertiserId: 'abc12', AdGroupId: 'x' } })],
      ['criteo', requestOf('POST /2026-07/marketing-solutions/elsewhere', { body: { advertiserId: '123' } })],
    ] as const)
      expect([request.path, passes(decide(look(fences[id]!, request), [sampleOf(id)[0]], NOTHING))]).toEqual([request.path, false])
  })

  it('takes the manager for a door, not for an account', () => {
    const google = fences.google_ads!
    const call = requestOf('POST /v25/customers/1234567890/googleAds:search', {
      headers: { 'login-customer-id': '5555555555' },
      body: { query: 'SELECT campaign.id FROM campaign' },
    })
    expect(passes(decide(look(google, call), ['1234567890'], NOTHING))).toBe(false)
    expect(passes(decide(look(google, call), ['1234567890'], { ...NOTHING, roots: new Map([['1234567890', ['5555555555']]]) }))).toBe(true)
    expect(passes(decide(look(google, call), ['5555555555'], { ...NOTHING, roots: new Map([['1234567890', ['5555555555']]]) }))).toBe(false)
  })

  it('keeps the services of Criteo apart, whose numbers mean different things', () => {
    const request = requestOf('GET /2026-07/retail-media/accounts/123/brands')
    expect(locate(fences.criteo!, request, { service: 'marketing_solutions' }).refused).toBeDefined()
    expect(locate(fences.criteo!, request, { service: 'retail_media' }).refused).toBeUndefined()
  })
})
