import { type AuditKind, auditEvents } from '@adjoin/contract/audit-events'
import { ProblemError } from '@adjoin/contract/client'
import { describe, expect, test } from 'vitest'
import { asQuery, auditFilters } from '../src/audit-filters.ts'
import { browserOf, fromNow, slugOf, spoken } from '../src/format.ts'
import { may } from '../src/may.ts'
import { type FoundIntegration, isNarrowed, leadOf, overviewFilters, problemsOf, stepOf } from '../src/overview.ts'
import { kindPhrase } from '../src/pages/audit-lines.tsx'
import { explain, fieldErrors } from '../src/problem.ts'
import { fits } from '../src/search-words.ts'

describe('words', () => {
  test.each([
    ['Ada’s Agency GmbH', 'adas-agency-gmbh'],
    ['  Café & Söhne / Straße  ', 'cafe-sohne-strasse'],
    ['---', ''],
    ['x'.repeat(80), 'x'.repeat(63)],
    ['東京', ''],
  ])('the slug of %j is %j', (name, slug) => expect(slugOf(name)).toBe(slug))

  test.each([
    [-20_000, 'just now'],
    [20_000, 'in a moment'],
    [-5 * 60_000, '5 minutes ago'],
    [-59.6 * 60_000, '1 hour ago'],
    [-26 * 3_600_000, '1 day ago'],
    [48 * 3_600_000 - 500, 'in 48 hours'],
    [7 * 86_400_000 - 500, 'in 7 days'],
  ])('%i ms from now is said as %j', (distance, words) => {
    const now = Date.UTC(2026, 0, 15, 12)
    expect(fromNow(new Date(now + distance).toISOString(), now)).toBe(words)
  })

  test.each([
    ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge on Windows'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1', 'Safari on iOS'],
    ['adjoin-cli/0.1.0', 'Adjoin command line'],
    ['some-script/2', 'some-script/2'],
    [null, 'Unknown program'],
  ])('%j is shown as %j', (userAgent, words) => expect(browserOf(userAgent)).toBe(words))

  test.each([
    ['Müller & Söhne Straße', 'sohne muller', true],
    ['Müller & Söhne Straße', 'STRASSE', true],
    ['Łódź Reklama', 'lodz', true],
    ['株式会社 アクメ', '株式', true],
    ['株式会社アクメ広告', 'アクメ', true],
    ['株式会社アクメ広告', 'ｱｸﾒ', true],
    ['東京広告', '京広', true],
    ['โฆษณาไทย', 'ไทย', true],
    ['إعلانات', 'إعلانات', true],
    ['شركة الإعلانات ٢٠٢٦', 'اعلانات', false],
    ['شركة الإعلانات ٢٠٢٦', 'الاعلانات شركه 2026', true],
    ['Ελληνική Διαφήμιση', 'διαφημιση', true],
    ['Реклама Йошкар', 'йошкар', true],
    ['광고 회사', '회', true],
    ['İstanbul Reklam', 'istanbul', true],
    ['Audit trail', 'rail', false],
    ['東京', 'Ω', false],
    ['Anything', '', true],
  ])('%j fits %j: %j', (text, typed, fit) => expect(fits(text, typed)).toBe(fit))

  test('field names are spoken as words', () =>
    expect([spoken('creatorEmail'), spoken('api_key'), spoken('name')]).toEqual(['Creator email', 'API key', 'Name']))
})

describe('what is offered', () => {
  test('follows the matrix: role, place and class of credential', () => {
    expect(may('createWorkspace', { organization: 'admin' })).toBe(true)
    expect(may('createWorkspace', { organization: 'member' })).toBe(false)
    expect(may('updateWorkspace', { organization: 'member', workspace: 'admin' })).toBe(true)
    expect(may('deleteWorkspace', { organization: 'member', workspace: 'admin' })).toBe(false)
    expect(may('listOrganizationMembers', { organization: 'guest' })).toBe(false)
    expect(may('getCurrentApiKey', { organization: 'admin' })).toBe(false)
    expect(may('getWorkspace', {})).toBe(false)
  })
})

