// Where two readers of one request could read two things: what we judge must be what the ad system does.
import { type ProviderId, providerIds } from '@adjoin/contract'
import { describe, expect, it } from 'vitest'
import { examples } from './examples.ts'
import { fences } from './fences/index.ts'
import { locate } from './fences/locate.ts'
import { isInside } from './fences/meta-fields.ts'
import { effectOf, judge } from './judge.ts'
import { gatewayRules } from './rules/index.ts'
import { readBody, readQuery, type VendorRequest } from './vendor-request.ts'

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'

function requestOf(method: string, target: string, body: string | Uint8Array = '', type = JSON_TYPE): VendorRequest {
  const [path = '', query = ''] = target.split(/\?(.*)/s)
  return { method, path, query: readQuery(query), headers: { 'content-type': type }, body: readBody(Buffer.from(body), type) }
}

const judged = (provider: ProviderId, request: VendorRequest) => {
  const rules = gatewayRules[provider]!
  return judge(rules, request, { open: rules.hosts.map(({ host }) => host), ownApp: '424242' })
}
const isRefused = (provider: ProviderId, request: VendorRequest) => 'refused' in judged(provider, request)

/** A first call of each ad system, which passes. */
const first = (provider: ProviderId, wanted?: 'POST') => {
  const { method, path, body } = examples[provider].find((one) => !wanted || one.method === wanted) ?? examples[provider][0]!
  const host = gatewayRules[provider]!.hosts.find((one) => path.startsWith(`${one.host}/`))?.host
  return { method, target: host ? path.slice(host.length) : `/${path}`, body: body ? JSON.stringify(body) : '' }
}
const withQuery = (provider: ProviderId, more: string): VendorRequest => {
  const { method, target, body } = first(provider)
  return requestOf(method, `${target}${target.includes('?') ? '&' : '?'}${more}`, body)
}
const withForm = (provider: ProviderId, form: string | Uint8Array): VendorRequest =>
  requestOf('POST', first(provider, 'POST').target, form, FORM)

