import { describe, expect, it } from 'vitest'
import { exactPattern, widePattern } from './pattern.ts'

const exact = (pattern: string) => exactPattern(pattern, ['24', '25'])

describe('an allow list', () => {
  it.each([
    ['/v{version}/customers/{account}:{verb}', '/v25/customers/1:mutate', true],
    ['/v{version}/customers/{account}:{verb}', '/v26/customers/1:mutate', false],
    ['/v{version}/customers/{account}:{verb}', '/v25/customers/1/2:mutate', false],
    ['/v{version}/customers/{account}:{verb}', '/v25/customers/1:a:b', false],
    ['/v{version}/customers/{account}:{verb}', '/V25/customers/1:mutate', false],
    ['/v{version}/report/*', '/v25/report/a/b', true],
    ['/v{version}/report/*', '/v25/report/', true],
    ['/v{version}/report/*', '/v25/reports', false],
    ['/v1.3/x/', '/v1.3/x/', true],
    ['/v1.3/x/', '/v1.3/x', false],
    ['/v1.3/x/', '/v1a3/x/', false],
  ])('%s and %s: %s', (pattern, path, matches) => expect(exact(pattern).test(path)).toBe(matches))
})

describe('a deny list', () => {
  it.each([
    ['/v{version}/oauth2/*', '/V1.3/OAuth2/token', true],
    ['/v{version}/oauth2/*', '/v/oauth2/token', false],
    ['/token', '/token/', true],
    ['/token/', '/TOKEN', true],
    ['/{object}/query', '/a:b/query', true],
    ['/{object}/query', '/a/b/query', false],
    ['/batch*', '/batch/x', true],
  ])('%s and %s: %s', (pattern, path, matches) => expect(widePattern(pattern).test(path)).toBe(matches))

  it('takes no pattern that could match in the middle of a path', () => {
    expect(() => widePattern('token')).toThrow('starts with a slash')
  })
})
