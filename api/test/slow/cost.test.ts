// What a call costs before it is sent or refused grows no faster than the call: one request must not hold up the others.
import { providerIds } from '@adjoin/contract'
import { expect, test } from 'vitest'
import { decodedPath } from '../../src/domain/vendor-path.ts'
import { examples } from '../../src/gateway/examples.ts'
import type { Fence } from '../../src/gateway/fences/fence.ts'
import { fences } from '../../src/gateway/fences/index.ts'
import { locate } from '../../src/gateway/fences/locate.ts'
import { effectOf, judge } from '../../src/gateway/judge.ts'
import { gatewayRules } from '../../src/gateway/rules/index.ts'
import { readBody, readQuery } from '../../src/gateway/vendor-request.ts'
import { processorMs } from '../processor-time.ts'

/** Of processor time, for all that is done with a call in one turn. */
const MOST_MS = 50
const MEBIBYTE = 1 << 20
const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'

const many = (count: number, member: (n: number) => string, between = ',') =>
  Array.from({ length: count }, (_, n) => member(n)).join(between)
const filled = (piece: string, length = MEBIBYTE - 100) => piece.repeat(Math.floor(length / piece.length))
const text = (value: string) => JSON.stringify(value)
type Made = [type: string, body: string]

/** As large as they may be: each is read, not refused for its size. */
const LARGEST: Record<string, () => Made> = {
  'a list of IDs': () => [JSON_TYPE, `{"advertiser_ids":[${many(95_000, (n) => String(1_234_567_890 + (n % 9)))}]}`],
  'a list of digits': () => [JSON_TYPE, `[${many(99_000, () => '1')}]`],
  'a list of numbers in other spellings': () => [JSON_TYPE, `[${many(33_000, () => '1.0e1')}]`],
  'a list of texts': () => [
    JSON_TYPE,
    `{"a":[${many(95_000, () => '"customers/1234567890"')
      .slice(0, MEBIBYTE - 200)
      .replace(/,[^,]*$/, '')}]}`,
  ],
  'lists beside lists': () => [JSON_TYPE, `{${many(4_900, (n) => `"a${n}":[${many(18, () => '1')}]`)}}`],
  'lists in a list': () => [JSON_TYPE, `[${many(49_000, () => '[1]')}]`],
  'objects of one kind': () => [JSON_TYPE, `{"a":[${many(24_000, (n) => `{"text":"word${n}","match_type":${n}}`)}]}`],
  'empty objects': () => [JSON_TYPE, `[${many(33_000, () => '{}')}]`],
  'different names': () => [JSON_TYPE, `{${many(4_900, (n) => `"name${n}${'x'.repeat(40)}":1`)}}`],
  'names with underscores': () => [JSON_TYPE, `{${many(4_900, (n) => `"${'_a'.repeat(22)}${n}":1`)}}`],
  'names in names': () => [JSON_TYPE, `[${many(800, (n) => `${'{"a":'.repeat(60)}{"b${n}":1}${'}'.repeat(60)}`)}]`],
  'long names in names': () => [JSON_TYPE, `{${many(18, (n) => `"${n}${'x'.repeat(220)}":{${many(60, (m) => `"${m}":1`)}}`)}}`],
  'one long text': () => [JSON_TYPE, `{"query":${text(filled('x', MEBIBYTE - 200))}}`],
  'letters that take long to lower': () => [JSON_TYPE, `{"query":${text(filled('İ', MEBIBYTE / 2 - 200))}}`],
  'names of such letters': () => [JSON_TYPE, `{${many(4_900, (n) => `"${'İ'.repeat(40)}${n}":1`)}}`],
  escapes: () => [JSON_TYPE, `{"query":"${filled('\\u0061', MEBIBYTE - 200)}"}`],
  'JSON in a text': () => [JSON_TYPE, JSON.stringify({ a: `[${many(90_000, (n) => String(n % 10))}]` })],
  'JSON in many texts': () => [JSON_TYPE, JSON.stringify({ a: Array.from({ length: 9_000 }, (_, n) => `{"a":[1,2,${n}]}`) })],
  'the same JSON in many texts': () => [JSON_TYPE, JSON.stringify({ a: Array.from({ length: 12_000 }, () => '{"a":[1,2]}') })],
  'JSON in JSON in JSON': () => [
    JSON_TYPE,
    JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ c: Array.from({ length: 30_000 }, () => 1) }) }) }),
  ],
  fields: () => [JSON_TYPE, JSON.stringify({ fields: filled('ads,', MEBIBYTE - 200) })],
  parameters: () => [FORM, many(2_450, (n) => `a${n}=${'x'.repeat(400)}`, ';')],
  'the same parameter': () => [FORM, many(4_990, () => 'a=1', '&')],
  'parameters with brackets': () => [FORM, many(2_400, (n) => `a[${n}][b]=${n}`, '&')],
  'parameters with dots': () => [FORM, many(2_400, (n) => `a.${n}.b=${n}`, '&')],
  'parameters with lists': () => [FORM, many(4_900, (n) => `a${n}=[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]`, '&')],
  'parameters with encoded JSON': () => [FORM, many(1_600, (n) => `a${n}=${encodeURIComponent('{"b":{"c":1}}')}`, '&')],
  'a long parameter': () => [FORM, `a=${filled('x', MEBIBYTE - 100)}`],
  'an encoded parameter': () => [FORM, `a=${filled('%61', MEBIBYTE - 100)}`],
}

