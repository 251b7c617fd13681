import { describe, expect, it } from 'vitest'
import { passedOn, vendorRequestId } from './headers.ts'
import { createScrub } from './scrub.ts'

const SECRET = 'a-token-of-the-client'
const { text: clean } = createScrub([SECRET])

describe('what an ad system says in its headers', () => {
  it('is passed on without secrets, cookies and framing', () => {
    const said = { etag: '"1"', 'x-request-id': SECRET, 'set-cookie': ['a=1'], 'transfer-encoding': 'chunked', 'x-ratelimit-reset': '9' }
    expect(passedOn(said, clean)).toEqual({ etag: '"1"', 'x-vendor-request-id': '*'.repeat(SECRET.length), 'x-ratelimit-reset': '9' })
  })

  it('is remembered as its request id, without secrets and only where it looks like one', () => {
    expect(vendorRequestId({ 'x-amzn-requestid': 'abc-1' }, clean)).toBe('abc-1')
    expect(vendorRequestId({ 'x-request-id': `id-${SECRET}` }, clean)).toBe(`id-${'*'.repeat(SECRET.length)}`)
    expect(vendorRequestId({ 'x-request-id': 'a b' }, clean)).toBeNull()
    expect(vendorRequestId({ etag: '"1"' }, clean)).toBeNull()
  })
})
