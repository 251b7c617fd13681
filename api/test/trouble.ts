// What can be wrong with a request, and where: made from the contract's own operations.
import { operationIds } from '@adjoin/contract'
import fc from 'fast-check'
import { sampleRequest } from './samples.ts'

/** These would end what the others need. */
const LEFT_OUT = new Set(['signOut', 'signOutEverywhere', 'deleteWorkspace'])
const ids = operationIds.filter((id) => !LEFT_OUT.has(id))

/** Fragments of JSON that no field asks for, or that asks for trouble. */
const fragments = fc.oneof(
  fc.constantFrom(
    'null',
    'true',
    '1e400',
    '-1e400',
    '-0',
    '0.1',
    '12345678901234567890',
    '-1',
    '""',
    '" "',
    '[]',
    '{}',
    '["a"]',
    '[[[[]]]]',
    '"\\u0000"',
    '"a\\u0000b"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\u202e"',
    '"\\u2028"',
    '"\\r\\nSet-Cookie: a=b"',
    '"\\u001b[2J"',
    '{"__proto__":{"polluted":1}}',
    '{"constructor":{"prototype":{"polluted":1}}}',
    '"__proto__"',
    '"constructor"',
    '"toString"',
    '"<script>alert(1)</script>"',
    '"\'; drop table users; --"',
    '"{{7*7}}"',
    '"../../etc/passwd"',
    '"＠"',
    '"ada@agency.example\\nBcc: all@agency.example"',
    '"https://evil.example"',
    '"javascript:alert(1)"',
    '"//evil.example"',
    '"NaN"',
    '"Infinity"',
    '"2026-02-30T25:61:61Z"',
    '"+275760-09-13T00:00:00.001Z"',
  ),
  fc.integer({ min: 0, max: 5000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  fc
    .constantFrom(1, 62, 63, 64, 99, 100, 101, 128, 129, 254, 255, 256, 2048, 2049, 70_000)
    .chain((length) => fc.constantFrom('a', 'é', '😀', '𝕏', 'e\u0301', '﷽').map((character) => JSON.stringify(character.repeat(length)))),
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => JSON.stringify(text)),
  fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
)
const bodies = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    '{]',
    'null',
    '[]',
    '"text"',
    '1e400',
    '\ufeff{}',
    '{"a":1}{"b":2}',
    '{"name":"a","name":"b"}',
    "{'name':1}",
    '{"name":undefined}',
    '{"__proto__":null}',
    '{"":""}',
    '// comment',
    '\u0000',
  ),
  fragments,
)
const queries = fc.oneof(
  fc.constantFrom(
    'a=1&a=2',
    'limit=1&limit=2',
    'limit[]=1',
    'limit[a]=1',
    'a[b][c]=d',
    '__proto__=1',
    '__proto__[polluted]=1',
    'constructor[prototype][polluted]=1',
    'limit=',
    'limit=0',
    'limit=-0',
    'limit=1e400',
    'limit=201',
    'limit=9007199254740993',
    'limit=%00',
    'cursor=%00',
    'cursor=%ff',
    'cursor=%ED%A0%80',
    `cursor=${'A'.repeat(5000)}`,
    'cursor=..',
    'status=nope',
    'provider=nope',
    'status=active&status=error',
    'from=yesterday',
    'to=%00',
    'action=*',
    'action=%25',
    'format=xml',
    '=',
    '&&&',
    '%',
    '%zz',
    'force=maybe',
    'callbackURL=%5C%5Cevil.example',
    'state=x',
    'code=%00',
    'unknown=1',
    'hasOwnProperty=1',
    '%F0%9F%98%80=1',
  ),
  fc
    .tuple(fc.string({ unit: 'binary', maxLength: 12 }), fc.string({ unit: 'binary', maxLength: 30 }))
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`),
)
const segments = fc.oneof(
  fc.constantFrom(
    '%00',
    'a%00',
    '%2e%2e',
    '%2f',
    'a%2fb',
    '%ff',
    '%ED%A0%80',
    '%C0%80',
    '%',
    '%zz',
    '__proto__',
    'constructor',
    'null',
    'undefined',
    '-1',
    '0',
    'A',
    '-',
    'a b',
    '😀',
    '%E2%80%AE',
    '00000000-0000-0000-0000-000000000000',
    "'",
    '"',
    '<',
    '*',
    ':',
    ';',
    '{id}',
  ),
  fc.constantFrom(63, 64, 128, 129, 500, 501, 4000).map((length) => 'a'.repeat(length)),
)
const headers = fc.oneof(
  fc.constantFrom<Record<string, string>>(
    { 'idempotency-key': '' },
    { 'idempotency-key': 'é' },
    { 'idempotency-key': 'x'.repeat(256) },
    { 'content-type': 'text/xml' },
    { 'content-type': 'application/json; charset=utf-16' },
    { 'content-type': '' },
    { 'content-type': '/' },
    { 'content-encoding': 'gzip' },
    { origin: 'null' },
    { origin: '%00' },
    { cookie: '=;;=;' },
    { cookie: `a=${'b'.repeat(8000)}` },
    { cookie: '__proto__=1; adjoin_session=%00' },
    { 'x-forwarded-for': 'not, an, address' },
    { 'x-forwarded-for': '::1%lo, ,' },
    { 'user-agent': '\u00ff'.repeat(2000) },
    { accept: '' },
    { accept: 'text/html' },
    { 'if-none-match': '*' },
    { range: 'bytes=0-' },
    { 'x-http-method-override': 'DELETE' },
  ),
  fc.constant(Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`x-${i}`, 'a']))),
)
const escaped = (text: string) => encodeURIComponent(text.toWellFormed())

/** What is wrong with a request, and where. */
export const trouble = fc.record({
  id: fc.constantFrom(...ids),
  fault: fc.oneof(
    fc.record({ in: fc.constant('field' as const), which: fc.nat(), text: fragments }),
    fc.record({ in: fc.constant('body' as const), text: bodies }),
    fc.record({ in: fc.constant('unknown field' as const), text: fragments }),
    fc.record({ in: fc.constant('query' as const), text: queries }),
    fc.record({ in: fc.constant('path' as const), which: fc.nat(), text: segments }),
    fc.record({ in: fc.constant('header' as const), lines: headers }),
  ),
})
export type Trouble = typeof trouble extends fc.Arbitrary<infer T> ? T : never

/** The request that goes with it: a good one, made bad in one place. */
export function bad({ id, fault }: Trouble, place: { orgSlug: string; workspaceSlug: string }) {
  const { method, path, template, value } = sampleRequest(id, place)
  const sample = (value ?? {}) as Record<string, unknown>
  const given = { method, path, query: '', body: value ? JSON.stringify(sample) : undefined, headers: {} as Record<string, string> }
  if (fault.in === 'header') return { ...given, headers: fault.lines }
  if (fault.in === 'query') return { ...given, query: `?${fault.text}` }
  if (fault.in === 'body') return { ...given, body: fault.text }
  const named = template.split('/').flatMap((part, i) => (part.startsWith('{') ? [i] : []))
  if (fault.in === 'path' && named.length)
    return {
      ...given,
      path: path
        .split('/')
        .with(named[fault.which % named.length]!, fault.text)
        .join('/')
        .replaceAll(' ', '%20'),
    }
  const fields = Object.keys(sample)
  const field = fault.in === 'field' && fields.length ? fields[fault.which % fields.length]! : 'unknown'
  return { ...given, body: JSON.stringify({ ...sample, [field]: '@' }).replace('"@"', () => fault.text) }
}