/** Made to cost: read or refused, they may not take longer. */
const HOSTILE: Record<string, () => Made> = {
  'lists beside lists in a form': () => [FORM, many(50, (n) => `a${n}=[${many(10_000, () => '1')}]`, '&').slice(0, MEBIBYTE)],
  'lists beside lists, encoded': () => [FORM, many(17, (n) => `a${n}=%5B${many(10_000, () => '1', '%2C')}%5D`, '&').slice(0, MEBIBYTE)],
  'brackets in a name': () => [JSON_TYPE, `{${text(filled('['))}:1}`],
  'one long name over many': () => [JSON_TYPE, `{${text('x'.repeat(500_000))}:{${many(40_000, (n) => `"k${n}":1`)}}}`],
  'a name of the longest kind over many': () => [JSON_TYPE, `{${text('x'.repeat(250))}:{${many(90_000, (n) => `"${n}":1`)}}}`],
  'many names': () => [JSON_TYPE, `{${many(80_000, (n) => `"k${n}":1`)}}`],
  'many names with one end': () => [JSON_TYPE, `{${many(36_000, (n) => `"${n}${'x'.repeat(18)}":1`)}}`],
  'many names in many objects': () => [JSON_TYPE, `[${many(80, (n) => `{${many(1_000, (m) => `"${n}k${m}":1`)}}`)}]`],
  colons: () => [JSON_TYPE, `{"${'x'.repeat(500_000)}"${filled(':', 500_000)}}`],
  'a long list': () => [JSON_TYPE, `[${many(450_000, () => '1')}]`],
  'lists in lists': () => [JSON_TYPE, '['.repeat(500_000) + ']'.repeat(500_000)],
  'objects in objects': () => [JSON_TYPE, '{"a":'.repeat(150_000) + 1 + '}'.repeat(150_000)],
  'objects in JSON in JSON': () => [JSON_TYPE, `{"a":${text(JSON.stringify({ b: JSON.stringify({ c: filled('[', 100_000) }) }))}}`],
  'texts that begin like JSON': () => [
    JSON_TYPE,
    JSON.stringify({ a: Array.from({ length: 30_000 }, (_, n) => `{${n}${'['.repeat(20)}`) }),
  ],
  'texts that are JSON up to their last letters': () => [
    JSON_TYPE,
    JSON.stringify({ a: Array.from({ length: 30_000 }, (_, n) => `[${n}}]`) }),
  ],
  'keywords in brackets': () => [JSON_TYPE, JSON.stringify({ a: Array.from({ length: 40_000 }, (_, n) => `[shoes ${n}]`) })],
  'quotes without an end': () => [JSON_TYPE, filled('"\\')],
  'many parameters': () => [FORM, filled('a=1&')],
  'separators alone': () => [FORM, filled('&')],
  'brackets in a parameter': () => [FORM, `${filled('[')}=1`],
  'many parameters with JSON': () => [FORM, filled('a={"b":{"c":1}}&')],
  'percent signs': () => [FORM, `a=${filled('%')}`],
  ...Object.fromEntries(
    [
      'a',
      ' ',
      '1',
      '[',
      '{',
      '(',
      '/',
      "'",
      'customers/',
      'SELECT ',
      'FROM ',
      'customer',
      '"',
      '#',
      'act_',
      '{a',
      '...',
      'ads{',
      'ads.filtering(',
      'urn:li:sponsoredAccount:',
      ',',
    ].map((piece) => [
      `“${piece}” in a query`,
      () => [JSON_TYPE, JSON.stringify({ query: filled(piece, 240_000), fields: filled(piece, 240_000) })] as Made,
    ]),
  ),
}

