// The tables of the gateway against a second transcription of what reads and what changes, in both directions.
import { type ProviderId, providerIds } from '@adjoin/contract'
import { describe, expect, it } from 'vitest'
import { effectOf, judge } from '../src/gateway/judge.ts'
import { gatewayRules } from '../src/gateway/rules/index.ts'
import { readBody, readQuery, type VendorRequest } from '../src/gateway/vendor-request.ts'
import { conditionalReads, effectTable, versions } from './effect-table.ts'

interface Sample {
  readonly method: string
  readonly path: string
}

const samplesOf = (provider: ProviderId, rows = ''): Sample[] =>
  rows
    .split(/\s+/)
    .filter(Boolean)
    .map((row) => {
      const [, method = 'POST', pattern = ''] = /^(?:([A-Z]+):)?(.*)$/.exec(row)!
      const path = pattern
        .replace(/\{v\}/g, versions[provider] ?? '1')
        .replace(/\{\w+\}/g, '1234567890')
        .replace(/\*$/, '/x')
      return { method, path }
    })

const asked = ({ method, path }: Sample, query = '', body?: unknown): VendorRequest => ({
  method,
  path,
  query: readQuery(query),
  headers: {},
  body: body === undefined ? readBody(new Uint8Array(), undefined) : readBody(Buffer.from(JSON.stringify(body)), 'application/json'),
})
const rulesOf = (provider: ProviderId) => gatewayRules[provider]!
const effect = (provider: ProviderId, sample: Sample) => effectOf(rulesOf(provider), asked(sample))
const isClosed = (provider: ProviderId, sample: Sample) =>
  'refused' in judge(rulesOf(provider), asked(sample), { open: rulesOf(provider).hosts.map(({ host }) => host) })

describe.each(providerIds)('%s', (provider) => {
  const { reads, changes, assumed, closed } = effectTable[provider]
  const rows = samplesOf(provider, reads)

  it.runIf(rows.length)('reads where the table says so, and nowhere near it', () => {
    const near = (sample: Sample): Sample[] => [
      { ...sample, method: 'DELETE' },
      { ...sample, method: 'PATCH' },
      { ...sample, path: `${sample.path.replace(/\/$/, '')}/zz/zz/zz` },
      { ...sample, path: `/zz${sample.path}` },
    ]
    expect(rows.filter((sample) => effect(provider, sample) !== 'read')).toEqual([])
    expect(rows.flatMap(near).filter((sample) => effect(provider, sample) !== 'change')).toEqual([])
  })

  it.runIf(rows.length)('takes a call for a change whose body it may read in another way', () => {
    const types = ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=a', 'application/json; charset=utf-16']
    const isRead = (sample: Sample, type: string) =>
      effectOf(rulesOf(provider), { ...asked(sample), headers: { 'content-type': type }, body: readBody(Buffer.from('a=1'), type) }) ===
      'read'
    const open = types.filter((type) => rows.some((sample) => isRead(sample, type)))
    expect(open).toEqual(provider === 'meta_ads' ? ['application/x-www-form-urlencoded'] : [])
  })

  it.runIf(changes)('takes what stores, shares or ends something for a change', () => {
    expect(samplesOf(provider, changes).filter((sample) => effect(provider, sample) !== 'change')).toEqual([])
  })

  it('takes what nobody has confirmed for a change, or keeps it closed', () => {
    const open = samplesOf(provider, assumed).filter((sample) => effect(provider, sample) === 'read' && !isClosed(provider, sample))
    expect(open).toEqual([])
    expect(samplesOf(provider, closed).filter((sample) => !isClosed(provider, sample))).toEqual([])
  })

  it('has no row that the table does not know', () => {
    const known = [...rows, ...samplesOf(provider, assumed), ...samplesOf(provider, closed)]
    const conditional = conditionalReads.filter((row) => row.provider === provider).map(({ path }) => ({ method: 'POST', path }))
    const unknown = rulesOf(provider).reads.filter(
      (rule) => ![...known, ...conditional].some(({ method, path }) => ['ANY', method].includes(rule.method) && rule.pattern.test(path)),
    )
    const add = 'add what reads according to the vendor’s documentation to api/test/effect-table.ts'
    expect(
      unknown.map(({ method, pattern }) => `${method} ${pattern.source}`),
      add,
    ).toEqual([])
  })
})

it.each(conditionalReads)('$provider $path with $query $body: $effect', ({ provider, path, query, body, effect: expected }) => {
  expect(effectOf(rulesOf(provider), asked({ method: 'POST', path }, query, body))).toBe(expected)
})
