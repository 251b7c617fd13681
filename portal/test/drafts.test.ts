import { expect, test } from 'vitest'
import type { Check } from '../src/check-days.ts'
import { checkFilters, selectedChecks } from '../src/check-list.ts'
import { reconcile } from '../src/draft.ts'

test('what was not touched follows, what was typed stays, and what is the same anyway is not told', () => {
  const base = { name: 'Old', url: '', account: 'a', id: '1' }
  const next = { name: 'New', url: 'https://new.example', account: 'b', id: '1' }
  expect(reconcile(base, next, { ...base, name: 'Mine', account: 'b' })).toEqual({ updated: ['url'], kept: ['name'] })
  expect(reconcile(base, base, { ...base, name: 'Mine' })).toEqual({ updated: [], kept: [] })
})

const check = (id: string, more: Partial<Check>): Check =>
  ({ id, kind: 'check', outcome: 'verified', detail: null, durationMs: 10, checkedAt: '2026-11-15T10:00:00.000Z', ...more }) as Check

test('checks are narrowed by what the address says, and what it cannot say is left out', () => {
  const checks = [
    check('new', { durationMs: 5 }),
    check('failed', { outcome: 'rejected', detail: 'Access was revoked.', kind: 'verify', durationMs: 50 }),
    check('old', { checkedAt: '2026-11-14T23:59:00.000Z' }),
  ]
  const ids = (filters: Record<string, unknown>) => selectedChecks(checks, checkFilters(filters)).map(({ id }) => id)
  expect(ids({})).toEqual(['new', 'failed', 'old'])
  expect(ids({ sort: 'oldest' })).toEqual(['old', 'failed', 'new'])
  expect(ids({ sort: 'slowest' })).toEqual(['failed', 'old', 'new'])
  expect(ids({ q: 'revok' })).toEqual(['failed'])
  expect(ids({ kind: 'verify', outcome: 'verified' })).toEqual([])
  expect(ids({ day: '2026-11-14' })).toEqual(['old'])
  expect(checkFilters({ outcome: 'constructor', kind: 'no', sort: '', day: 'today', q: '  ' })).toEqual({})
})