describe('a refusal', () => {
  const refusal = (status: number, code: string, more = {}) =>
    new ProblemError({ type: 'about:blank', title: 'Title', status, code, detail: 'Detail.', instance: '/', ...more }, 42)

  test('stands at the field the service names, or at the one its code belongs to', () => {
    const invalid = refusal(400, 'validation_failed', { errors: [{ path: 'name', message: 'must have 1 to 100 characters' }] })
    expect(fieldErrors(invalid)).toEqual({ name: 'This must have 1 to 100 characters.' })
    expect(fieldErrors(refusal(409, 'slug_taken'), { slug_taken: 'slug' })).toEqual({ slug: 'Detail.' })
    expect(fieldErrors(new TypeError('network'))).toEqual({})
  })

  test('says how long to wait, gives a reference for our own faults, and never an engine’s words', () => {
    expect(explain(refusal(429, 'limit_exceeded')).detail).toBe('Detail.')
    expect(explain(refusal(429, 'limit_exceeded', { detail: undefined })).detail).toBe('Wait 42 seconds, then try again.')
    expect(explain(refusal(500, 'internal_error', { requestId: 'r-1' }))).toMatchObject({ requestId: 'r-1' })
    expect(explain(new TypeError('Failed to fetch')).detail).not.toContain('fetch')
  })
})

describe('an entry of the trail', () => {
  test.each(Object.keys(auditEvents) as AuditKind[])('%s begins with what was done, so that it follows a name', (kind) =>
    expect(kindPhrase(kind)).toMatch(/^([a-z]+ed|could|(un)?froze|gave|resent|sent)( |$)/),
  )
})

describe('the filters of the trail', () => {
  test('are read from the address and unknown ones are dropped', () =>
    expect(auditFilters({ action: 'user.*', cursor: 'x', actor: '', from: 7 })).toEqual({ action: 'user.*' }))

  test('take whole days, and drop what is no day', () => {
    const { from, to } = asQuery({ from: '2026-03-01', to: '2026-03-02' })
    expect(Date.parse(to!) - Date.parse(from!)).toBe(2 * 86_400_000 - 1)
    expect(asQuery({ from: 'nonsense', action: 'user.*' })).toEqual({ action: 'user.*' })
  })
})

describe('the overview', () => {
  test('takes from the address only what the service would', () => {
    const filters = overviewFilters({
      status: 'error',
      provider: 'nobody',
      mustAct: 'client',
      sort: 'need',
      q: ' ',
      workspace: 'A B',
      cursor: 'x',
    })
    expect(filters).toEqual({ status: 'error', mustAct: 'client' })
    expect([isNarrowed(filters), isNarrowed({ sort: 'name' })]).toEqual([true, false])
  })

  test('offers the one step that resolves what an integration waits for', () => {
    const link = { connectUrl: 'https://x', expiresAt: '2026-01-01T00:00:00Z', expired: false }
    const step = (part: object) => stepOf({ status: 'error', mustAct: 'client', connectLink: null, connectedAt: null, ...part } as never)
    expect(step({ connectLink: link })).toBe('copy')
    expect(step({ connectLink: { ...link, expired: true } })).toBe('issue')
    expect(step({ connectRequestId: 'some' })).toBe('request')
    expect(step({ connectRequestId: 'some', connectLink: link })).toBe('copy')
    expect(step({ status: 'pending', mustAct: 'agency' })).toBe('issue')
    expect(step({ mustAct: 'agency', connectedAt: '2026-01-01T00:00:00Z' })).toBe('open')
    expect(step({ mustAct: 'operator', connectLink: link })).toBe('open')
  })

  test('shows what died with one login as one problem, by the link that the client has or that the caller can make', () => {
    const found = (id: string, more: object = {}): FoundIntegration =>
      ({ id, status: 'error', mustAct: 'client', sharedLogin: 'one', connectLink: null, workspace: { slug: id }, ...more }) as never
    const died = [
      found('a'),
      found('b'),
      found('c', { sharedLogin: null }),
      found('d', { sharedLogin: null }),
      found('e', { mustAct: 'agency' }),
    ]
    expect(problemsOf(died).map((problem) => problem.map(({ id }) => id))).toEqual([['a', 'b'], ['c'], ['d'], ['e']])
    const lead = (problem: FoundIntegration[]) => leadOf(problem, (slug) => slug === 'b').id
    expect(lead([found('a'), found('b')])).toBe('b')
    expect(lead([found('a'), found('b'), found('x', { connectRequestId: 'some' })])).toBe('x')
    expect(lead([found('a'), found('b'), found('x', { connectLink: { expired: false } })])).toBe('x')
    expect(lead([found('a')])).toBe('a')
  })
})
