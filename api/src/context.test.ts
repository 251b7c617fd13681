import { describe, expect, it } from 'vitest'
import { currentContext, loggedContext, proxyRequestIdOf, traceIdOf, withinContext, withinPart } from './context.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

describe('a context', () => {
  it('is known wherever its work goes, a part of it for as long as that part lasts', async () => {
    await withinContext({ requestId: 'r-1', operation: 'getMe' }, async () => {
      await Promise.resolve()
      expect(loggedContext()).toEqual({ requestId: 'r-1', operation: 'getMe' })
      withinPart({ transaction: { open: true } }, () =>
        expect(currentContext()).toMatchObject({ requestId: 'r-1', transaction: { open: true } }),
      )
      expect(currentContext()?.transaction).toBeUndefined()
    })
    expect(currentContext()).toBeUndefined()
    expect(loggedContext()).toEqual({})
  })
})

describe('the trace that a caller names', () => {
  it.each([
    [`00-${TRACE}-${SPAN}-01`, TRACE],
    [`cc-${TRACE}-${SPAN}-01-what-later-versions-append`, TRACE],
    [`00-${TRACE}-${SPAN}-01-more`, undefined],
    [`ff-${TRACE}-${SPAN}-01`, undefined],
    [`00-${'0'.repeat(32)}-${SPAN}-01`, undefined],
    [`00-${TRACE}-${'0'.repeat(16)}-01`, undefined],
    [`00-${TRACE.toUpperCase()}-${SPAN}-01`, undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%s', (header, trace) => expect(traceIdOf(header)).toBe(trace))
})

describe("a proxy's request id", () => {
  it.each([
    ['lb-7f3a.9_x', 'lb-7f3a.9_x'],
    ['a'.repeat(64), 'a'.repeat(64)],
    ['a'.repeat(65), undefined],
    ['with blank', undefined],
    ['two, of them', undefined],
    ['', undefined],
    [['a', 'b'], undefined],
  ])('%s', (header, id) => expect(proxyRequestIdOf(header)).toBe(id))
})