/** Accounts where each row of a fence looks for them, as many as fit. */
function* namedAccounts(fence: Fence): Generator<[name: string, path: string, body: string]> {
  const lists = [filled('1,', MEBIBYTE / 2), many(40_000, (n) => String(1_000_000_000 + n)), `List(${many(40_000, (n) => String(n))})`]
  for (const row of fence.locate) {
    if (row.in !== 'body') continue
    const path = (row.on?.[0] ?? '/x').replaceAll(/\{\w+\}/g, '1').replaceAll('*', 'x')
    for (const at of row.at ?? [])
      for (const list of lists) {
        const value = at
          .replace('**.', '')
          .split('.')
          .reduceRight<unknown>((inner, name) => ({ [name]: inner }), list)
        yield [`${at}: ${list.slice(0, 12)}…`, path, JSON.stringify(value)]
      }
    if (row.scan)
      yield [`${row.scan}`, path, JSON.stringify({ [row.text ?? 'a']: Array.from({ length: 38_000 }, (_, n) => scanned(row.scan!, n)) })]
  }
}

const scanned = (scan: RegExp, n: number): string => {
  const found = [
    `customers/${n}/x`,
    `networks/${n}/x`,
    `advertisers/${n}/x`,
    `act_${n}`,
    `urn:li:sponsoredAccount:${n}`,
    `advertiserId=${n}`,
    `publisherId=${n}`,
  ].find((text) => scan.test(text))
  return found ?? 'a row that this test does not know'
}

test.each(providerIds)('%s', (provider) => {
  const rules = gatewayRules[provider]
  const fence = fences[provider]
  if (!rules) return
  const { method, path } = examples[provider].find((example) => example.method === 'POST') ?? examples[provider][0]!
  const [raw = '', query = ''] = path.split('?')
  const judged = (contentType: string, body: string | Buffer, more = '', at = `/${raw}`) => {
    const request = {
      method: body ? 'POST' : method,
      path: decodedPath(at)!,
      query: readQuery([query, more].filter(Boolean).join('&')),
      headers: { 'content-type': contentType },
      body: readBody(typeof body === 'string' ? Buffer.from(body) : body, contentType),
    }
    effectOf(rules, request)
    judge(rules, request, { open: rules.hosts.map(({ host }) => host), ownApp: '424242' })
    if (fence) locate(fence, request, {})
  }
  const slow = Object.entries({ ...LARGEST, ...HOSTILE }).flatMap(([name, make]) => {
    const [type, body] = make()
    const bytes = Buffer.from(body)
    expect([name, bytes.length <= MEBIBYTE]).toEqual([name, true])
    if (name in LARGEST) expect([name, readBody(bytes, type).kind]).toEqual([name, type === FORM ? 'form' : 'json'])
    const ms = processorMs(() => judged(type, bytes), MOST_MS)
    return ms > MOST_MS ? [`${name}: ${Math.round(ms)} ms`] : []
  })
  for (const piece of [
    '[',
    '%5B',
    'a',
    'a=1&',
    '&',
    ';',
    '=',
    'a;',
    '*',
    '.',
    '%',
    '%61=&',
    'a[]=1&',
    'a[1,',
    'x=[1]&',
    'x={"a":1}&',
    '$=&',
    'fields=ads{',
    '_&',
    '+',
  ])
    if (processorMs(() => judged('', '', filled(piece, 16_000)), MOST_MS) > MOST_MS) slow.push(`“${piece}” in the address`)
  for (const [name, at, body] of fence ? namedAccounts(fence) : []) {
    expect([name, body.includes('does not know')]).toEqual([name, false])
    const ms = processorMs(() => judged(JSON_TYPE, Buffer.from(body), '', at), MOST_MS)
    if (ms > MOST_MS) slow.push(`${name}: ${Math.round(ms)} ms`)
  }
  expect(slow).toEqual([])
})
