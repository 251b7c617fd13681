// What a call costs before it is sent or refused grows no faster than the call: one request must not hold up the others.
import { providerIds } from '@adjoin/contract'
import { expect, test } from 'vitest'
import { decodedPath } from '../../src/domain/vendor-path.ts'
import { examples } from '../../src/gateway/examples.ts'
import { fences } from '../../src/gateway/fences/index.ts'
import { locate } from '../../src/gateway/fences/locate.ts'
import { judge } from '../../src/gateway/judge.ts'
import { gatewayRules } from '../../src/gateway/rules/index.ts'
import { readBody, readQuery } from '../../src/gateway/vendor-request.ts'
import { processorMs } from '../processor-time.ts'

/** Of processor time, for the largest body that is taken. */
const MOST_MS = 1500
const MEBIBYTE = 1 << 20

const many = (count: number, member: (n: number) => string) => Array.from({ length: count }, (_, n) => member(n)).join(',')
const filled = (piece: string, length = MEBIBYTE - 100) => piece.repeat(Math.floor(length / piece.length))
const text = (value: string) => JSON.stringify(value)

/** Bodies as large as may be, by what they try. */
const BODIES: Record<string, () => [type: string, body: string]> = {
  'brackets in a name': () => ['application/json', `{${text(filled('['))}:1}`],
  'one long name over many': () => ['application/json', `{${text('x'.repeat(500_000))}:{${many(40_000, (n) => `"k${n}":1`)}}}`],
  'a name of the longest kind over many': () => ['application/json', `{${text('x'.repeat(250))}:{${many(90_000, (n) => `"${n}":1`)}}}`],
  'many names': () => ['application/json', `{${many(80_000, (n) => `"k${n}":1`)}}`],
  'a long list': () => ['application/json', `[${many(450_000, () => '1')}]`],
  'lists in lists': () => ['application/json', '['.repeat(500_000) + ']'.repeat(500_000)],
  'names in names': () => ['application/json', '{"a":'.repeat(150_000) + 1 + '}'.repeat(150_000)],
  'objects in JSON in JSON': () => [
    'application/json',
    `{"a":${text(JSON.stringify({ b: JSON.stringify({ c: filled('[', 100_000) }) }))}}`,
  ],
  'many parameters': () => ['application/x-www-form-urlencoded', filled('a=1&')],
  'brackets in a parameter': () => ['application/x-www-form-urlencoded', `${filled('[')}=1`],
  'many parameters with JSON': () => ['application/x-www-form-urlencoded', filled('a={"b":{"c":1}}&')],
  ...Object.fromEntries(
    ['a', ' ', '1', '[', '{', '(', '/', "'", 'customers/', 'SELECT ', 'FROM ', 'customer', '"', '#', 'act_', '{a', '...'].map((piece) => [
      `“${piece}” in a query`,
      () => ['application/json', JSON.stringify({ query: filled(piece, 60_000), fields: filled(piece, 60_000) })] as [string, string],
    ]),
  ),
}

test.each(providerIds)('%s', (provider) => {
  const rules = gatewayRules[provider]
  const fence = fences[provider]
  if (!rules) return
  const { method, path } = examples[provider].find((example) => example.method === 'POST') ?? examples[provider][0]!
  const [raw = '', query = ''] = path.split('?')
  const judged = (contentType: string, body: string, more = '') => {
    const request = {
      method,
      path: decodedPath(`/${raw}`)!,
      query: readQuery([query, more].filter(Boolean).join('&')),
      headers: { 'content-type': contentType },
      body: readBody(Buffer.from(body), contentType),
    }
    judge(rules, request, { open: rules.hosts.map(({ host }) => host) })
    if (fence) locate(fence, request, {})
  }
  const slow = Object.entries(BODIES).flatMap(([name, make]) => {
    const [type, body] = make()
    const ms = processorMs(() => judged(type, body), MOST_MS)
    return ms > MOST_MS ? [`${name}: ${Math.round(ms)} ms`] : []
  })
  for (const piece of ['[', '%5B', 'a', 'a=1&', '&', ';', '=', 'a;', '*', '.', '%'])
    if (processorMs(() => judged('', '', filled(piece, 16_000)), MOST_MS / 10) > MOST_MS / 10) slow.push(`“${piece}” in the address`)
  expect(slow).toEqual([])
})