const GOOGLE: ProviderId[] = ['google_ads', 'display_video_360', 'google_ad_manager', 'campaign_manager_360']
const percent = (text: string) => [...text].map((letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')
const spellings = (name: string) => [
  name,
  encodeURIComponent(name),
  percent(name),
  name.toUpperCase(),
  `${name}[]`,
  `${name}[0]`,
  `x[${name}]`,
  `x.${name}`,
  `.${name}`,
]

describe.each(providerIds)('%s', (provider) => {
  it('takes a first call', () => {
    const { method, target, body } = first(provider)
    expect(judged(provider, requestOf(method, target, body))).toHaveProperty('effect')
  })

  const overrides = [
    '_method',
    'X-HTTP-Method-Override',
    'x_http_method_override',
    'http-method-override',
    'X-Method-Override',
    'methodOverride',
    'X-HTTP-Method',
    'callback',
    'jsonp',
    '_callback',
    'X-Original-URL',
    'X-Rewrite-URL',
  ]
  it('closes what would be another method, address or form of answer', () => {
    for (const name of overrides.flatMap(spellings).filter((name) => !name.startsWith('x[') && !name.startsWith('x.'))) {
      expect([name, isRefused(provider, withQuery(provider, `${name}=DELETE`))]).toEqual([name, true])
      expect([name, isRefused(provider, withForm(provider, `${name}=DELETE`))]).toEqual([name, true])
    }
  })

  const undecodable = [
    '%FF',
    '%',
    '%u0041',
    '%4',
    '%zz',
    '%C0%AE',
    '%E0%80%AF',
    '%ED%A0%80',
    '%F4%90%80%80',
    '%C3',
    '%00',
    'a%FFb',
    '%61%FF',
    '\u00ff',
    '%EF%BF%BD',
  ]
  it.each(undecodable)('refuses what can’t be decoded: %s', (text) => {
    for (const part of [`${text}=1`, `fields=name,${text}`, `a=1&b=${text}`, `a=1;b=${text}`, text, `a[${text}]=1`]) {
      expect([part, isRefused(provider, withQuery(provider, part))]).toEqual([part, true])
      expect([part, isRefused(provider, withForm(provider, Buffer.from(part, 'latin1')))]).toEqual([part, true])
    }
  })
  it('refuses names that are encoded twice, and names that are not ASCII', () => {
    for (const name of [
      'access%255Ftoken',
      '%2524httpMethod',
      'a%25u0041',
      '%EF%BC%84httpMethod',
      'acce%C5%BF%C5%BF_token',
      '%E2%80%8Bmethod',
      '%EF%BB%BFmethod',
    ])
      for (const request of [withQuery(provider, `${name}=1`), withForm(provider, `${name}=1`)])
        expect([name, isRefused(provider, request)]).toEqual([name, true])
  })
  it('takes what is plainly encoded', () => {
    for (const part of ['since=2026-01-01%2000%3A00', 'since=a+b', 'q=M%C3%BCnchen', 'q=100%25', 'q=%F0%9F%98%80'])
      if (provider !== 'stackadapt')
        expect([part, judged(provider, withQuery(provider, part))]).toEqual([part, expect.objectContaining({ effect: expect.any(String) })])
  })

  it('finds no account for a GET in its body, and still sees it there', () => {
    const fence = fences[provider]
    if (!fence) return
    const get = first(provider).target.split('?')[0]!
    const body = fence.locate
      .filter((row) => row.in === 'body' && row.at)
      .flatMap((row) => row.at!.map((name) => name.replace(/^\*\*\./, '')))
    const account =
      {
        google_ads: '1234567890',
        snapchat_ads: '3f2c8a3e-53d4-4d0c-9a35-6a8f0f4f4b77',
        reddit_ads: 't2_abc123',
        the_trade_desk: 'abc12',
        magnite: 'publisher/123',
      }[provider as string] ?? '123'
    for (const name of body) {
      const named = (method: string) =>
        locate(fence, requestOf(method, get, JSON.stringify({ [name]: account })), { service: 'marketing_solutions' })
      const bare = locate(fence, requestOf('GET', get), { service: 'marketing_solutions' })
      const { accounts, mapped, handle } = named('GET')
      expect([name, accounts, handle]).toEqual([name, bare.accounts, bare.handle])
      expect([name, Boolean(named('GET').refused)]).toEqual([
        name,
        Boolean(bare.refused) || Boolean(named('POST').refused && named('GET').refused),
      ])
      expect(mapped.length).toBeGreaterThanOrEqual(bare.mapped.length)
    }
  })
})

describe.each(GOOGLE)('at %s, what could carry another method or header', (provider) => {
  const override = 'X-HTTP-Method-Override:DELETE%0D%0A'
  const dollar = [
    '$httpMethod',
    '$httpHeaders',
    '$http_headers',
    '$req',
    '$ct',
    '$.xgafv',
    '$unheard',
    '$',
    '$$alt',
    '$alt.x',
    '$altx',
    '$ALT',
    '$Fields',
    '$pretty_print',
  ]
  it.each(dollar.flatMap(spellings))('is closed: %s', (name) => {
    const refused = [
      withQuery(provider, `${name}=${override}`),
      withQuery(provider, `a=1;${name}=${override}`),
      withForm(provider, `${name}=x`),
    ]
    expect(refused.map((request) => isRefused(provider, request))).toEqual([true, true, true])
  })
  it.each(['httpMethod', 'HTTPMETHOD', 'http_method', 'http%4Dethod', 'httpMethod[]', 'httpHeaders'])(
    'is closed without the mark: %s',
    (name) => {
      const refused = [withQuery(provider, `${name}=DELETE`), withQuery(provider, `a=1;${name}=x`), withForm(provider, `${name}=DELETE`)]
      expect(refused.map((request) => isRefused(provider, request))).toEqual([true, true, true])
    },
  )
  it.each(['$alt=json', '%24alt=json', '$fields=name', '$prettyPrint=false', 'alt=json', 'fields=name'])('is open: %s', (part) =>
    expect(judged(provider, withQuery(provider, part))).toHaveProperty('effect'),
  )
})

const graphql = (query: unknown, more: object = {}) => requestOf('POST', '/graphql', JSON.stringify({ query, ...more }))
const MUTATION = 'mutation { deleteCampaign(id: 1) { id } }'

describe('a GraphQL document', () => {
  const dangerous: [what: string, document: string, line: number, cause: RegExp][] = [
    ['CR in a comment', 'query A { a }\n#\r mutation B { b }', 2, /carriage return/i],
    ['CR hides a mutation', `#\r query A { a } #\n${MUTATION}`, 1, /carriage return/i],
    ['CR LF', 'query A {\r\n a }', 1, /carriage return/i],
    ['CR in a string', 'query A { a(x: "\r") }', 1, /carriage return/i],
    ['a comment', 'query A { a } # done', 1, /comment/i],
    ['a comment on a later line', '\n\n{\n a\n # b\n}', 5, /comment/i],
    ['an empty comment', '#\n{ a }', 1, /comment/i],
    ['a block string', '{\n a(x: """b""") }', 2, /block string/i],
    ['an empty block string', '{ a(x: """""") }', 1, /block string/i],
    ...[
      '\0',
      '\b',
      '\v',
      '\f',
      '\u001a',
      '\u001b',
      '\u007f',
      '\u0085',
      '\u009f',
      '\u200b',
      '\ufeff',
      '\u2028',
      '\u2029',
      '\u202e',
      '\ud800',
    ].map((letter): [string, string, number, RegExp] => [
      `U+${letter.codePointAt(0)!.toString(16)}`,
      `{\n a${letter} }`,
      2,
      /U\+|character/,
    ]),
  ]
  const kinds = [(text: string) => text, (text: string) => `${text}\n${MUTATION.replace('{', 'X {')}`]
  it.each(dangerous)('with %s is refused for everybody, with the line and the cause', (_, document, line, cause) => {
    for (const kind of kinds) {
      const request = graphql(kind(document), { operationName: 'A' })
      expect(effectOf(gatewayRules.stackadapt!, request)).toBeUndefined()
      const { refused } = judged('stackadapt', request) as { refused: string }
      expect(refused).toMatch(cause)
      expect(refused).toMatch(new RegExp(`\\bline ${line}\\b`, 'i'))
    }
  })
  it.each([
    ['{ a }', 'read'],
    ['query A($x: ID!) {\n\ta(id: $x, name: "# no comment", s: "\\"#\\r") {\n\t\tid\n\t}\n}\n', 'read'],
    ['query A { a } fragment F on T { id }', 'read'],
    ['query { a(name: "Zürich 😀") }', 'read'],
    [MUTATION, 'change'],
    ['mutation A {\n\ta(name: "#")\n}', 'change'],
  ])('that is plain is judged: %j', (document, effect) => {
    expect(judged('stackadapt', graphql(document))).toMatchObject({ effect })
    expect(judged('stackadapt', graphql(document, { variables: { a: '#\r' }, operationName: null }))).toMatchObject({ effect })
  })
  it.each([
    ['another way to name a document', graphql('{ a }', { operationId: 'x' })],
    ['documentId', graphql('{ a }', { documentId: 'x' })],
    ['id', graphql('{ a }', { id: 'x' })],
    ['extensions', graphql('{ a }', { extensions: {} })],
    ['another spelling of operationName', graphql('query A { a } mutation B { b }', { operationName: 'A', operation_name: 'B' })],
    ['no document', requestOf('POST', '/graphql', '{}')],
    ['a list', requestOf('POST', '/graphql', '[{"query":"{ a }"}]')],
    ['a document of types', graphql('query A { a } type T { a: Int }')],
    ['a form', requestOf('POST', '/graphql', 'query={a}', FORM)],
    ['more levels than anybody asks for', graphql(`query ${'{a'.repeat(9999)}${'}'.repeat(9999)}`)],
    ['more tokens', graphql(`query {${'a '.repeat(30_000)}}`)],
    ['a mark of byte order', requestOf('POST', '/graphql', '\ufeff{"query":"{ a }"}')],
    ['a document twice', requestOf('POST', '/graphql', `{"query":"{ a }","query":${JSON.stringify(MUTATION)}}`)],
    ['a document twice, once escaped', requestOf('POST', '/graphql', `{"query":"{ a }","qu\\u0065ry":${JSON.stringify(MUTATION)}}`)],
    ['a query in the address', requestOf('POST', '/graphql?operationId=x', '{"query":"{ a }"}')],
    ['any query in the address', requestOf('POST', '/graphql?x=1', '{"query":"{ a }"}')],
  ])('with %s is refused', (_, request) => expect(isRefused('stackadapt', request)).toBe(true))
})

describe('fields of Meta', () => {
  const within = ['campaigns', 'insights', 'ads', 'adcreatives']
  const outside = ['business', 'account', 'owned_ad_accounts', 'client_ad_accounts', 'agencies', 'users']
  const modifiers = [
    'limit(5)',
    'after(QVFIabc==)',
    'before(x)',
    'order(reverse_chronological)',
    'summary(true)',
    'since(2026-01-01)',
    'until(1700000000)',
    'as(mine)',
    'date_preset(last_7d)',
    "time_range({'since':'2026-01-01','until':'2026-01-02'})",
    'time_range({"since":"2026-01-01"})',
    'filtering([{field:"ad.name",operator:"CONTAIN",value:"a b, {c}"}])',
  ]
  it.each(within)('%s stay inside, with every modifier that is known', (name) => {
    expect(isInside(name)).toBe(true)
    expect(isInside(`${name}{id,name}`)).toBe(true)
    for (const inner of ['fields', 'subfields']) expect(isInside(`${name}.${inner}(id,name)`)).toBe(true)
    for (const modifier of modifiers)
      for (const text of [`${name}.${modifier}`, `${name}.${modifier}{id}`, `id,${name}.${modifier}.fields(id,ads.${modifier}{id})`])
        expect([text, isInside(text)]).toEqual([text, true])
    expect(isInside(`${name}.limit(5).after(x){id},name`)).toBe(true)
  })
  it.each(outside)('%s leads outside, in every spelling', (name) => {
    for (const text of [
      `${name}{id}`,
      `${name}.fields(id)`,
      `${name}.subfields(id)`,
      `${name}.limit(5).fields(id)`,
      `${name}.limit(5){id}`,
      `${name}.as(campaigns){id}`,
      `${name}.as(ads).fields(id)`,
      ` ${name} . fields ( id ) `,
    ])
      for (const around of [
        text,
        `campaigns{${text}}`,
        `campaigns.fields(${text})`,
        `ads.limit(1).subfields(id,insights{${text}})`,
        `id,${text},name`,
      ])
        expect([around, isInside(around)]).toEqual([around, false])
  })
  it.each([
    'Fields',
    'FIELDS',
    'fieldz',
    'metadata',
    'edges',
    'expand',
    'type',
    'return_fields',
    'use_cache',
    'filter',
    'sort',
    'asx',
    '_as',
  ])('%s is no modifier', (name) => {
    for (const text of [`campaigns.${name}(id)`, `campaigns.${name}(id){id}`, `campaigns.${name}(business)`, `ads{campaigns.${name}(1)}`])
      expect([text, isInside(text)]).toEqual([text, false])
  })
  it('can’t hide behind quotes, braces or escapes', () => {
    for (const text of [
      "campaigns.filtering(['a)'])",
      'campaigns.time_range({"a":")"}){id}',
      "campaigns.filtering('),business.fields(id)",
      'campaigns.limit(5',
      'campaigns.limit(5))',
      'campaigns{id',
      'campaigns}id{',
      'campaigns.fields(id',
      'campaigns.fields(id}',
      'campaigns{id)',
      'campaigns.limit({5})',
      'campaigns.filtering(["\\")"])',
      'campaigns%7Bid%7D',
      'business\u0000{id}',
      'id,,name',
      ',',
      'campaigns.',
      'campaigns.limit',
      'campaigns{}x',
      'campaigns.fields()',
      'campaigns{}',
    ])
      expect([text, isInside(text)]).toEqual([text, false])
  })
  it.each([
    ['{', '}'],
    ['.fields(', ')'],
    ['.subfields(', ')'],
    ['.limit(1){', '}'],
  ])('of any depth are answered: ads%s', (open, close) => {
    expect(isInside(`${`ads${open}`.repeat(4)}id${close.repeat(4)}`)).toBe(true)
    for (const depth of [100, 10_000, 100_000])
      for (const text of [`ads${open}`.repeat(depth), `${`ads${open}`.repeat(depth)}id${close.repeat(depth)}`])
        expect(isInside(text)).toBe(false)
  })

  const personal = (target: string, body?: string, type?: string) =>
    judged('meta_ads', requestOf(body ? 'POST' : 'GET', target, body, type)) as { personal?: boolean; refused?: string }
  it.each([
    '/v25.0/123',
    '/v25.0/123?fields=',
    '/v25.0/123?fields=id,field_data',
    '/v25.0/?ids=123',
    '/v25.0/?ids=act_1,123',
    '/v25.0/?ids=123,456&fields=field_data',
    '/v25.0/?ids=123,456',
    '/v25.0/123?fields=["id","field\\u005fdata"]',
    '/v25.0/123?fields=%5B%22field%5Cu005fdata%22%5D',
    '/v25.0/123?fields=custom_disclaimer_responses',
    '/v25.0/act_1/ads?fields=leads%7Bid%7D',
    '/v25.0/act_1/ads?fields=["le\\u0061ds"]',
    '/v25.0/9?metadata=1',
    '/v25.0/9?fields=id&fields=',
    '/v25.0/9?x.fields=id',
    '/v25.0/9?Fields=id',
    '/v25.0/9?ids=8',
    '/v25.0/9?fields=*',
  ])('%s may be a lead', (target) => expect(personal(target)).toMatchObject({ personal: true }))
  it.each([
    '/v25.0/act_1',
    '/v25.0/123?fields=id,name,status',
    '/v25.0/?ids=act_1,act_2',
    '/v25.0/?ids=1,2&fields=name',
    '/v25.0/act_1/campaigns',
    '/v25.0/123/insights',
    '/v25.0/me?fields=id',
  ])('%s is none', (target) => expect(personal(target)).toMatchObject({ personal: false }))
  it('hides no credential in an escape', () => {
    for (const [target, body, type] of [
      ['/v25.0/1?fields=["access_tok\\u0065n"]'],
      ['/v25.0/act_1/insights', JSON.stringify({ fields: '["access_tok\\u0065n"]' }), JSON_TYPE],
      ['/v25.0/act_1/insights', `fields=${encodeURIComponent('["access_tok\\u0065n"]')}`, FORM],
      ['/v25.0/1?fields=["name"]&x={"m":"\\u0061ccess_token"}'],
      ['/v25.0/1?x={"access_tok\\u0065n":1}'],
    ] as const)
      expect([target, personal(target, body, type).refused !== undefined]).toEqual([target, true])
  })
})

describe('a condition on a field of the body', () => {
  const effect = (provider: ProviderId, path: string, body: string, query = '') => {
    const request = requestOf('POST', query ? `${path}?${query}` : path, body)
    const answered = effectOf(gatewayRules[provider]!, request)
    return isRefused(provider, request) ? 'refused' : answered
  }
  const fields: [provider: ProviderId, path: string, at: string[], read: unknown, change: unknown, rest: object][] = [
    ['display_video_360', '/v2/queries', ['schedule', 'frequency'], 'ONE_TIME', 'DAILY', { metadata: { title: 'x' } }],
    ['display_video_360', '/v2/queries', ['metadata', 'sendNotification'], false, true, { schedule: { frequency: 'ONE_TIME' } }],
    ['the_trade_desk', '/v3/myreports/reportschedule', ['ReportFrequency'], 'Once', 'Daily', { AdvertiserFilters: ['abc12'] }],
  ]
  const nested = (at: readonly string[], value: unknown) => at.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object
  it.each(fields)('of %s %s %j sees every value of that name', (provider, path, at, read, change, rest) => {
    const last = at.at(-1)!
    const snake = at.map((name) => name.replace(/[A-Z]/g, (letter, i) => `${i ? '_' : ''}${letter.toLowerCase()}`))
    expect(effect(provider, path, JSON.stringify({ ...rest, ...nested(at, read) }))).toBe('read')
    const others = [
      nested(at, change),
      { [at.join('.')]: change },
      nested(at, [change]),
      nested(at, [read, change]),
      nested(snake, change),
      { [snake.join('.')]: change },
      nested(at, null),
      nested(at, { x: read }),
      nested(at, []),
    ]
    for (const other of others) expect([other, effect(provider, path, JSON.stringify({ ...rest, ...other }))]).not.toEqual([other, 'read'])
    const both = [
      { ...nested(at, read), [at.join('.')]: change },
      { [at.join('.')]: read, ...nested(at, change) },
      nested([...at.slice(0, -1)], { [last]: read, [last.toUpperCase()]: change }),
    ]
    if (at.length > 1)
      for (const other of both) expect([other, effect(provider, path, JSON.stringify({ ...rest, ...other }))]).not.toEqual([other, 'read'])
    const twice = JSON.stringify({ ...rest, ...nested(at, read) }).replace(`"${last}":`, `"${last}":${JSON.stringify(change)},"${last}":`)
    expect([twice, effect(provider, path, twice)]).not.toEqual([twice, 'read'])
    for (const query of ['x={"a":1,"a":2}', `x=${'['.repeat(65)}${']'.repeat(65)}`])
      expect([query, effect(provider, path, JSON.stringify({ ...rest, ...nested(at, read) }), query)]).toEqual([query, 'refused'])
    for (const query of [
      `${at.join('.')}=${change}`,
      `${snake.join('.')}=${change}`,
      `${at[0]}${at
        .slice(1)
        .map((name) => `[${name}]`)
        .join('')}=${change}`,
    ])
      expect([query, effect(provider, path, JSON.stringify({ ...rest, ...nested(at, read) }), query)]).not.toEqual([query, 'read'])
  })
})

it.each(providerIds)('%s: a type of the body that readers read differently is refused', (provider) => {
  const { target, body } = first(provider, 'POST')
  for (const type of [
    'multipart/ mixed',
    'multipart /mixed',
    'application/json,text/plain',
    'application/json text/plain',
    'json',
    '/json',
    'a/b/c',
  ])
    expect([type, isRefused(provider, requestOf('POST', target, body, type))]).toEqual([type, true])
})

describe('a body that readers read differently', () => {
  const kind = (text: string | Uint8Array, type = JSON_TYPE) => readBody(Buffer.from(text), type).kind
  it.each([
    ['a mark of byte order', '\ufeff{"a":1}'],
    ['a name twice', '{"a":1,"a":2}'],
    ['a name twice, once escaped', '{"a":1,"\\u0061":2}'],
    ['a name twice, in another case', '{"ab":1,"AB":2}'],
    ['a name twice, with an underscore', '{"ab":1,"a_b":2}'],
    ['a name twice, with a letter that folds', '{"list":1,"li\\u017ft":2}'],
    ['a name twice, with the sign of Kelvin', '{"key":1,"\\u212aey":2}'],
    ['a name twice within', '[{"x":{"a":1,"b":2,"a":3}}]'],
    ['bytes that are no text', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['overlong bytes', Buffer.from([0x7b, 0x22, 0xc0, 0xae, 0x22, 0x3a, 0x31, 0x7d])],
    ['a comment', '{"a":1/* x */}'],
    ['a comma too many', '{"a":1,}'],
    ['two documents', '{"a":1}{"a":2}'],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le')],
  ])('with %s is not read', (_, text) => expect(kind(text)).toBe('opaque'))
  it('is JSON otherwise', () => {
    for (const text of [
      '{"a":1,"b":{"a":2}}',
      '[{"a":1},{"a":2}]',
      '{"a":":,{}[]\\"","b":"\\\\"}',
      '1',
      'null',
      '"a:b"',
      '{"a":{},"b":[]}',
    ])
      expect([text, kind(text)]).toEqual([text, 'json'])
  })
})
